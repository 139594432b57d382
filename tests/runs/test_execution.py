import json
import os
import signal
import time

import pytest
from filelock import FileLock

from hf_fewshot.runs.execution import RunInUseError, execute
from hf_fewshot.runs.predictions import read_header, read_predictions
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of
from hf_fewshot.systems.training import last_checkpoint
from hf_fewshot.systems.training_time import TrainingTime
from tests.attacks.forked import Forked
from tests.runs.fewrel import FEWREL

TRAINING = {"max_steps": 2, "per_device_train_batch_size": 2, "data": {"n_episodes": 6}}


def test_a_run_leaves_record_predictions_and_pages(relation_run, tmp_path):
    run = relation_run()
    record = execute(run, tmp_path, progress=False, command="hf-fewshot run")
    folder = tmp_path / run.name
    assert sorted(path.name for path in folder.iterdir() if path.name[0] != ".") == [
        "analysis.json",
        "browse.jsonl",
        "predictions.jsonl",
        "record.json",
    ]
    assert Record.read(folder) == record
    assert record.run == run
    assert (record.task, record.measure, record.unit) == ("relation", "f1", "episode")
    assert record.baselines.keys() == {"always_none", "one_class"}
    assert record.baselines["always_none"] == 0
    assert record.scores["n"] == record.episodes["n_queries"] == 18
    assert sum(map(sum, record.confusion["counts"])) == 18
    episodes = data_of(run).episodes
    assert (
        record.episodes["fingerprint"] == episodes.fingerprint == read_header(folder / "predictions.jsonl").fingerprint
    )
    predictions = read_predictions(folder / "predictions.jsonl", episodes)
    pages = [json.loads(line) for line in (folder / "browse.jsonl").read_text().splitlines()]
    assert [item["predicted_label"] for item in pages[0]["query"]] == predictions[0]


def test_a_run_that_is_done_is_read_not_run_again(relation_run, tmp_path, monkeypatch):
    first = execute(relation_run(), tmp_path, progress=False)
    monkeypatch.setattr("hf_fewshot.runs.execution.do", lambda *_, **__: pytest.fail("it was run again"))
    assert execute(relation_run(), tmp_path, progress=False) == first


def test_runs_that_differ_in_what_is_predicted_share_their_model(relation_run, tmp_path):
    runs = [relation_run("mnav", training=TRAINING, data={**relation_run().data, "seed": seed}) for seed in (0, 1)]
    first, second = (execute(run, tmp_path, progress=False) for run in runs)
    links = {os.path.realpath(tmp_path / run.name / "model") for run in runs}
    assert len(links) == 1
    assert "train" in first.seconds
    assert "train" not in second.seconds
    assert first.episodes["fingerprint"] != second.episodes["fingerprint"]
    assert execute(relation_run("mnav", training=TRAINING, seed=1), tmp_path, progress=False).seconds["train"] > 0


def test_the_same_run_elsewhere_gives_the_same_result(relation_run, tmp_path):
    run = relation_run("mnav", training=TRAINING)
    one, two = (execute(run, tmp_path / place, progress=False) for place in "ab")
    assert one.scores == two.scores
    assert (one.numerators, one.denominators) == (two.numerators, two.denominators)


def test_two_processes_do_not_work_on_one_run(relation_run, tmp_path):
    run = relation_run()
    (tmp_path / run.name).mkdir()
    with FileLock(tmp_path / run.name / ".lock"), pytest.raises(RunInUseError, match="Another process works on"):
        execute(run, tmp_path, progress=False)


