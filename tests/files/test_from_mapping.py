"""Names and values that somebody wrote become a dataclass, or sentences."""

from dataclasses import dataclass, field

import pytest

from hf_fewshot.files.from_mapping import from_mapping


@dataclass(frozen=True)
class Cake:
    """For tests."""

    name: str
    layers: int
    fruits: tuple[str, ...] = ()
    prices: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        if self.layers < 1:
            raise ValueError("A cake has a layer.")


def test_a_dataclass_is_built_and_a_list_may_stand_for_a_tuple():
    assert from_mapping(Cake, {"name": "a", "layers": 2}, "The cake") == Cake("a", 2)
    assert from_mapping(Cake, {"layers": 2, "fruits": ["b"]}, "The cake", name="a") == Cake("a", 2, ("b",))


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(ValueError, match=r"^The cake has an unknown") as raised:
        from_mapping(Cake, {"layer": 3, "fruits": "b", "prices": {"a": True}}, "The cake")
    assert str(raised.value).split("\n") == [
        "The cake has an unknown 'layer'. Did you mean 'layers'?",
        "The cake has no 'name'.",
        "The cake has no 'layers'.",
        "The cake: fruits='b', but this part of it must be a list of texts.",
        "The cake: prices={'a': True}, but this part of it must be a mapping, each value text. "
        "YAML reads a bare Yes or No as true or false: put quotes around it.",
    ]


def test_what_is_given_cannot_be_written():
    with pytest.raises(ValueError, match=r"^The cake has an unknown 'name'\. Known: fruits, layers, prices\.$"):
        from_mapping(Cake, {"name": "a", "layers": 1}, "The cake", name="b")


def test_what_has_no_names_is_refused():
    with pytest.raises(ValueError, match=r"^The cake must have name and layers, got \[1, 2\]\.$"):
        from_mapping(Cake, [1, 2], "The cake")


def test_what_the_dataclass_refuses_is_said_of_what_was_written():
    with pytest.raises(ValueError, match=r"^a\.yaml: A cake has a layer\.$"):
        from_mapping(Cake, {"name": "a", "layers": 0}, "a.yaml")
