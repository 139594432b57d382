"""`hf-fewshot annotate`: what it refuses, its records, and its end."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from hf_fewshot.cli import main
from hf_fewshot.people.opening import open_study
from hf_fewshot.runs.folder import read_records
from hf_fewshot.tasks.form import Answer
from tests.small_study import label_of, text_file, text_plan

DATA = ["--data", "texts.csv", "--task", "classification", "--shots", "1"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder that the command is called in, with the texts."""
    text_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def answered(folder):
    """A study in which anna is done with one mistake in training, ben with two queries."""
    study = open_study(folder / "study", text_plan(names=("anna", "ben"), annotators=2), {}, {"data_dir": "texts.csv"})
    for number, until in ((1, 6), (2, 2)):
        taken = study.taken[number]
        mistakes = 1
        while len(taken.annotator.of_step("annotation")) < until:
            question = taken.annotator.question
            if question is None:
                taken.begin()
                continue
            label = label_of(study.questions.form(question).parts[0].text)
            if mistakes:
                mistakes, label = 0, {"lost": "late", "late": "lost"}[label]
            taken.answer(question, Answer(label), 2.5)
    study.close()
    return folder / "study"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Name a benchmark (hf-fewshot list), or give data of your own"),
        (["nothing"], "nothing holds no study. Name a benchmark to begin one"),
        (["nothing", "--records"], "nothing holds no study"),
        ([*DATA, "--records"], "holds no study: it has no study.json"),
        ([*DATA, "--json"], "--json is for --records"),
        ([*DATA, "--min-training", "0.5"], "--min-training is for --records"),
        ([*DATA, "--records", "--min-training", "70"], "Expected --min-training from 0 to 1, got 70."),
        ([*DATA, "--port", "70000"], "Expected a port from 0 to 65535, got 70000."),
        ([*DATA, "--annotators", "0"], "annotators=0, but at least one is asked"),
        ([*DATA, "--annotators", "anna", "Anna"], "The name 'Anna' is given twice, in whatever case"),
        ([*DATA, "--annotators", "4", "--share", "3"], "share=3, but the 4 annotators must fall into"),
        ([*DATA, "--description", "texts.csv", "--port", "-1"], "Expected a port from 0 to 65535, got -1."),
    ],
)
def test_a_mistake_is_said_and_nothing_is_begun(folder, capsys, words, message):
    assert main(["annotate", *words, "--port", "0"] if "--port" not in words else ["annotate", *words]) == 2
    assert message in capsys.readouterr().err.replace("\n", " ")
    assert [path.name for path in folder.rglob("*.json*")] == []


def test_how_a_study_goes_is_a_table_or_json(answered, capsys):
    assert main(["annotate", "study", "--records"]) == 0
    shown = capsys.readouterr().out
    rows = [line.split() for line in shown.splitlines()]
    assert ["1", "anna", "6", "of", "6", "50.00", "2.5", "100.00"] in rows
    assert ["2", "ben", "2", "of", "6", "50.00", "2.5", "left", "out:", "not", "done"] in rows
    assert "Accuracy 100.00 over 1 record." in shown
    assert "Cohen's kappa of labels: 1.00 (mean of 1 pair)." in shown
    (record,) = read_records(answered)
    assert (record.command, record.score) == ("hf-fewshot annotate study --records", 1.0)
    assert "anna" not in (answered / text_plan(annotators=2).run(1).name / "record.json").read_text()
    assert main(["annotate", "study", "--records", "--min-training", "0.7", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [one["left_out"] for one in content["people"]] == ["training below 0.7", "not done"]
    assert read_records(answered) == []


def test_others_get_in_with_a_key_alone_and_a_signal_ends_it(folder, capsys):
    process = subprocess.Popen(
        [sys.executable, "-m", "hf_fewshot.cli", "annotate", "study", *DATA, "--host", "0.0.0.0", "--port", "0"],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        pattern = rf"Open http://{re.escape(socket.gethostname())}:(\d+)/\?key=(\S{{24}})  \("
        found = next(one for line in process.stdout if (one := re.match(pattern, line)))
        url = f"http://127.0.0.1:{found[1]}/api/study"
        assert httpx.get(url, timeout=30).status_code == 401
        assert httpx.get(url, params={"key": found[2]}).json()["title"] == "own_texts, 1-shot"
        assert main(["annotate", "study", "--port", "0"]) != 0
        assert "Another server has the study in study. End it first, or use it." in capsys.readouterr().err
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=30)[0].endswith("goes on; with --records it shows how it is.\n")
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()
