"""Memory grows with the number of tokens and not faster, and the script that measures speed runs."""

import os
import runpy
import sys
import tracemalloc

import pytest

from hf_fewshot.metrics.entity_f1.scoring import score as entity_f1
from hf_fewshot.metrics.slot_f1.scoring import score as slot_f1


@pytest.mark.parametrize(("score", "tag"), [(slot_f1, "B-x"), (entity_f1, "art-film")])
def test_memory_is_linear_and_less_than_two_python_objects_per_token(score, tag):
    peaks = []
    for n_sentences in (2_000, 8_000):
        sentences = [[tag, "O"] * 10] * n_sentences
        tracemalloc.start()
        score(sentences, sentences)
        peaks.append(tracemalloc.get_traced_memory()[1] / (20 * n_sentences))
        tracemalloc.stop()
    small, large = peaks
    assert large < 1.2 * small
    assert large < 100  # bytes; a Python string in a list takes 58


def test_the_benchmark_prints_ratios(project, monkeypatch, capsys):
    monkeypatch.setenv("HF_HOME", os.environ["HF_HOME"])  # the script sets its own
    monkeypatch.setattr(sys, "argv", ["metrics.py", "--tokens", "2000", "--labels", "1000", "--repeats", "1"])
    runpy.run_path(str(project / "benchmarks" / "metrics.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2,000 tokens, best of 1"
    assert sum(line.startswith("| slot_f1: ") for line in lines) == 5
    assert sum(line.startswith("| nota_f1: 1,000 predictions") for line in lines) == 4
