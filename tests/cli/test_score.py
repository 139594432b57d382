"""Files of predictions that want more than a score, or the place of another one."""

import json

import pytest

from hf_fewshot.cli import main
from hf_fewshot.runs.folder import read_records

CLUES = ["--benchmark", "clues", "--config", "sst2", "--shots", "10", "--sample", "-o", "fold=2"]


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    for method in ("most_frequent", "every_label"):
        assert main(["run", *CLUES, "--method", method, "--output", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("ways", [[], ["--output", "scored"]])
def test_two_files_of_one_system_are_refused_unless_their_seeds_differ(ways, results, tmp_path, capsys):
    ways = [str(tmp_path / way) if way == "scored" else way for way in ways]
    files = sorted(results.glob("*/predictions.jsonl"))
    for path in files:
        header, *lines = path.read_text().splitlines()
        header = json.dumps({**json.loads(header), "system": "mine", "seed": 0})
        path.write_text("\n".join([header, *lines]))
    assert main(["score", *map(str, files), *ways]) == 2
    assert f"{files[0]} and {files[1]} both have predictions of system 'mine'" in capsys.readouterr().err
    assert not (tmp_path / "scored").exists()
    files[1].write_text(files[1].read_text().replace('"seed": 0', '"seed": 1'))
    assert main(["score", *map(str, files), *ways]) == 0
    if ways:
        assert sorted(record.run.seed for record in read_records(tmp_path / "scored")) == [0, 1]


def test_a_record_is_not_replaced_by_that_of_other_predictions(results, tmp_path, capsys):
    first, second = sorted(results.glob("*/predictions.jsonl"))
    output = ["--output", str(tmp_path / "scored")]
    assert main(["score", str(first), *output]) == 0
    assert main(["score", str(first), *output]) == 0
    (record,) = (tmp_path / "scored").rglob("record.json")
    before = record.read_bytes()
    system = json.loads(first.read_text().splitlines()[0])["system"]
    header, *lines = second.read_text().splitlines()
    second.write_text("\n".join([json.dumps({**json.loads(header), "system": system}), *lines]))
    assert main(["score", str(second), *output]) == 2
    assert f"has a record of other predictions by system {system!r} already" in capsys.readouterr().err
    assert record.read_bytes() == before


def test_a_header_cannot_choose_where_files_are_written(results, tmp_path, capsys):
    path = next(results.glob("*/predictions.jsonl"))
    header, *lines = path.read_text().splitlines()
    content = json.loads(header)
    content["data"]["cache_dir"] = str(tmp_path / "outside")
    path.write_text("\n".join([json.dumps(content), *lines]))
    assert main(["score", str(path)]) == 2
    assert "is no option of clues" in capsys.readouterr().err
    assert not (tmp_path / "outside").exists()
