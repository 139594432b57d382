"""Data of one's own on the command line."""

import json

import datasets
import pytest

from hf_fewshot.cli import main
from hf_fewshot.runs.record import Record

DATA = ["--data", "intents.csv", "--task", "classification", "--text", "sentence", "--label", "intent"]
ROWS = [f"question {n},{'abc'[n % 3]}" for n in range(30)]
RECIPE = """
benchmark: own_texts
data: {columns: {text: sentence, label: intent}, shots: 2}
draws: {draw: [0, 1]}
systems:
  most: {method: one_class}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    (tmp_path / "intents.csv").write_text("\n".join(["sentence,intent", *ROWS]), encoding="utf-8")
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    return tmp_path


def records(folder="results"):
    from pathlib import Path

    return [Record.read(path) for path in sorted(Path(folder).glob("*/record.json"))]


def test_a_run_has_a_record_for_each_draw_and_a_table_with_words_on_its_size(capsys):
    command = ["run", *DATA, "--shots", "2", "--draws", "3", "--method", "one_class"]
    assert main(command) == 0
    output = capsys.readouterr().out
    assert "own_texts, 2-shot, test, dataset=intents" in output
    assert "24 test rows: the interval is " in output
    assert "unless a paired comparison on the same rows shows them" in " ".join(output.split())
    found = records()
    assert [record.run.data["draw"] for record in found] == [0, 1, 2]
    assert len({record.episodes["fingerprint"] for record in found}) == 3
    assert {record.run.name.split("_one_class")[0] for record in found} == {
        f"own_texts_intents_shots=2_draw={draw}" for draw in range(3)
    }
    assert found[0].run.data["columns"] == {"text": "sentence", "label": "intent"}
    assert main(command) == 0
    assert "3 of 3 results were read, not made" in capsys.readouterr().out


def test_a_recipe_takes_the_data_from_the_command_line(capsys):
    assert main(["run", "recipe.yaml", "--data", "intents.csv", "--shots", "3"]) == 0
    assert [record.run.data["shots"] for record in records()] == [3, 3]
    assert {record.run.data["dataset"] for record in records()} == {"intents"}
    assert main(["run", "recipe.yaml", "--data-dir", "intents.csv", "--output", "other"]) == 0
    assert len(records("other")) == 2


def test_a_test_set_of_its_own_is_asked():
    rows = ["sentence,intent", "new one,a", "new two,b"]
    with open("test.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(rows))
    assert main(["run", *DATA, "--test-data", "test.csv", "--shots", "2", "--method", "one_class"]) == 0
    (record,) = records()
    assert record.episodes["n_queries"] == 2


def test_predictions_are_scored_and_shown_in_a_report_and_pushed(capsys):
    assert main(["run", *DATA, "--shots", "2", "--draws", "2", "--method", "one_class"]) == 0
    (first, *_) = records()
    capsys.readouterr()
    path = f"results/{first.run.name}/predictions.jsonl"
    assert main(["score", path, "--data", "intents.csv", "--json"]) == 0
    (scored,) = json.loads(capsys.readouterr().out)
    assert scored["scores"] == first.scores
    assert main(["analyse", path, "--data", "intents.csv"]) == 0
    assert main(["report", "results", "--output", "report.html", "--markdown", "report.md"]) == 0
    for name in ("report.html", "report.md"):
        with open(name, encoding="utf-8") as file:
            text = file.read()
        assert "24 test rows: the interval is" in text
        assert "Other data in the format of" not in text
    capsys.readouterr()
    assert main(["push", "results", "--repo", "me/intents", "--dry-run"]) == 0
    card = capsys.readouterr().out
    assert "Own data: 2-shot, test, dataset=intents" in card
    assert "question 1" not in card
    assert "other data in the format" not in card
    assert ".eval_results" not in card


def test_the_data_is_looked_at_counted_checked_and_exported(capsys):
    assert main(["show", *DATA, "--index", "4"]) == 0
    assert "own_texts train: 30 rows\nb: question 4" in capsys.readouterr().out
    assert main(["stats", *DATA, "--shots", "2"]) == 0
    assert "own_texts, shots=2, dataset=intents" in capsys.readouterr().out
    assert main(["verify", *DATA, "--shots", "2"]) == 0
    assert "1 have every class 2 times in the support set" in capsys.readouterr().out
    assert main(["sample", *DATA, "--shots", "2", "-o", "draw=1", "--output", "episodes.jsonl"]) == 0
    assert main(["export", *DATA, "--shots", "2", "--output", "exported"]) == 0
    rows = datasets.load_dataset("exported", "2-shot-dataset-intents")
    assert len(rows["test"][0]["query"]) == 24
    with open("exported/README.md", encoding="utf-8") as file:
        card = file.read()
    assert "# intents" in card
    assert "intents.csv" not in card
    assert "language" not in card


@pytest.mark.parametrize("suffix", [".conll", ".jsonl"])
def test_entities_are_run_from_files_of_words_and_of_texts(suffix, capsys):
    sentences = [(f"name{n}", "city" if n % 2 else "person") for n in range(20)]
    if suffix == ".conll":
        text = "\n".join(f"met O\n{name} B-{kind}\n. O\n" for name, kind in sentences)
    else:
        entities = [{"text": f"met {name}.", "entities": [(4, 4 + len(name), kind)]} for name, kind in sentences]
        keys = ("start", "end", "type")
        text = "\n".join(
            json.dumps({**row, "entities": [dict(zip(keys, one, strict=True)) for one in row["entities"]]})
            for row in entities
        )
    with open(f"ner{suffix}", "w", encoding="utf-8") as file:
        file.write(text)
    assert main(["run", "--data", f"ner{suffix}", "--task", "tagging", "--shots", "3", "--method", "seen_words"]) == 0
    (record,) = records()
    assert (record.task, record.episodes["n_queries"]) == ("tagging", 14)
    assert record.scores["n_references"] == 14


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["run", "--data", "intents.csv", "--method", "one_class"],
            "--data intents.csv, but what is to be learnt? Say --t",
        ),
        (
            ["run", *DATA[:2], "--task", "texts", "--method", "one_class"],
            "Unknown task of data of your own 'texts'. Known: class",
        ),
        (
            ["run", *DATA, "--benchmark", "clues", "--method", "one_class"],
            "--task classification contradicts the benchmark clues",
        ),
        (["run", "recipe.yaml", *DATA], "--task contradicts recipe.yaml, which names it"),
        (
            ["run", "--benchmark", "fewrel", "--data", "intents.csv", "--method", "proto"],
            "--data is for data of your own, but fewrel is a benchmark. Take --data-dir.",
        ),
        (
            [
                "run",
                "--benchmark",
                "fewrel",
                "--sample",
                "--n-way",
                "2",
                "--shots",
                "1",
                "--draws",
                "2",
                "--method",
                "one_class",
            ],
            "Unknown option of fewrel 'draw'",
        ),
        (["verify", *DATA, "--data-dir", "x"], "--data intents.csv and --data-dir x exclude each other"),
        (["verify", "own_texts", "--test-data", "x"], "--test-data x needs the data to learn from: --data FILE"),
        (["verify"], "Name a benchmark (hf-fewshot list), or give data of your own: --data FILE --task TASK."),
        (
            ["verify", *DATA, "-o", 'columns={"text": "other"}'],
            "The column of text is given twice, as 'sentence' and 'other'",
        ),
        (
            ["verify", *DATA[:4], "--shots", "2"],
            "Say which is which with columns={'text': ..., 'label': ...}, or with --t",
        ),
        (
            ["verify", *DATA[:6], "--label", "intnt", "--shots", "2"],
            "expected a column 'intnt' for label, got the columns sentence, intent",
        ),
        (
            ["run", *DATA, "--shots", "10", "--method", "one_class"],
            "--shots 10 and 1 to be asked, but in 'the data' these",
        ),
    ],
)
def test_wrong_requests_end_with_a_message_and_code_2(arguments, message, capsys):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_number_of_draws_is_a_whole_number(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run", *DATA, "--draws", "0"])
    assert "expected a whole number of at least 1, got '0'" in capsys.readouterr().err