def test_a_record_that_another_command_made_meanwhile_is_used(relation_run, tmp_path, monkeypatch):
    run = relation_run("one_class", model=None)
    made = []

    class Late(FileLock):
        def acquire(self, *arguments, **options):
            if not made:
                made.append(None)
                made[0] = execute(run, tmp_path, progress=False)
            return super().acquire(*arguments, **options)

    monkeypatch.setattr("hf_fewshot.runs.claim.FileLock", Late)
    assert execute(run, tmp_path, progress=False) == made[0]
    assert not (tmp_path / "earlier").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "prot"}, "Unknown method 'prot'. Did you mean 'proto'?"),
        ({"model": None}, "Method 'proto' needs a model"),
        (
            {"training": {"max_step": 3}},
            "training argument of method 'proto' 'max_step'. Did you mean 'max_steps'",
        ),
        ({"data": {"sample": True}}, "makes no episodes with these options"),
    ],
)
def test_a_wrong_run_is_an_error_and_leaves_no_record(relation_run, tmp_path, changes, message):
    run = relation_run(**changes)
    with pytest.raises(ValueError, match=message):
        execute(run, tmp_path, progress=False)
    assert not (tmp_path / run.name / "record.json").exists()


def test_an_unknown_benchmark_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"Unknown benchmark 'few_nert'. Did you mean 'few_nerd'\?"):
        execute(Run("few_nert", "proto"), tmp_path, progress=False)


@pytest.mark.parametrize("method", ["always_empty", "most_frequent", "every_label"])
def test_folds_of_clues(tmp_path, method):
    record = execute(
        Run("clues", method, "conll03", {"sample": True, "shots": 10, "fold": 2}), tmp_path, progress=False
    )
    assert (record.measure, record.unit) == ("s1", "question")
    assert record.score == pytest.approx(record.baselines[method])
    assert sum(record.numerators) / sum(record.denominators) == pytest.approx(record.score)


def test_span_finetuning(encoder, tmp_path):
    run = Run(
        "clues",
        "span_finetuning",
        "sst2",
        {"sample": True, "shots": 10, "fold": 1},
        model=str(encoder),
        options={"max_length": 96, "stride": 32},
        training={"max_steps": 1},
    )
    record = execute(run, tmp_path, progress=False)
    assert set(record.scores) >= {"s1", "n"}
    assert (tmp_path / run.name / "model" / "config.json").exists()
    assert record.confusion["labels"]


def test_separate_networks_and_tuning_of_intents_and_slots(encoder, tmp_path):
    data = {"sample": True, "shots": 1}
    for method, options in (("sep_proto", {}), ("joint_proto", {"tuning": {"steps": 1}})):
        run = Run("fewjoint", method, data=data, model=str(encoder), options=options)
        record = execute(run, tmp_path, progress=False)
        assert record.unit == "domain"
        assert set(record.scores) >= {"intent_accuracy", "slot_f1", "sentence_accuracy"}


def test_a_model_that_training_made_nan_is_not_kept(relation_run, tmp_path):
    # Nothing that is drawn changes this: weights of 1e30 overflow in the first product.
    run = relation_run("mnav", training=TRAINING | {"max_steps": 4, "learning_rate": 1e30, "save_steps": 1})
    with pytest.raises(ValueError, match="Training came to nothing"):
        execute(run, tmp_path, progress=False)
    assert [path.name for path in (tmp_path / "models").iterdir() if path.name[0] != "."] == []
    assert not (tmp_path / run.name / "record.json").exists()
    with pytest.raises(ValueError, match="Training came to nothing"):  # and no checkpoint of it is gone on with
        execute(run, tmp_path, progress=False)


def test_a_run_that_stopped_after_its_training_keeps_its_training_time(relation_run, tmp_path, monkeypatch):
    run = relation_run("mnav", training=TRAINING)
    with monkeypatch.context() as patch:
        patch.setattr("hf_fewshot.systems.episodic.deal_out", lambda *_, **__: pytest.fail("stopped"))
        with pytest.raises(pytest.fail.Exception, match="stopped"):
            execute(run, tmp_path, progress=False)
    (path,) = (tmp_path / "models").glob(".*.seconds")
    kept = json.loads(path.read_text())
    assert kept["of"] == run.name
    path.write_text(json.dumps({**kept, "seconds": 1234.5}))
    assert execute(run, tmp_path, progress=False).seconds["train"] == 1234.5


