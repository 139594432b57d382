"""Predictions on disk: interruptions lose nothing, and nothing is mixed up."""

import json
import signal
import time

import pytest
import torch
from accelerate import Accelerator

from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.systems.prediction_file import PredictionFile
from hf_fewshot.systems.runner import Runner
from tests.attacks.forked import Forked
from tests.predicted import predict_episodes
from tests.processes import run_forked
from tests.systems.predict_script import build, main, predict_alone, sampled

RUN = {"episodes": "abc", "method": "proto"}


def predict(model, tokenizer, episodes, folder, **options):
    return predict_episodes(
        model, tokenizer, episodes, output_dir=folder, progress=False, accelerator=Accelerator(cpu=True), **options
    )


def rows_of(folder):
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return [row for row in map(json.loads, lines) if "index" in row]


@pytest.fixture
def predicted(monkeypatch):
    """The numbers of episodes of each batch that is predicted."""
    monkeypatch.setattr(Runner, "episodes_per_batch", 4)
    sizes = []
    own = Runner.predict

    def counting(self, batch):
        sizes.append(len(batch))
        return own(self, batch)

    monkeypatch.setattr(Runner, "predict", counting)
    return sizes


def test_rows_come_back_as_they_were_written(tmp_path):
    file = PredictionFile(tmp_path / "deep" / "p.jsonl", RUN)
    assert file.read() == {}
    file.append([{"index": 3, "predictions": ["人物", "NOTA"]}, {"index": 1, "predictions": [["O", "a"]]}])
    file.append([{"index": 2, "predictions": []}])
    assert file.read() == {3: ["人物", "NOTA"], 1: [["O", "a"]], 2: []}
    lines = file.path.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == RUN
    assert len(lines) == 4


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_line_cut_off_anywhere_is_dropped_and_can_be_written_again(tmp_path, cut):
    file = PredictionFile(tmp_path / "p.jsonl", RUN)
    file.append([{"index": 0, "predictions": ["人"]}, {"index": 1, "predictions": ["b"]}])
    whole = file.path.read_bytes()
    file.path.write_bytes(whole[:-cut])
    done = file.read()
    assert done == {number: value for number, value in {0: ["人"], 1: ["b"]}.items() if number in done}
    file.append([{"index": n, "predictions": [v]} for n, v in enumerate("人b") if n not in done])
    assert file.path.read_bytes() == whole


def test_another_runs_file_is_refused_and_stays_as_it_was(tmp_path):
    file = PredictionFile(tmp_path / "p.jsonl", RUN)
    file.append([{"index": 0, "predictions": ["a"]}])
    before = file.path.read_bytes()
    with pytest.raises(ValueError, match=r"holds the predictions of another run.*Give another output folder"):
        PredictionFile(file.path, RUN | {"method": "nnshot"}).read()
    assert file.path.read_bytes() == before


def test_a_damaged_file_is_named(tmp_path):
    file = PredictionFile(tmp_path / "p.jsonl", RUN)
    file.append([{"index": 0, "predictions": ["a"]}])
    file.path.write_text(file.path.read_text() + "xxx\n")
    with pytest.raises(ValueError, match=r"p.jsonl is damaged: .* Delete it or give another output folder"):
        file.read()


def test_each_episode_is_written_with_the_ids_of_its_queries(bert, tmp_path):
    episodes = sampled("tagging", 10)
    predictions = predict(*build(str(bert), "proto"), episodes, tmp_path)
    rows = rows_of(tmp_path)
    assert [row["index"] for row in rows] == list(range(10))
    assert [row["predictions"] for row in rows] == predictions
    assert [row["ids"] for row in rows] == [[episodes.example_ids[i] for i in e.query] for e in episodes]


def test_what_is_predicted_is_not_predicted_again(bert, tmp_path, predicted):
    model, tokenizer = build(str(bert), "mnav")
    episodes = sampled("relation", 10)
    first = predict(model, tokenizer, episodes, tmp_path)
    assert predicted == [4, 4, 2]
    assert predict(model, tokenizer, episodes, tmp_path) == first
    assert predicted == [4, 4, 2]
    assert len(rows_of(tmp_path)) == 10


