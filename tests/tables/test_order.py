from dataclasses import replace

from hf_fewshot.runs.recipe import PlannedSystem, Recipe
from hf_fewshot.tables.order import in_order


def begun(record, day):
    return replace(record, started=f"2026-02-{day:02}T00:00:00+00:00")


def names(records):
    return [(record.run.system, record.run.seed) for record in records]


def test_systems_stand_in_the_order_in_which_they_were_begun_whatever_was_made_again_later(make_record):
    records = [
        begun(make_record("Last", seed=0), 3),
        begun(make_record("First", seed=0), 9),  # made again
        begun(make_record("First", seed=1), 1),
        begun(make_record("Second", seed=0), 2),
    ]
    assert names(in_order(records)) == [("First", 0), ("First", 1), ("Second", 0), ("Last", 0)]


def test_recipes_come_before_that_and_others_follow(make_record):
    recipe = Recipe("few_nerd", {name: PlannedSystem("proto") for name in ("Last", "First")})
    records = [begun(make_record(name), day) for name, day in (("Unnamed", 1), ("First", 2), ("Last", 3))]
    assert [name for name, _ in names(in_order(records, [recipe]))] == ["Last", "First", "Unnamed"]
    elsewhere = replace(recipe, benchmark="clues")
    assert [name for name, _ in names(in_order(records, [elsewhere]))] == ["Unnamed", "First", "Last"]
