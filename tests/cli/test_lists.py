from typing import Any

import pytest

from hf_fewshot.cli.lists import with_lists
from hf_fewshot.endpoints.reach import Reach
from hf_fewshot.files.option_types import option_types

TYPES = {
    "names": list[str] | None,
    "numbers": list[int],
    "name": str,
    "either": str | list[str] | None,
    "any": Any,
    **option_types(Reach),
}


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("prices", "1,2", [1, 2]),
        ("prices", "0.5, 2", [0.5, 2]),
        ("prices", [1, 2], [1, 2]),
        ("names", "q_proj,v_proj", ["q_proj", "v_proj"]),
        ("names", "q_proj", ["q_proj"]),
        ("names", "1,2", ["1", "2"]),
        ("names", None, None),
        ("numbers", 3, [3]),
        # What is text is text.
        ("name", "1,2", "1,2"),
        ("either", "a,b", "a,b"),
        ("any", "a,b", "a,b"),
        # What fits in no way is refused later, as it was typed.
        ("prices", "1,2,3", "1,2,3"),
        ("numbers", "1,x", "1,x"),
        ("unknown", "1,2", "1,2"),
    ],
)
def test_commas_part_a_list_where_nothing_else_is_meant(name, typed, value):
    assert with_lists({name: typed}, TYPES) == {name: value}
