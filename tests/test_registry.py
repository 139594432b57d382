import pytest

from hf_fewshot import registry
from hf_fewshot.registry import register_method


@pytest.fixture
def forgotten(monkeypatch):
    """What is registered is forgotten again."""
    for table in (registry.METHODS, registry.SYSTEMS):
        monkeypatch.setitem(table, "mine", None)
        del table["mine"]


def test_a_method_of_ones_own_is_known_everywhere(forgotten):
    register_method("mine", "hf_fewshot.methods.prototypes:Prototypes", tasks=["tagging"], about="like proto")
    assert registry.METHODS["mine"] == ("hf_fewshot.methods.prototypes:Prototypes", ("tagging",), "like proto")
    assert registry.SYSTEMS["mine"] == (registry.EPISODIC, ("tagging",), "encoder", "like proto")
    register_method("mine", "hf_fewshot.methods.prototypes:Prototypes", tasks=["tagging", "relation"])
    assert registry.SYSTEMS["mine"].tasks == ("tagging", "relation")


@pytest.mark.parametrize(
    ("name", "reference", "tasks", "message"),
    [
        ("mine", "a.B", ["tagging"], r"Expected a class as 'module:Class', got 'a\.B'"),
        ("proto", "a:B", ["tagging"], r"There is a method 'proto' already\. Give yours another name"),
        ("in_context", "a:B", ["tagging"], "There is a method 'in_context' already"),
        ("mine", "a:B", ["taging"], r"Unknown task 'taging'\. Did you mean 'tagging'\?"),
    ],
)
def test_wrong_registrations_are_refused(forgotten, name, reference, tasks, message):
    with pytest.raises(ValueError, match=message):
        register_method(name, reference, tasks=tasks)
    assert "mine" not in registry.METHODS


def test_a_class_that_is_not_there_is_named():
    with pytest.raises(ImportError, match=r"visible:Missing' was registered, but module .* has no 'Missing'"):
        registry.resolve("hf_fewshot.text.visible:Missing")
