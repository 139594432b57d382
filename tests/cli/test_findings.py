"""`stats`, `analyse`, `similarity`, and `report` with what they found."""

import json

import pytest

from hf_fewshot.analyses.findings import read_findings
from hf_fewshot.cli import main

FEWREL = ["--n-way", "3", "--shots", "1", "--n-episodes", "20", "--sample"]


def run(*arguments, capsys):
    capsys.readouterr()
    code = main(list(map(str, arguments)))
    found = capsys.readouterr()
    assert code == 0, found.err
    return found.out


@pytest.fixture
def results(tmp_path):
    options = ["--benchmark", "fs_tacred", "--n-way", "3", "--shots", "1", "--n-episodes", "10", "--sample"]
    for method in ("one_class", "always_none"):
        assert main(["run", *options, "--method", method, "--output", str(tmp_path / "results")]) == 0
    return tmp_path / "results"


@pytest.mark.parametrize(
    ("benchmark", "shown"),
    [
        ("fewjoint", "Support and query sets (Table 3)"),
        ("clues", "Rows by task and split"),
        ("few_nerd", "Entities of each type (Figure 1)"),
        ("fewrel", "words per"),
        ("fs_tacred", "Instances (Table 1)"),
    ],
)
def test_stats_of_all_benchmarks(benchmark, shown, tmp_path, capsys):
    path = tmp_path / "plots" / "a.svg"
    output = run("stats", benchmark, "--sample", "--plot", path, capsys=capsys)
    assert shown in output
    assert path.read_text(encoding="utf-8").startswith("<?xml")
    assert f"plots: {path}" in output.replace("\n", "")


def test_stats_as_json_can_be_drawn_beside_others(tmp_path, capsys):
    other = tmp_path / "fewrel.json"
    assert "Episodes" in run("stats", "fewrel", *FEWREL, "--output", other, capsys=capsys)
    output = run("stats", "fs_tacred", *FEWREL, "--json", "--beside", other, capsys=capsys)
    (chart,) = (one for one in json.loads(output)["charts"] if one["measure"] == "share of queries (%)")
    assert {"fs_tacred, test", "fewrel, validation"} <= set(chart["series"])


def test_predictions_of_runs_are_looked_into(results, tmp_path, capsys):
    output = run("analyse", results, "--plot", tmp_path / "a.png", capsys=capsys)
    assert "Recall by order of head and tail" in output
    assert "always_none: fs_tacred, test" in output
    assert (tmp_path / "a.png").exists()
    assert (tmp_path / "a-2.png").exists()


def test_an_analysis_is_that_of_the_run_and_can_be_kept(results, capsys):
    path = next(results.glob("*one_class*/predictions.jsonl"))
    kept = path.parent / "analysis.json"
    before = kept.read_text(encoding="utf-8")
    kept.unlink()
    found = json.loads(run("analyse", path, "--json", "--keep", capsys=capsys))
    assert found["title"].startswith("one_class: fs_tacred, test")
    assert kept.read_text(encoding="utf-8") == before
    assert json.loads(before) == found


def test_the_report_shows_analyses_and_findings(results, tmp_path, capsys):
    data = tmp_path / "data.json"
    run("stats", "fs_tacred", "--sample", "--json", "--output", data, capsys=capsys)
    page = tmp_path / "report.html"
    run("report", results, "--findings", data, "--output", page, capsys=capsys)
    text = page.read_text(encoding="utf-8")
    assert "Analysis of one_class" in text
    assert "Instances (Table 1)" in text


def test_scored_predictions_have_their_analysis_in_the_report(results, tmp_path, capsys):
    path = next(results.glob("*one_class*/predictions.jsonl"))
    run("score", path, "--output", tmp_path / "scored", capsys=capsys)
    (written,) = (tmp_path / "scored").glob("*/analysis.json")
    (found,) = read_findings(written)
    assert found.benchmark == "fs_tacred"


def test_a_damaged_analysis_is_named_and_left_out(results, tmp_path, capsys):
    path = next(results.glob("*one_class*/analysis.json"))
    path.write_text("{}")
    assert main(["report", str(results), "--output", str(tmp_path / "r.html")]) == 1
    said = capsys.readouterr().err
    assert "analysis.json has no findings: expected an object of format" in said
    content = json.loads(next(results.glob("*always*/analysis.json")).read_text())
    path.write_text(json.dumps({**content, "benchmark": "clues"}))
    assert main(["report", str(results), "--output", str(tmp_path / "r.html")]) == 1
    assert "is not about fs_tacred. Make it again: hf-fewshot analyse" in capsys.readouterr().err


def test_similarity_of_types(bert, tmp_path, capsys):
    options = ("--config", "inter", "--sample", "--model", bert, "--mentions", 5, "--seed", 3)
    output = run("similarity", "few_nerd", *options, "--json", "--plot", tmp_path / "a.svg", capsys=capsys)
    found = json.loads(output)
    (chart,) = found["charts"]
    assert sum(map(len, chart["sections"].values())) == len(chart["values"])
    assert max(found["sheets"][0]["rows"], key=lambda row: row[1])[1] == 5
    assert (tmp_path / "a.svg").exists()
    assert run("similarity", "few_nerd", *options, "--json", capsys=capsys) == output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stats", "fewrel", "--sample", "--plot", "a.pdf"], "expected a name that ends with .png or .svg"),
        (["stats", "fewrel", "--sample", "-o", "domane=nyt"], "Unknown option of fewrel 'domane'"),
        (["stats", "clues", "--config", "sst3", "--sample"], "Unknown configuration of clues 'sst3'"),
        (["stats", "fewrel", "--sample", "--beside", "nothing.json"], "nothing.json"),
        (["analyse", "nowhere"], "There is no nowhere. Give folders of runs or files of predictions"),
        (["analyse", "."], "has no predictions.jsonl. Give the folder of a run"),
        (["similarity", "fewrel", "--sample", "--split", "train", "--model", "x"], "have no tagged words"),
        (
            ["similarity", "few_nerd", "--config", "inter", "--sample", "--split", "dev", "--model", "x"],
            "Unknown split of few_nerd 'dev'",
        ),
        (
            ["similarity", "few_nerd", "--config", "inter", "--sample", "--mentions", "1", "--model", "x"],
            "it takes two mentions to compare",
        ),
        (
            ["similarity", "few_nerd", "--config", "inter", "--sample", "--seed", "-1", "--model", "x"],
            "seed",
        ),
    ],
)
def test_wrong_requests_end_in_a_sentence(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_predictions_of_other_data_are_refused(results, tmp_path, capsys):
    path = next(results.glob("*one_class*/predictions.jsonl"))
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join([json.dumps({**json.loads(head), "fingerprint": "0" * 64}), *lines]))
    assert main(["analyse", str(other)]) == 2
    assert "was written for other episodes" in capsys.readouterr().err
