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


def test_predictions_are_scored_as_they_were(results, tmp_path, capsys):
    files = sorted(map(str, results.glob("*/predictions.jsonl")))
    capsys.readouterr()
    assert main(["score", *files, "--json", "--output", str(tmp_path / "scored")]) == 0
    found = json.loads(capsys.readouterr().out)
    records = {record.run.system: record for record in read_records(results)}
    assert {one["system"]: one["scores"]["s1"] for one in found} == {
        name: record.score for name, record in records.items()
    }
    assert {record.run.system for record in read_records(tmp_path / "scored")} == set(records)
    assert main(["score", *files]) == 0
    assert "every_label" in capsys.readouterr().out


def test_all_problems_of_a_file_are_listed(results, capsys):
    path = next(results.glob("*/predictions.jsonl"))
    lines = path.read_text().splitlines()
    row = json.loads(lines[1])
    row["predictions"][0] = "positive"
    del row["ids"][1], row["predictions"][1]
    path.write_text(lines[0] + "\n" + json.dumps(row) + "\n")
    assert main(["score", str(path)]) == 2
    assert "is missing" in capsys.readouterr().err


def test_a_report_is_made_of_all_records(results, tmp_path, capsys):
    page, plots, tables = tmp_path / "report.html", tmp_path / "plots", tmp_path / "tables.md"
    assert main(["report", str(results), "--output", str(page), "--plots", str(plots), "--markdown", str(tables)]) == 0
    assert f"2 records in {page}" in capsys.readouterr().out
    assert "every_label" in page.read_text(encoding="utf-8")
    text = tables.read_text(encoding="utf-8")
    assert text.startswith("# Results\n\nMade from 2 records by `hf-fewshot report --markdown`.")
    assert "| every_label |" in text


def test_a_report_without_records_is_refused(tmp_path, capsys):
    assert main(["report", str(tmp_path), "--output", str(tmp_path / "r.html")]) == 2
    assert "No records in" in capsys.readouterr().err


def test_a_damaged_record_is_named_and_the_others_are_reported(results, tmp_path, capsys):
    path = next(results.glob("*every_label*/record.json"))
    path.write_text(path.read_text()[:100])
    assert main(["report", str(results), "--output", str(tmp_path / "r.html")]) == 1
    found = capsys.readouterr()
    assert "1 left out:" in found.err
    assert "is damaged" in found.err
    assert "most_frequent" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_report_of_damaged_records_only_is_refused(results, tmp_path, capsys):
    for path in results.glob("*/record.json"):
        path.write_text("{")
    assert main(["report", str(results), "--output", str(tmp_path / "r.html")]) == 2
    assert capsys.readouterr().err.count("is damaged") == 2
    assert not (tmp_path / "r.html").exists()


def test_export_and_dry_push(tmp_path, capsys):
    folder = tmp_path / "exported"
    assert main(["export", "fewjoint", "--shots", "1", "--sample", "--output", str(folder)]) == 0
    assert (folder / "README.md").exists()
    assert main(["push", str(folder), "--dataset", "--repo", "me/data", "--dry-run"]) == 0
    assert "Would upload to dataset me/data (private" in capsys.readouterr().out
    assert main(["push", "--metric", "s1", "--repo", "me/s1", "--dry-run", "--public"]) == 0
    assert "Would upload to space me/s1 (public" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Give the folders of runs"),
        (["a", "--metric", "s1"], "exclude each other"),
        (["a", "b", "--dataset"], "--dataset takes one folder"),
        (["--metric", "s2"], "Unknown metric 's2'. Known: conlleval, entity_f1"),
    ],
)
def test_wrong_pushes_are_refused(arguments, message, capsys):
    assert main(["push", *arguments, "--repo", "me/x", "--dry-run"]) == 2
    assert message in capsys.readouterr().err


def test_a_push_in_offline_mode_says_so(results, capsys):
    assert main(["push", str(results), "--repo", "me/x"]) == 1
    assert "HF_HUB_OFFLINE" in capsys.readouterr().err
