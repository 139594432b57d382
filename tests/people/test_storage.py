"""Answers on disk: kept through crashes, damaged logs named, one server at a time, never another study."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from hf_fewshot.files.disk_space import DiskFullError
from hf_fewshot.people.log import Log, read_log
from hf_fewshot.people.opening import open_study
from hf_fewshot.people.plan import Plan, StudyError
from hf_fewshot.people.study import StudyInUseError, claimed_study, read_annotators
from hf_fewshot.tasks.form import Answer
from tests.small_disk import mounted_disk
from tests.small_study import label_of, text_file, text_plan


@pytest.fixture
def opened(tmp_path):
    """Opens the study as a server does."""
    source = {"data_dir": str(text_file(tmp_path))}
    studies = []

    def again(plan=None, folder=tmp_path / "study", **given):
        studies.append(open_study(folder, plan, given, source))
        return studies[-1]

    yield again
    for study in studies:
        study.close()


def answer_next(study, taken):
    """Begins where that comes, and answers right."""
    if taken.annotator.question is None:
        taken.begin()
    question = taken.annotator.question
    text = study.questions.form(question).parts[0].text
    taken.answer(question, Answer(label_of(text)), 1.5)
    return question


def test_all_that_was_answered_is_there_when_the_study_is_opened_again(opened):
    study = opened(text_plan(seed=3))
    anna, ben = study.join("anna"), study.join("ben")
    asked = [answer_next(study, anna) for _ in range(4)]
    anna.undo()
    answer_next(study, ben)
    again = opened()
    assert [taken.annotator for taken in again.taken.values()] == [anna.annotator, ben.annotator]
    assert again.taken[1].annotator.question == asked[-1]
    assert [again.token(number) for number in (1, 2)] == [study.token(number) for number in (1, 2)]


@pytest.mark.parametrize("torn", ['{"event": "answer", "epis', "\x00" * 40, ""])
def test_a_line_that_a_crash_has_torn_was_never_answered_for(opened, tmp_path, torn):
    study = opened(text_plan())
    anna = study.join("anna")
    answer_next(study, anna)
    answer_next(study, anna)
    before = opened().taken[1].annotator
    path = tmp_path / "study" / "annotators" / "0001.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + torn.encode())
    assert len(read_log(path)) == 4  # joined, begun, answered twice
    again = opened()
    assert again.taken[1].annotator == before
    assert path.read_bytes() == whole
    answer_next(again, again.taken[1])
    assert len(read_log(path)) == 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [lines[0], "{", *lines[2:]], r"0001\.jsonl, line 2, is damaged: .* remove this line and all"),
        (lambda lines: [lines[0], "[]", *lines[2:]], r"line 2, is damaged: it is no object"),
        (
            lambda lines: [lines[0], *lines[2:]],
            r"line 2, does not follow from those before: 'answer' cannot",
        ),
        (lambda lines: [*lines, lines[-1]], r"line 5, does not follow from those before: 'answer' cannot come here"),
        (lambda lines: [*lines[:2], lines[2].replace('"seconds"', '"s"'), lines[3]], r"line 3, .*: 'seconds'"),
        (
            lambda lines: [*lines[:2], lines[2].replace('"lost"', '"gone"').replace('"late"', '"gone"'), lines[3]],
            r"line 3, does not follow from those before: the label 'gone', which is none of late, lost",
        ),
        (lambda lines: lines[1:], r"0001\.jsonl is not the log of annotator 1\. Restore the logs"),
    ],
)
def test_a_damaged_log_is_named_with_its_line(opened, tmp_path, change, message):
    study = opened(text_plan())
    anna = study.join("anna")
    answer_next(study, anna)
    answer_next(study, anna)
    path = tmp_path / "study" / "annotators" / "0001.jsonl"
    path.write_text("".join(f"{line}\n" for line in change(path.read_text().splitlines())))
    with pytest.raises(StudyError, match=message):
        opened()


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_missing_log_is_no_other_annotators(opened, tmp_path, damage):
    study = opened(text_plan())
    for name in ("anna", "ben"):
        study.join(name)
    damage(tmp_path / "study" / "annotators" / "0001.jsonl")
    with pytest.raises(StudyError, match=r"0002\.jsonl is not the log of annotator 1"):
        opened()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 1}, r"holds a study with seed 0, but 1 was asked for\. No answers would fit both"),
        ({"annotators": 4}, "with annotators 3, but 4 was asked for"),
        ({"data": {"shots": 2}}, r"with data \{'shots': 1\}, but \{'shots': 2\} was asked for"),
        ({"zero_shots": True}, "with --zero-shots False, but True was asked for"),
        ({"description": "?"}, r"with description None, but '\?' was asked for"),
    ],
)
def test_another_study_is_refused_in_the_same_folder(opened, changes, message):
    opened(text_plan())
    opened(text_plan())
    with pytest.raises(StudyError, match=message):
        opened(replace(text_plan(), **changes))
    if "data" not in changes:
        with pytest.raises(StudyError, match=message):
            opened(None, **changes)


def test_other_data_is_refused(opened, tmp_path):
    opened(text_plan())
    path = tmp_path / "texts.csv"
    path.write_text(path.read_text().replace("I lost my card", "I have lost my card"))
    with pytest.raises(StudyError, match=r"was begun with other data: fingerprint .*\. Bring the data back"):
        opened()


def test_a_folder_without_a_study_is_no_study(opened, tmp_path):
    with pytest.raises(StudyError, match=r"holds no study\. Name a benchmark to begin one: --benchmark, or"):
        opened()
    with claimed_study(tmp_path / "empty"):
        pass
    assert not (tmp_path / "empty").exists()


@pytest.mark.parametrize("content", ["{", "[]", '{"format": "x"}', '{"format": "hf_fewshot/study", "version": 2}'])
def test_a_damaged_plan_is_named(tmp_path, content):
    (tmp_path / "study.json").write_text(content)
    with pytest.raises(StudyError, match=r"study\.json is (damaged|no plan of a study)"):
        Plan.read(tmp_path)


def test_tokens_and_keys_are_for_their_owner_alone(opened, tmp_path):
    study = opened(text_plan())
    study.join("anna")
    path = tmp_path / "study" / "private.json"
    assert path.stat().st_mode & 0o777 == 0o600
    secret = json.loads(path.read_text())
    assert len(secret["secret"]) == 32
    others = [one.read_text() for one in (tmp_path / "study").rglob("*.json*") if one != path]
    assert len(others) == 2
    for word in (secret["secret"], secret["key"], secret["tokens"]["1"], secret["source"]["data_dir"]):
        assert not any(word in text for text in others)


@pytest.mark.parametrize("content", ["{", '{"secret": "no number"}', '{"tokens": {"anna": "x"}}', '{"other": 1}'])
def test_damaged_tokens_are_named(opened, tmp_path, content):
    opened(text_plan())
    (tmp_path / "study" / "private.json").write_text(content)
    with pytest.raises(StudyError, match=r"private\.json is damaged: .* Restore it, or remove it: answers stay"):
        opened()


def test_lost_tokens_are_made_anew_and_answers_stay(opened, tmp_path):
    study = opened(text_plan())
    anna = study.join("anna")
    answer_next(study, anna)
    (tmp_path / "study" / "private.json").unlink()
    again = opened()
    assert again.taken[1].annotator == anna.annotator
    assert again.token(1) != study.token(1)


def test_two_servers_do_not_have_one_study(tmp_path):
    other = claimed_study(tmp_path)
    with claimed_study(tmp_path), pytest.raises(StudyInUseError, match=r"Another server has the study in .*\. End it"):
        other.__enter__()


def test_a_full_disk_keeps_the_log_as_it_was(tmp_path):
    with mounted_disk(tmp_path / "disk", "64k") as disk:
        log = Log(disk / "log.jsonl")
        log.append({"event": "joined"})
        filler = disk / "filler"
        fill = partial(filler.write_bytes, b"x" * (1 << 20))
        with pytest.raises(OSError, match="No space left"):
            fill()
        before = (disk / "log.jsonl").read_bytes()
        with pytest.raises(DiskFullError, match="The disk is full"):
            log.append({"event": "answer", "text": "y" * 20_000})
        assert (disk / "log.jsonl").read_bytes() == before
        filler.unlink()
        log.append({"event": "answer"})
        assert [one["event"] for one in read_log(disk / "log.jsonl")] == ["joined", "answer"]
        log.close()


def test_a_full_disk_is_said_and_the_answer_can_be_sent_again(served, monkeypatch):
    def full(file, data):
        raise OSError(28, "No space left on device")

    with served() as running, running.annotator("anna") as anna:
        state = anna.begin()
        chosen = {"label": label_of(state["item"]["parts"][0]["text"]), "marks": []}
        body = {"item": state["item"]["id"], "answer": chosen, "seconds": 1}
        with monkeypatch.context() as patch:
            patch.setattr("hf_fewshot.people.log.os.write", full)
            refused = anna.client.post("/api/answers", json=body)
        assert (refused.status_code, refused.json()["error"]["got"]) == (507, "a full disk")
        assert anna.state() == state
        assert anna.answer(body["item"], chosen)["matches"] is True


def test_a_server_that_is_killed_has_lost_nothing_that_it_took(tmp_path):
    """Killed twice in the middle: whatever was acknowledged is there, and nothing that was not sent."""
    text_file(tmp_path)
    command = ["annotate", "study", "--data", "texts.csv", "--task", "classification", "--shots", "1", "--port", "0"]
    sent, headers = [], {}
    for life in range(2):
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "hf_fewshot.cli",
                *(command if life == 0 else ["annotate", "study", "--port", "0"]),
            ],
            cwd=tmp_path,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            lines = iter(process.stdout.readline, "")
            found = next((one for line in lines if (one := re.match(r"Open (http://[\d.:]+)/", line))), None)
            assert found, process.stderr.read()
            with httpx.Client(base_url=found[1], transport=httpx.HTTPTransport(retries=5), timeout=30) as client:
                if life == 0:
                    joined = client.post("/api/annotators", json={"name": "anna"}).json()
                    headers = {"X-Annotator": joined["annotator"]}
                state = client.get("/api/state", headers=headers).json()
                for _ in range(3):
                    if state["step"] == "start":
                        state = client.post("/api/begin", json={}, headers=headers).json()
                    item = state["item"]
                    body = {"item": item["id"], "answer": {"label": "lost", "marks": []}, "seconds": 1}
                    state = client.post("/api/answers", json=body, headers=headers).json()["state"]
                    sent.append(item["parts"][0]["text"])
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate()
    with claimed_study(tmp_path / "study"):  # the lock of a killed process is gone
        plan = Plan.read(tmp_path / "study")
        study = open_study(tmp_path / "study", None, {}, {"data_dir": str(tmp_path / "texts.csv")})
        (annotator,) = read_annotators(tmp_path / "study", plan, study.questions)
        kept = [study.questions.form(one).parts[0].text for one in annotator.given]
        study.close()
    assert len(sent) == 6
    assert kept == sent
