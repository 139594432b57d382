"""How runs begin and end in trackers that end none by themselves."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from hf_fewshot.tracking.tracked_run import TrackedRun
from hf_fewshot.tracking.trackers import RunArguments


@pytest.fixture
def wandb(monkeypatch):
    """A stand-in for the package: what it was called with."""
    calls = []
    module = ModuleType("wandb")
    module.run = SimpleNamespace(summary={})
    module.init = lambda **options: calls.append(("init", options))
    module.log = lambda values: calls.append(("log", values))
    module.finish = lambda: calls.append(("finish",))
    monkeypatch.setitem(sys.modules, "wandb", module)
    monkeypatch.setattr("transformers.integrations.integration_utils.is_wandb_available", lambda: True)
    monkeypatch.delenv("WANDB_PROJECT", raising=False)
    return calls


def test_each_run_is_one_of_its_group_in_wandb(wandb, tmp_path):
    for name in ("a", "b"):
        run = TrackedRun("wandb", RunArguments(name, "table", {"seed": 1}, str(tmp_path), resumed=False))
        run.begin()
        run.log({"loss": 0.5, "eval_f1": 0.25}, 3)
        run.log({"test_f1": 0.75})
        run.end()
    for name, calls in (("a", wandb[:4]), ("b", wandb[4:])):
        begun = {"project": "hf_fewshot", "name": name, "group": "table", "config": {"group": "table", "seed": 1}}
        assert calls == [
            ("init", begun),
            ("log", {"train/loss": 0.5, "eval/f1": 0.25, "train/global_step": 3}),
            ("log", {"test/f1": 0.75, "train/global_step": 3}),
            ("finish",),
        ]


def test_arguments_of_a_run_are_plain_where_a_tracker_asks_for_that(tmp_path):
    asked = RunArguments("a", "table", {"seed": 1, "model": None, "data": {"shots": 5}}, str(tmp_path), resumed=False)
    assert asked.to_sanitized_dict() == {"group": "table", "seed": 1, "model": "None", "data": "{'shots': 5}"}
    assert (asked.run_name, asked.project, asked.output_dir) == ("a", "hf_fewshot", str(tmp_path))
    assert (asked.trackio_space_id, asked.hub_private_repo) == (None, None)
