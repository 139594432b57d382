"""What trackers are told of runs: read back from the real trackio, and from one that fails."""

import json
import logging
import os
from types import SimpleNamespace

import pytest
from transformers import TrainerCallback, TrainerState
from transformers.integrations.integration_utils import INTEGRATION_TO_CALLBACK

from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.tracking import final_scores, tracked
from hf_fewshot.tracking.tracked_run import Curves

TRAINING = {"max_steps": 2, "per_device_train_batch_size": 2, "data": {"n_episodes": 6}}


class Recorder(TrainerCallback):
    """A tracker that keeps what it is told, of all runs."""

    told: list = []  # noqa: RUF012 - that of all runs is the point
    failing: str | None = None

    def _note(self, event, args, **what):
        self.told.append((event, args.run_name, what))
        if event == self.failing:
            raise OSError("No space left on device, key sk-abcdefghijklmnopqrstuvwxyz123456")

    def on_train_begin(self, args, state, control, **_):
        self._note("begin", args, config=args.to_dict())

    def on_log(self, args, state, control, logs=None, **_):
        self._note("log", args, step=state.global_step, logs=logs)

    def on_train_end(self, args, state, control, **_):
        self._note("end", args)


@pytest.fixture
def recorder(monkeypatch):
    """A stand-in that is known as the tracker "recorder"."""
    made = type("Recording", (Recorder,), {"told": []})
    monkeypatch.setitem(INTEGRATION_TO_CALLBACK, "recorder", made)
    return made


@pytest.fixture
def trackio(tmp_path_factory, monkeypatch):
    """The real trackio with a folder of its own; it reads where that is once, when it is imported."""
    if "TRACKIO_DIR" not in os.environ:
        os.environ["TRACKIO_DIR"] = str(tmp_path_factory.mktemp("trackio"))
    storage = pytest.importorskip("trackio.sqlite_storage").SQLiteStorage
    import trackio

    assert str(trackio.TRACKIO_DIR) == os.environ["TRACKIO_DIR"]
    monkeypatch.setattr("trackio.cpu_available", lambda: False)  # a thread that measures this machine

    def stored():
        runs = trackio.Api().runs("hf_fewshot")
        return [
            SimpleNamespace(
                name=run.name, config=run.config, logs=storage.get_logs("hf_fewshot", run.name, run_id=run.id)
            )
            for run in runs
        ]

    yield stored
    trackio.delete_project("hf_fewshot", force=True)


def test_trackio_has_a_run_with_its_group_curve_and_scores(relation_run, trackio, tmp_path, capsys):
    run = relation_run("mnav", training=TRAINING)
    record = execute(run, tmp_path, progress=False, track="trackio", group="few_rel")
    (found,) = trackio()
    assert found.name == run.name
    assert found.config["_Group"] == found.config["group"] == "few_rel"
    assert found.config["training"] == TRAINING
    losses = [one["train/loss"] for one in found.logs if "train/loss" in one]
    assert [one["train/global_step"] for one in found.logs if "train/loss" in one] == [1, 2]
    assert all(loss > 0 for loss in losses)
    last = found.logs[-1]
    assert last["test/f1"] == record.score
    assert (last["test/f1_low"], last["test/f1_high"]) == record.intervals["f1"]
    assert last["test/seconds_predict"] == record.seconds["predict"]
    assert not any("per_class" in name for name in last)
    assert capsys.readouterr().out == ""

    execute(run, tmp_path, progress=False, track="trackio")
    assert len(trackio()) == 1, "a run that is read is tracked again"
    execute(run, tmp_path / "elsewhere", progress=False, track="trackio")
    groups = [(one.name, one.config["_Group"]) for one in trackio()]
    assert sorted(groups) == [(run.name, "few_rel"), (run.name, "fewrel")]


