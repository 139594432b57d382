import json
import runpy
import sys

import pytest


def test_the_exponent_is_the_slope_in_the_plot(project, monkeypatch):
    monkeypatch.syspath_prepend(str(project / "benchmarks"))
    from measurement import exponent

    assert exponent([1, 10, 100], [3.0, 300.0, 30000.0]) == pytest.approx(2.0)
    assert exponent([5, 50, 500], [7.0, 7.0, 7.0]) == pytest.approx(0.0)


def test_growth_is_measured_plotted_and_written(project, monkeypatch, tmp_path):
    monkeypatch.setenv("BENCH_RESULTS", str(tmp_path))
    monkeypatch.syspath_prepend(str(project / "benchmarks"))
    monkeypatch.delitem(sys.modules, "measurement", raising=False)
    words = ["growth.py", "--largest", "10000", "--repeats", "1", "--plot", str(tmp_path / "plot.svg")]
    monkeypatch.setattr(sys, "argv", words)
    runpy.run_path(str(project / "benchmarks" / "growth.py"), run_name="__main__")
    result = json.loads((tmp_path / "growth.json").read_text())
    ends = {(one["name"], one["what"]): one["value"] for one in result["measurements"]}
    assert (ends["episodes drawn", "from"], ends["episodes drawn", "to"]) == (500, 10_000)
    assert (ends["classes to draw from", "to"], ends["shots", "to"]) == (500, 50)
    # 80 bytes each, and what arrays grow ahead.
    assert 0.8 <= ends["episodes drawn", "kept at the largest"] < 1.0
    points = json.loads((tmp_path / "growth_points.json").read_text())["measurements"]
    assert len(points) == 5 + 5 + 6 + 2 + 2
    assert (tmp_path / "plot.svg").read_text().startswith("<?xml")
