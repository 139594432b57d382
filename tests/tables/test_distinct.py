from hf_fewshot.tables.distinct import distinct
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table

TRAINED = {"max_steps": 20}


def test_a_frozen_system_that_gives_the_same_with_all_seeds_is_one_run(make_record):
    (setting,) = settings(make_record("A", 0.5, seed=seed) for seed in (0, 1, 7))
    line = table(setting).lines[0]
    assert (line.n, str(line.values["f1"]), line.over) == (1, "50.00", ("episodes",))
    assert line.notes == ("Nothing in it is random: seeds 0, 1, 7 give the same, and count as one run.",)


def test_each_draw_of_a_frozen_system_is_a_run(make_record):
    records = [
        make_record("A", score, seed=seed, data={"shots": 1, "fold": fold}, fingerprint=f"fold {fold}")
        for fold, score in ((1, 0.4), (2, 0.6))
        for seed in (0, 1)
    ]
    assert [record.run.data["fold"] for record in distinct(records)] == [1, 2]


def test_trained_and_tuned_systems_that_came_to_the_same_are_as_many_runs_as_there_are(make_record):
    for made in ({"training": TRAINED}, {"method": "tuned"}, {"method": "of_somebody"}):
        assert len(distinct([make_record("A", 0.5, seed=seed, **made) for seed in (0, 1)])) == 2


def test_the_same_score_from_other_units_is_another_run(make_record):
    one = make_record("A", 0.5, seed=0, units={"0": (1, 2), "1": (1, 2)})
    other = make_record("A", 0.5, seed=1, units={"0": (2, 2), "1": (0, 2)})
    assert distinct([one, other]) == (one, other)
