from hf_fewshot.entries import SystemEntry
from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.loaded_model import loaded_model
from hf_fewshot.runs.run import Run


def test_only_what_is_loaded_here_by_our_systems_is_looked_for(monkeypatch):
    monkeypatch.setitem(
        SYSTEMS, "theirs", SystemEntry("own_things.system:Theirs", ("relation",), "a model of their own")
    )
    assert loaded_model(Run("fewrel", "proto", model="m")) == "m"
    assert loaded_model(Run("fewrel", "theirs", model="m")) is None
    assert loaded_model(Run("fewrel", "always_none", model="m")) is None
    assert loaded_model(Run("fewrel", "in_context", model="m")) == "m"
    assert loaded_model(Run("fewrel", "in_context", model="m", options={"endpoint": "http://x"})) is None