def test_the_time_of_a_training_goes_on_from_its_last_checkpoint(tmp_path):
    (tmp_path / "seconds.json").write_text('{"seconds": 1000, "of": ""}')
    assert 1000 < TrainingTime(tmp_path).seconds < 2000
    assert TrainingTime(tmp_path / "none").seconds < 1000
    (tmp_path / "seconds.json").write_text('{"seconds": nul')
    assert TrainingTime(tmp_path).seconds < 1000


def test_what_a_run_left_that_was_disturbed_at_its_very_end_is_removed(relation_run, tmp_path):
    run = relation_run("mnav", training=TRAINING)
    record = execute(run, tmp_path / "results", progress=False)
    folder = tmp_path / "results" / run.name
    model = (folder / "model").resolve()
    parts = [folder / "predicted-model-0123456789", model.with_name(f".{model.name}.checkpoints")]
    outside = tmp_path / ".elsewhere.checkpoints"
    for left in (*parts, outside):
        left.mkdir()
    (folder / "model-of-strangers").symlink_to(tmp_path / "elsewhere")
    assert execute(run, tmp_path / "results", progress=False) == record
    assert [left.exists() for left in parts] == [False, False]
    assert outside.exists()
    assert model.exists()


def execute_alone(_, run, results):
    """Executes a run in a process that was forked for it."""
    execute(run, results, progress=False)


@pytest.fixture(scope="module")
def long_run(encoder, tmp_path_factory):
    """A run with some training, and the folder of its result when it is left alone."""
    training = TRAINING | {"max_steps": 12, "save_steps": 4}
    run = Run(
        "fewrel", "mnav", None, FEWREL | {"n_episodes": 400}, "validation", model=str(encoder), training=training
    )
    results = tmp_path_factory.mktemp("whole")
    execute(run, results, progress=False)
    return run, results / run.name


def test_a_checkpoint_that_was_cut_off_is_passed_over(tmp_path):
    assert last_checkpoint(tmp_path) is None
    for step, state in ((5, "{}"), (10, "{}"), (15, '{"epo'), (20, None)):
        (tmp_path / f"checkpoint-{step}").mkdir()
        if state is not None:
            (tmp_path / f"checkpoint-{step}" / "trainer_state.json").write_text(state)
    assert last_checkpoint(tmp_path) == str(tmp_path / "checkpoint-10")


PATTERNS = {"checkpoint": "models/.*/checkpoint-*", "model": "models/few*", "predictions": "few*/predicted-*/*"}


@pytest.mark.parametrize("moment", PATTERNS)
def test_a_run_that_is_killed_goes_on_to_the_same_result(long_run, tmp_path, moment):
    """SIGKILL once a checkpoint, the trained model, or some predictions are there."""
    run, whole = long_run
    results = tmp_path / "killed"
    with Forked(execute_alone, run, results) as process:
        deadline = time.monotonic() + 240
        while not process.has_news and not list(results.glob(PATTERNS[moment])) and time.monotonic() < deadline:
            time.sleep(0.01)
    assert process.exit_code == -signal.SIGKILL
    assert list(results.glob(PATTERNS[moment]))
    assert not (results / run.name / "record.json").exists()
    record = execute(run, results, progress=False)
    expected = Record.read(whole)
    assert record.scores == expected.scores
    assert record.seconds["train"] > 0
    assert (record.numerators, record.denominators) == (expected.numerators, expected.denominators)
    assert (results / run.name / "predictions.jsonl").read_text() == (whole / "predictions.jsonl").read_text()
    assert not list((results / "models").glob(".*checkpoints"))


def test_an_analysis_that_comes_to_nothing_is_a_warning_and_the_record_is_there(
    relation_run, tmp_path, monkeypatch, caplog
):
    def refuse(*_):
        raise ValueError("no types")

    monkeypatch.setattr("hf_fewshot.runs.execution.run_analysis", refuse)
    run = relation_run("one_class")
    record = execute(run, tmp_path, progress=False)
    assert "has no analysis: no types" in caplog.text
    assert not (tmp_path / run.name / "analysis.json").exists()
    assert (tmp_path / run.name / "record.json").exists()
    assert record.score > 0
