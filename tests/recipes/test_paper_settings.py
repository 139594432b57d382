"""Recipes have the settings of the papers' tables, which are written down apart from them."""

import re
from dataclasses import replace

import pytest

from tests.recipes.paper_settings import ROWS
from tests.recipes.probes import recipes, together


def matching(row):
    """By recipe, the runs of a row."""
    found = {}
    for name, (source, runs) in recipes().items():
        if row.source is None or re.search(row.source, source):
            own = [run for run in runs if all(run[key] == value for key, value in row.runs.items())]
            if own:
                found[name] = own
    return found


def test_there_is_a_row_for_every_line_of_the_tables():
    counts = {}
    for row in ROWS:
        counts[row.table] = counts.get(row.table, 0) + 1
    assert counts == {
        "Few-NERD, Table 5": 4 * 3,
        "Few-NERD, Table 6": 4 * 3,
        "Few-NERD, Table 7": 3,
        "Few-NERD, Table 4": 1,
        "FewJoint, Table 4": 3,
        # Ten lines, and four of prompts without demonstrations; five lines.
        "CLUES, Table 5": 2 * 3 * 14,
        "CLUES, Table 5, All": 2 * 13,
        "CLUES, Table 6": 4 * 3 * 5,
        "CLUES, Table 6, All": 4 * 5,
        "FewRel 2.0, Sabo et al., Table 2": 2 * 2 * 2,
        "FewRel 2.0, Sabo et al., Table 3": 2 * 4,
        "Few-Shot TACRED, Sabo et al., Table 4": 2 * 4,
        "FewRel, Sabo et al., Figure 2": 2,
        "FewRel, Sabo et al., Section 7.1": 2,
        "Few-Shot TACRED, Sabo et al., Section 7.1": 2 * 2,
        "Few-Shot TACRED, Sabo et al., Section 7.2": 1,
    }


# Their settings are written down elsewhere: in test_tag_recipes.py, and with the recipes of CLUES.
ELSEWHERE = {"fewjoint_1.1.yaml", "clues_validation.yaml"}


def test_every_training_of_a_recipe_is_in_a_line_of_a_table():
    lines = [run for row in ROWS for runs in matching(row).values() for run in runs]
    reached = {id(run) for run in lines}
    missed = {
        (name, run.run.system)
        for name, (_, runs) in recipes().items()
        for run in runs
        if run.run.training is not None and id(run) not in reached and name not in ELSEWHERE
    }
    assert missed == set()


def problems(row):
    """What is wrong with the recipes of a row, in words."""
    found = matching(row)
    if not found:
        where = "" if row.source is None else f" whose source has {row.source!r}"
        return [f"No recipe in recipes/{where} has runs of {row}. Write one, or correct its settings."]
    wrong = [
        f"{name}: {setting} is {', '.join(sorted({str(one) for one in others}))}, the paper has {expected!r}"
        for name, runs in found.items()
        for setting, expected in row.each.items()
        if (others := [value for run in runs if (value := run[setting]) != expected])
    ]
    for setting, expected in row.whole.items():
        values = {name: together(runs, setting) for name, runs in found.items()}
        if expected not in values.values():
            wrong.append(f"{setting} is {values}, the paper has {expected!r}")
    return wrong


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_recipe_has_the_settings_of_a_line_of_a_table(row):
    wrong = problems(row)
    assert not wrong, "\n".join([str(row), *wrong])


def test_wrong_settings_and_recipes_that_are_not_there_are_named():
    row = next(row for row in ROWS if row.table == "Few-NERD, Table 5" and row.runs["method"] == "structshot")
    assert problems(row) == []
    (name,) = matching(row)
    for setting in ("batch", "tau", "learning_rate", "max_steps", "dev_episodes", "model"):
        (problem,) = problems(replace(row, each={**row.each, setting: "other"}))
        assert problem == f"{name}: {setting} is {row.each[setting]}, the paper has 'other'"
    assert problems(replace(row, whole={"n_seeds": 6})) == [f"n_seeds is {{'{name}': 5}}, the paper has 6"]
    (problem,) = problems(replace(row, runs={**row.runs, "shots": 7}))
    assert problem.startswith("No recipe in recipes/ has runs of Few-NERD, Table 5: benchmark=few_nerd")
