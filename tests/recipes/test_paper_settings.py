"""Recipes have the settings of the papers' tables, which are written down apart from them."""

import re

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
        "FewRel 2.0, Sabo et al., Table 3": 2 * 4,
        "Few-Shot TACRED, Sabo et al., Table 4": 2 * 4,
    }


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_recipe_has_the_settings_of_a_line_of_a_table(row):
    found = matching(row)
    where = "" if row.source is None else f" whose source has {row.source!r}"
    assert found, f"No recipe in recipes/{where} has runs of {row}. Write one, or correct its settings."
    wrong = [
        f"{name}: {setting} is {', '.join(sorted({str(one) for one in others}))}, the paper has {expected!r}"
        for name, runs in found.items()
        for setting, expected in row.each.items()
        if (others := [value for run in runs if (value := run[setting]) != expected])
    ]
    assert not wrong, f"{row}\n" + "\n".join(wrong)
    for setting, expected in row.whole.items():
        values = {name: together(runs, setting) for name, runs in found.items()}
        assert expected in values.values(), f"{row}\n{setting} is {values}, the paper has {expected!r}"


def test_a_wrong_batch_size_is_found():
    """The test above can fail: with the settings of another line it does."""
    (first, *_) = [row for row in ROWS if row.table == "Few-NERD, Table 5"]
    (runs, *_) = matching(first).values()
    assert all(run["batch"] != 17 for run in runs)
    assert together(runs, "n_seeds") != 6
