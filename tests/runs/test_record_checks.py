"""A record that lies, or that no run can have written, is not read."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hf_fewshot.runs.folder import find_records
from hf_fewshot.runs.record import Record, RecordError
from hf_fewshot.runs.record_checks import TASKS

DOCUMENTED = Path(__file__).resolve().parents[2] / "docs" / "records"


@pytest.fixture
def doctored(make_record, tmp_path):
    """Writes a true record and replaces a value in it, by the names that lead there."""
    path = make_record().write(tmp_path)

    def change(*names: str, value: Any) -> Path:
        content = json.loads(path.read_text())
        place = content
        for name in names[:-1]:
            place = place[name]
        place[names[-1]] = value
        path.write_text(json.dumps(content))
        return path

    return change


def refused(path, *sentences):
    with pytest.raises(RecordError, match=re.escape(sentences[0])) as caught:
        Record.read(path)
    for sentence in sentences[1:]:
        assert sentence in str(caught.value)


def test_a_score_that_its_units_deny_is_not_believed(make_record, tmp_path):
    true = make_record(
        scores={"accuracy": 1 / 6}, measure="accuracy", intervals={}, numerators=[1.0, 0.0], denominators=[3.0, 3.0]
    )
    path = true.write(tmp_path)
    assert Record.read(path).score == pytest.approx(0.1667, abs=1e-4)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"scores": {"accuracy": 1.7}}))
    refused(path, "the score 'accuracy' is 1.7, expected from 0 to 1")
    path.write_text(json.dumps(content | {"scores": {"accuracy": 0.97}}))
    refused(path, "its score says 97.00 %, but its units say 16.67 %", "Delete it; the same run makes it again.")


def test_a_score_over_units_that_count_nothing_is_zero(make_record, tmp_path):
    path = make_record(scores={"f1": 0.0}, intervals={}, numerators=[0.0, 0.0], denominators=[0.0, 0.0]).write(
        tmp_path
    )
    assert Record.read(path).score == 0.0
    path.write_text(path.read_text().replace('"f1": 0.0', '"f1": 0.9'))
    refused(path, "its score says 90.00 %, but its units say 0.00 %")


@pytest.mark.parametrize(
    ("names", "value", "message"),
    [
        (["task"], "<b>", "'task' is '<b>', expected one of joint, tagging, relation, classification, spans"),
        (["unit"], "day", "'unit' is 'day', expected one of episode, domain, question"),
        (["command"], 3, "'command' is 3, expected text"),
        (["scores"], [], "'scores' is [], expected an object"),
        (["scores", "f1"], True, "the score 'f1' is True, expected a number"),
        (["scores", "n_correct"], -1, "the score 'n_correct' is -1, expected 0 or more"),
        (["scores", "precision"], 10**400, "the score 'precision' is 1000"),
        (["baselines", "x"], 1.5, "the baseline 'x' is 1.5, expected a number from 0 to 1"),
        (["intervals", "f1"], [0.7, 0.2], "the interval of 'f1' is [0.7, 0.2], expected two numbers from 0 to 1"),
        (["confidence_level"], 95, "confidence_level is 95, expected a number between 0 and 1"),
        (["seconds", "train"], 1e308, "the seconds of 'train' are 1e+308, expected a number of 0 or more"),
        (["started"], "yesterday", "'started' is 'yesterday', expected a date and time"),
        (["numerators"], [2.0, 5.0], "unit 1 has [5.0, 4.0], expected 0 <= numerator <= denominator"),
        (["denominators"], [1e308, 1e308], "unit 0 has [2.0, 1e+308], expected 0 <= numerator <= denominator"),
        (["units"], ["0", 1], "its units have names that are no text"),
        (["episodes", "official"], "yes", "'official' of its episodes is 'yes', expected a bool"),
        (["episodes", "n_queries"], 0, "'n_queries' of its episodes is 0, expected 1 or more"),
        (["episodes", "n_episodes"], 3, "there are 2 units for 3 episodes"),
        (["run", "seed"], 10**30, "'seed' of its run is 1000000000000000000000000000000, expected a whole number"),
        (["run", "system"], "", "'system' of its run is '', expected text"),
        (["run", "data", "shots"], "five", "the option 'shots' of its data is 'five', expected a number"),
        (["run", "data", "shots"], [1, 5], "the option 'shots' of its data is [1, 5], expected a number"),
        (["run", "data", "n_way"], {"a": 5}, "the option 'n_way' of its data is {'a': 5}, expected a number"),
        (["run", "data"], [["sample", True]], "'data' of its run is [['sample', True]], expected an object"),
        (["run", "data", "fold"], [1], "the option 'fold' of its data is [1], expected a number or text"),
        (["run", "data", "sample"], True, "it says that sample data is the benchmark's own"),
        (["environment", "versions"], "1", "'versions' of its environment is '1', expected an object"),
        (["environment", "commit"], 7, "'commit' of its environment is 7, expected text or null"),
        (["confusion"], {"labels": ["a"], "counts": [[-1]]}, "its confusion is no table of counts with a label"),
        (["depends_on"], {"x": 1}, "its depends_on has no hashes of files and of data"),
        (["answers"], {"refused": -1}, "the number 'refused' of its answers is -1, expected 0 or more"),
        (["x" * 100], 1, "it has an unknown 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."),
    ],
)  # fmt: skip
def test_what_no_run_can_have_written_is_named(doctored, names, value, message):
    refused(doctored(*names, value=value), message)


def test_options_of_the_data_may_be_lists_of_values(doctored):
    assert Record.read(doctored("run", "data", "domains", value=["a", 3, None])).run.data["domains"] == ["a", 3, None]


def test_the_tasks_are_those_there_are():
    assert set(TASKS) == {"joint", "tagging", "relation", "classification", "spans"}


def test_all_records_of_this_project_are_believed():
    found = find_records(DOCUMENTED)
    assert (len(found.records), found.left_out) == (len(list(DOCUMENTED.glob("*/record.json"))), [])
    assert len(found.records) > 100
