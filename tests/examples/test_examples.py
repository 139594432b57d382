"""The small examples run on sample data with a tiny encoder."""

import json
import re
import runpy
import sys

import pytest

import hf_fewshot
from hf_fewshot import registry
from hf_fewshot.data.samples import sample_folder
from hf_fewshot.runs.folder import read_records


@pytest.fixture
def run_example(project, monkeypatch, capsys):
    """A function that runs a script of examples/ and gives what it prints; registered methods are forgotten again."""
    for table in (registry.METHODS, registry.SYSTEMS):
        monkeypatch.setitem(table, "cosine", None)
        del table["cosine"]

    def run(name, *arguments):
        script = str(project / "examples" / name)
        monkeypatch.setattr(sys, "argv", [script, *map(str, arguments)])
        runpy.run_path(script, run_name="__main__")
        return capsys.readouterr().out

    return run


def test_the_quickstart_scores_two_methods_on_the_same_episodes(run_example, encoder):
    lines = run_example("quickstart.py", "--model", encoder, "--n-episodes", 3).splitlines()
    assert re.fullmatch(r"3 episodes, fingerprint [0-9a-f]{16}", lines[0])
    interval = r"entity F1 \d+\.\d \(95 %: \d+\.\d to \d+\.\d\)"
    assert re.fullmatch(f"proto: {interval}", lines[1])
    assert re.fullmatch(f"nnshot: {interval}", lines[2])


def test_a_method_of_ones_own_is_run_trained_and_compared(run_example, encoder, tmp_path):
    arguments = ("--model", encoder, "--n-episodes", 4, "--steps", 2, "--output", tmp_path)
    output = run_example("own_method.py", *arguments)
    records = {record.run.system: record for record in read_records(tmp_path)}
    assert {name: record.run.method for name, record in records.items()} == {
        "proto": "proto",
        "cosine": "cosine",
        "trained": "cosine",
    }
    assert records["trained"].run.training.arguments == {"max_steps": 2, "per_device_train_batch_size": 2}
    assert len({record.episodes["fingerprint"] for record in records.values()}) == 1
    assert "| trained |" in output
    assert re.search(r"training adds -?\d+\.\d points of f1 \(p = [01]\.\d{3}\)", output)
    assert run_example("own_method.py", *arguments) == output  # read, not run again


def test_relations_are_split_into_a_folder_that_the_builder_reads(run_example, tmp_path):
    source = sample_folder("fewrel")
    relations = set(json.loads((source / "data/val_wiki.json").read_text("utf-8")))
    output = run_example("split_relations.py", source, tmp_path, "--train", 3)
    assert output.startswith("train_wiki.json: ")
    data = hf_fewshot.load_dataset("fewrel", data_dir=str(tmp_path))
    found = {split: set(data[split]["relation"]) for split in ("train", "validation")}
    assert len(found["train"]) == 3
    assert found["train"] | found["validation"] == relations
    assert not found["train"] & found["validation"]
    with pytest.raises(SystemExit, match=rf"--train 0, but .* has {len(relations)} relations"):
        run_example("split_relations.py", source, tmp_path, "--train", 0)


def test_a_trained_model_answers_the_questions_of_the_hidden_test_set(run_example, encoder, tmp_path):
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(encoder, "mnav", n_vectors=2)
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "model")
    relations = json.loads((sample_folder("fewrel") / "data/val_wiki.json").read_text("utf-8"))
    first, second = list(relations.values())[:2]
    questions = [{"meta_train": [first[:2], second[:2]], "meta_test": one} for one in (*first[2:4], *second[2:4])]
    (tmp_path / "input.json").write_text(json.dumps(questions), encoding="utf-8")
    output = run_example("fewrel_submission.py", tmp_path / "model", tmp_path / "input.json", tmp_path / "pred.json")
    assert output.splitlines()[-1].endswith("pred.json: 4 answers")
    numbers = json.loads((tmp_path / "pred.json").read_text("utf-8"))
    assert len(numbers) == 4
    assert set(numbers) <= {-1, 0, 1}
