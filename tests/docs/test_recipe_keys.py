"""The page of recipes has every key that a recipe may have."""

import dataclasses
import re

import pytest

from hf_fewshot.runs.recipe import PlannedSystem, recipe_keys
from hf_fewshot.systems.training_plan import PARTS
from tests.docs.blocks import PROJECT

PAGE = (PROJECT / "docs" / "recipes.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("heading", "known"),
    [
        ("Keys of a recipe", set(recipe_keys())),
        ("Keys of a system", {one.name for one in dataclasses.fields(PlannedSystem)}),
        ("Training", set(PARTS)),
    ],
)
def test_the_page_of_recipes_has_each_key_once(heading, known):
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    keys = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert sorted(keys) == sorted(known)
    assert len(keys) >= 3
