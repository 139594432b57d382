import json

import pytest

SECONDS = {"unit": "s", "low": None, "high": None, "repeats": 1, "ratios": {}}
RESULT = {
    "table": "speed",
    "command": "python benchmarks/speed.py",
    "date": "2026-11-18",
    "machine": {"cpu": "A CPU", "cores": 2, "load": 0.5},
    "versions": {"python": "3.11.7"},
    "remark": "a quiet machine",
    "measurements": [
        SECONDS
        | {"name": "one", "what": "ours", "value": 0.12345, "low": 0.1, "high": 0.2, "repeats": 3}
        | {"ratios": {"plain": 12.345}},
        SECONDS | {"name": "one", "what": "plain", "value": 1524.4},
        SECONDS | {"name": "two", "what": "plain", "value": 2.0},
    ],
}
MADE = """Before.

<!-- results: speed -->

|  | ours (s) | times plain | plain (s) |
| --- | ---: | ---: | ---: |
| one | 0.123 (0.1 to 0.2) | 12.3 | 1,524 |
| two |  |  | 2 |

`python benchmarks/speed.py`, 2026-11-18, 2 cores of A CPU, load 0.5. Python 3.11.7. In brackets the lowest and the
highest of the repeats. A quiet machine.

<!-- end -->

After.
"""


@pytest.fixture
def scripts(project, monkeypatch):
    """The folder of benchmarks, whose modules can be imported."""
    monkeypatch.syspath_prepend(str(project / "benchmarks"))
    return project / "benchmarks"


def test_the_tables_of_the_page_are_made_from_the_results(scripts, project):
    import page

    text = (project / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page.made(text, scripts / "results") == text, "run python benchmarks/page.py"
    shown = page.REGION.findall(text)
    assert len(shown) > 10
    # Points of the plot are the only results that are no table.
    kept = {path.stem for path in (scripts / "results").glob("*.json")}
    assert kept == {"growth_points", *(name for _, name, _ in shown)}


def test_a_region_is_replaced_and_the_prose_around_it_stays(scripts, tmp_path):
    import page

    (tmp_path / "speed.json").write_text(json.dumps(RESULT))
    empty = "Before.\n\n<!-- results: speed -->\n<!-- end -->\n\nAfter.\n"
    assert page.made(empty, tmp_path) == MADE
    assert page.made(MADE, tmp_path) == MADE
    # Of what was not measured here, the table of before stays.
    (tmp_path / "speed.json").unlink()
    assert page.made(MADE, tmp_path) == MADE


def test_results_have_the_fields_of_a_measurement_and_say_when_and_how(scripts):
    import measurement

    known = set(measurement.Measurement.__dataclass_fields__)
    files = sorted((scripts / "results").glob("*.json"))
    assert len(files) > 10
    for file in files:
        result = json.loads(file.read_text(encoding="utf-8"))
        assert result.keys() == {"table", "command", "date", "machine", "versions", "remark", "measurements"}
        assert result["table"] == file.stem
        assert result["command"].startswith("python benchmarks/")
        assert (scripts / result["command"].split()[1].removeprefix("benchmarks/")).is_file()
        assert result["measurements"]
        assert all(one.keys() == known for one in result["measurements"])


def test_values_are_medians_with_their_spread_and_ratios_are_taken_turn_by_turn(scripts):
    import measurement

    one = measurement.measured("row", "column", [3.0, 1.0, 2.0], "s")
    assert (one.value, one.low, one.high, one.repeats) == (2.0, 1.0, 3.0, 3)
    once = measurement.measured("row", "column", [3.0], "s")
    assert (once.value, once.low, once.high, once.repeats) == (3.0, None, None, 1)
    assert measurement.ratio([2.0, 30.0, 4.0], [1.0, 10.0, 4.0]) == 2.0


def test_functions_take_turns(scripts):
    import measurement

    called, clock = [], iter(range(100))
    functions = {name: lambda name=name: called.append(name) for name in "ab"}
    taken = measurement.in_turns(functions, 2, clock=lambda: next(clock) ** 2)
    assert called == ["a", "b", "a", "b"]
    # The clock shows 0, 1, 4, 9, 16, ...
    assert taken == {"a": [1, 9], "b": [5, 13]}


def test_what_was_measured_is_kept_with_its_command_but_not_with_places(scripts, tmp_path, monkeypatch):
    import measurement

    monkeypatch.setattr(measurement, "RESULTS", tmp_path / "results")
    monkeypatch.setattr("sys.argv", ["/home/me/benchmarks/speed.py", "--data", str(tmp_path / "BANKING77"), "-n", "3"])
    written = measurement.write("speed", [measurement.Measurement("row", "column", 1.0, "s")], remark="quiet")
    assert [path.name for path in (tmp_path / "results").iterdir()] == ["speed.json"]
    result = json.loads(written.read_text())
    assert result["command"] == "python benchmarks/speed.py --data BANKING77 -n 3"
    assert (result["table"], result["remark"]) == ("speed", "quiet")
    assert result["machine"].keys() == {"cpu", "cores", "load"}
    assert result["versions"]["python"].startswith("3.")
