"""Memory grows with the number of tokens and not faster, and the script that measures speed runs."""

import json
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


def test_the_benchmark_writes_ratios(project, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", os.environ["HF_HOME"])  # the script sets its own
    monkeypatch.setenv("BENCH_RESULTS", str(tmp_path))
    monkeypatch.syspath_prepend(str(project / "benchmarks"))
    monkeypatch.delitem(sys.modules, "measurement", raising=False)
    monkeypatch.setattr(sys, "argv", ["metrics.py", "--tokens", "2000", "--labels", "1000", "--repeats", "2"])
    runpy.run_path(str(project / "benchmarks" / "metrics.py"), run_name="__main__")
    result = json.loads((tmp_path / "metrics.json").read_text())
    assert result["command"] == "python benchmarks/metrics.py --tokens 2000 --labels 1000 --repeats 2"
    names = [one["name"] for one in result["measurements"]]
    assert sum(name.startswith("slot_f1: ") for name in names) == 5
    assert sum(name.startswith("nota_f1: 1,000 predictions") for name in names) == 4
    compared = [one for one in result["measurements"] if one["ratios"]]
    assert len(compared) == 6
    assert all(one["repeats"] == 2 and one["low"] <= one["value"] <= one["high"] for one in compared)