def test_an_interrupted_run_goes_on_in_trackio(relation_run, trackio, tmp_path, monkeypatch):
    run = relation_run("one_class", model=None)
    monkeypatch.setattr("hf_fewshot.runs.execution.write_results", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        execute(run, tmp_path, progress=False, track="trackio")
    monkeypatch.undo()
    record = execute(run, tmp_path, progress=False, track="trackio")
    (found,) = trackio()
    assert [one["test/f1"] for one in found.logs] == [record.score]


def test_nothing_of_a_run_depends_on_its_tracker(relation_run, recorder, tmp_path):
    run = relation_run("mnav", training=TRAINING)
    plain = execute(run, tmp_path / "plain", progress=False)
    shown = execute(run, tmp_path / "tracked", progress=False, track="recorder")
    assert (shown.run, shown.depends_on) == (plain.run, plain.depends_on)
    assert (shown.scores, shown.numerators) == (plain.scores, plain.numerators)
    models = [os.readlink(tmp_path / place / run.name / "model") for place in ("plain", "tracked")]
    assert models[0] == models[1]
    assert sorted(path.name for path in (tmp_path / "tracked").iterdir()) == sorted(
        path.name for path in (tmp_path / "plain").iterdir()
    )
    assert [(event, what.get("step")) for event, _, what in recorder.told] == [
        ("begin", None),
        *[("log", 1), ("log", 2)],
        ("log", 2),  # what the trainer sums up
        ("log", 2),  # the scores
        ("end", None),
    ]
    assert recorder.told[-2][2]["logs"] == final_scores(shown)


def test_the_steps_of_a_second_training_follow_those_of_the_first(relation_run, recorder, tmp_path):
    with tracked(relation_run(), "recorder", None, tmp_path, resumed=False, main=True) as shown:
        for steps in ((1, 2, 3), (1, 2)):
            curves = Curves(shown)
            for step in steps:
                curves.on_log(None, TrainerState(global_step=step), None, {"loss": 1.0})
    assert [what["step"] for event, _, what in recorder.told if event == "log"] == [1, 2, 3, 4, 5]


def test_trackers_are_told_no_secrets(chat_server, relation_run, recorder, tmp_path):
    endpoint = chat_server(lambda messages: "none").url.replace("http://", "http://me:hunter2@")
    run = relation_run("in_context", model=None, options={"endpoint": endpoint, "max_failures": 1})
    execute(run, tmp_path, progress=False, track="recorder")
    assert recorder.told[0][2]["config"]["options"].keys() >= {"endpoint"}
    assert "hunter2" not in json.dumps([list(one) for one in recorder.told])


@pytest.mark.parametrize("event", ["begin", "log", "end"])
def test_no_run_is_lost_to_a_tracker_that_fails(relation_run, recorder, tmp_path, caplog, event):
    recorder.failing = event
    run = relation_run("mnav", training=TRAINING)
    with caplog.at_level(logging.WARNING, "hf_fewshot"):
        record = execute(run, tmp_path, progress=False, track="recorder")
    assert record.score >= 0
    (warning,) = [one.message for one in caplog.records if "tracked" in one.message]
    assert warning.startswith(f"{run.name} is no longer tracked, and goes on: recorder failed with OSError: No space")
    assert "sk-abc" not in warning
    assert [one for one, *_ in recorder.told].count(event) == 1, "it was asked again"


def test_a_tracked_run_that_fails_has_ended(relation_run, recorder, tmp_path, monkeypatch):
    monkeypatch.setattr("hf_fewshot.runs.execution.do", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        execute(relation_run(), tmp_path, progress=False, track="recorder")
    assert [event for event, *_ in recorder.told] == ["begin", "end"]


def test_one_process_of_several_speaks(relation_run, recorder, tmp_path):
    """All of them count the same steps, so that they log together."""
    with tracked(relation_run(), "recorder", None, tmp_path, resumed=False, main=False) as shown:
        shown.log({"loss": 1.0}, 4)
        assert shown.steps == 4
    assert recorder.told == []


def test_a_tracker_that_is_not_there_is_an_error_before_anything_runs(relation_run, tmp_path):
    with pytest.raises(ValueError, match=r"Unknown tracker 'trackoi'\. Did you mean 'trackio'\?"):
        execute(relation_run(), tmp_path, track="trackoi")
    with pytest.raises(ModuleNotFoundError, match=r"Tracking with comet_ml needs .* not here: pip install comet-ml\."):
        execute(relation_run(), tmp_path, track="comet_ml")
    assert list(tmp_path.iterdir()) == []
