import runpy
import sys

import pytest

from hf_fewshot.trainers.span_trainer import SpanTrainer


@pytest.mark.real_model
def test_the_example_goes_on_where_it_stopped(project, tmp_path, monkeypatch, capsys):
    options = ["--sample", "--tasks", "sst2", "--shots", "10", "--epochs", "1", "--batch", "4"]
    script = str(project / "examples" / "clues_finetuning.py")

    def run(*folds):
        monkeypatch.setattr(sys, "argv", [script, *options, "--output", str(tmp_path), "--folds", *folds])
        runpy.run_path(script, run_name="__main__")
        return capsys.readouterr().out.splitlines()

    first = run("2")
    assert first[0].startswith("sst2, 10 shots, fold 2: ")
    assert (tmp_path / "sst2_10_2.json").exists()

    def no_training(self):
        raise AssertionError("trained again")

    monkeypatch.setattr(SpanTrainer, "train", no_training)
    again = run("2")
    assert again == first[1:]
    assert (
        again[0]
        == "| task | shots | S1 | always empty | most frequent | every label | human | BERT-base fine-tuning |"
    )
    assert again[2].endswith("(1 of 5 folds) | 0.00 | 50.00 | 66.67 | 79.80 | 46.20 |")
    with pytest.raises(AssertionError, match="trained again"):
        run("2", "3")