def test_an_interrupted_run_goes_on_where_it_stopped(bert, tmp_path, predicted, monkeypatch):
    model, tokenizer = build(str(bert), "mnav")
    episodes = sampled("relation", 10)
    whole = predict(model, tokenizer, episodes, tmp_path / "whole")
    predicted.clear()
    counting = Runner.predict

    def failing(self, batch):
        if len(predicted) == 2:
            raise RuntimeError("the power is off")
        return counting(self, batch)

    with monkeypatch.context() as patch:
        patch.setattr(Runner, "predict", failing)
        with pytest.raises(RuntimeError, match="the power is off"):
            predict(model, tokenizer, episodes, tmp_path / "parts", cache_dir=tmp_path / "vectors")
    assert len(rows_of(tmp_path / "parts")) == 8
    predicted.clear()
    # The vectors are there already, though the episodes that are left need fewer.
    with monkeypatch.context() as patch:
        patch.setattr(FewShotModel, "encode", None)
        assert predict(model, tokenizer, episodes, tmp_path / "parts", cache_dir=tmp_path / "vectors") == whole
    assert predicted == [2]
    assert sorted(row["index"] for row in rows_of(tmp_path / "parts")) == list(range(10))


def test_predictions_of_other_weights_or_episodes_are_refused(bert, tmp_path):
    model, tokenizer = build(str(bert), "mnav")
    episodes = sampled("relation", 6)
    predict(model, tokenizer, episodes, tmp_path)
    with pytest.raises(ValueError, match="predictions of another run"):
        predict(model, tokenizer, sampled("relation", 7), tmp_path)
    with pytest.raises(ValueError, match="predictions of another run"):
        predict(*build(str(bert), "nav"), episodes, tmp_path)
    with torch.no_grad():
        model.method.vectors[0, 0] += 1
    with pytest.raises(ValueError, match="predictions of another run"):
        predict(model, tokenizer, episodes, tmp_path)


def written(folder):
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*.jsonl")) if folder.is_dir() else 0


def test_a_killed_process_is_resumed_without_loss_or_repetition(bert, tmp_path):
    case = (str(bert), "structshot", str(tmp_path / "out"), str(tmp_path / "v"))
    with Forked(predict_alone, *case, json.dumps({"length": 60, "batch": 4, "pause": 0.3})) as process:
        deadline = time.monotonic() + 120
        while written(tmp_path / "out") < 10 and time.monotonic() < deadline and not process.has_news:
            time.sleep(0.02)
    assert process.exit_code == -signal.SIGKILL
    before = rows_of(tmp_path / "out")
    assert 8 <= len(before) < 60
    finish = {"length": 60, "batch": 4, "result": str(tmp_path / "end")}
    with Forked(predict_alone, *case, json.dumps(finish)) as process:
        process.wait(200)
    assert process.exit_code == 0
    result = json.loads((tmp_path / "end-0.json").read_text())
    rows = rows_of(tmp_path / "out")
    assert rows[: len(before)] == before
    assert [row["index"] for row in rows] == list(range(60))
    whole = predict(*build(str(bert), "structshot"), sampled("tagging", 60), None)
    assert result["predictions"] == whole == [row["predictions"] for row in rows]


def test_two_processes_finish_what_one_began_and_the_other_way_round(bert, tmp_path):
    model, tokenizer = build(str(bert), "mnav")
    episodes = sampled("relation", 40)
    whole = predict(model, tokenizer, episodes, tmp_path / "out")
    lines = (tmp_path / "out" / "predictions-0.jsonl").read_text().splitlines(keepends=True)
    # Fifteen episodes, and a line that was cut off.
    (tmp_path / "out" / "predictions-0.jsonl").write_text("".join(lines[:16]) + lines[16][:20])
    options = {"length": 40, "batch": 4, "result": "two"}
    run_forked(main, bert, "mnav", tmp_path / "out", "-", json.dumps(options), folder=tmp_path)
    results = [json.loads((tmp_path / f"two-{rank}.json").read_text()) for rank in range(2)]
    assert results[0]["predictions"] == results[1]["predictions"] == whole
    assert sorted(row["index"] for row in rows_of(tmp_path / "out")) == list(range(40))
    (tmp_path / "out" / "predictions-1.jsonl").unlink()
    assert predict(model, tokenizer, episodes, tmp_path / "out") == whole
    assert sorted(row["index"] for row in rows_of(tmp_path / "out")) == list(range(40))


def test_a_full_disk_is_told_and_the_rest_is_predicted_later(small_disk):
    row = {"index": 0, "ids": ["a"], "predictions": ["x" * 1000]}
    file = PredictionFile(small_disk / "predictions-0.jsonl", RUN)
    taken = small_disk / "taken"
    taken.write_bytes(bytes((1 << 20) - (1 << 14)))
    file.append([row])
    with pytest.raises(OSError, match=r"^The disk is full: predictions-0.jsonl does not fit in .* Free space there"):
        file.append(row | {"index": number} for number in range(1, 100))
    taken.unlink()
    done = file.read()
    assert 1 <= len(done) < 100
    file.append(row | {"index": number} for number in range(len(done), 100))
    assert sorted(file.read()) == list(range(100))
