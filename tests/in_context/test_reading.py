"""From answers of a backend to predictions and counts."""

import json

import pytest

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.in_context.backend import Answer
from hf_fewshot.in_context.prompt_format import load_format
from hf_fewshot.in_context.reading import read_answer
from hf_fewshot.in_context.report import Report
from hf_fewshot.in_context.tasks import TaskPrompts

QUERY = {"id": "q", "text": "rome"}
COUNTED = ("unparsed", "loosely_read", "thinking", "cut_off_thinking")


@pytest.fixture
def task() -> TaskPrompts:
    return TaskPrompts(load_format("classification"), Episode(("home", "job"), (), ()), [])


@pytest.mark.parametrize(
    ("answer", "prediction", "counts"),
    [
        (Answer("job"), "job", (0, 0, 0, 0)),
        (Answer("It is a job."), "job", (0, 1, 0, 0)),
        (Answer("home or job"), "<unparsed>", (1, 0, 0, 0)),
        (Answer("<think>home?</think>job"), "job", (0, 0, 1, 0)),
        (Answer("<think>a job"), "<unparsed>", (1, 0, 1, 1)),
        (Answer("job", thought="home?"), "job", (0, 0, 1, 0)),
        (Answer("", thought="a job", cut_off=True), "<unparsed>", (1, 0, 1, 1)),
        (Answer("job", thought="home?", cut_off=True), "job", (0, 0, 1, 0)),
        (Answer(scores=[-1.0, -0.5]), "job", (0, 0, 0, 0)),
        (Answer(problem="refused", reason="no"), "<unparsed>", (0, 0, 0, 0)),
        (Answer("job", samples=["job", "home", "so: home"]), "home", (0, 0, 0, 0)),
        (Answer("what?", samples=["what?", "<think>home</think>a job"]), "job", (0, 1, 1, 0)),
        (Answer("what?", samples=["what?", "<think>home"]), "<unparsed>", (1, 0, 1, 1)),
    ],
)
def test_an_answer_is_read_and_counted(task, answer, prediction, counts):
    found, kept = read_answer(task, QUERY, answer)
    assert found == prediction
    assert tuple(kept[name] for name in COUNTED) == counts


def test_thoughts_are_kept_only_if_asked_for(task):
    answer = Answer("<think>home?</think>\njob", samples=["<think>home?</think>\njob", "home"])
    kept = read_answer(task, QUERY, answer)[1]
    assert (kept["text"], kept["samples"], kept["thought"]) == ("job", ["job", "home"], None)
    assert read_answer(task, QUERY, answer, keep_thoughts=True)[1]["thought"] == "home?"
    assert read_answer(task, QUERY, Answer("job", thought="a\ud800"), keep_thoughts=True)[1]["thought"] == "a?"
    assert read_answer(task, QUERY, Answer("job", thought="a"))[1]["thought"] is None


def test_half_characters_are_written_as_question_marks(task):
    kept = read_answer(task, QUERY, Answer("\ud83d", samples=["\ud83d", "\ud83d"]))[1]
    assert (kept["text"], kept["samples"]) == ("?", ["?", "?"])
    json.dumps(kept, ensure_ascii=False).encode()


def test_a_report_counts_answers_and_shows_the_first_that_cannot_be_read(task):
    texts = ["job", "a job", "<think>job", "what\x1b[2J", "what\x1b[2J", "home, job", "key hf_" + "a" * 30, "x" * 300]
    answers = [read_answer(task, QUERY, Answer(text, reasoning_tokens=2))[1] for text in texts]
    report = Report.of(answers)
    expected = Report(n_queries=8, unparsed=6, loosely_read=1, thinking=1, cut_off_thinking=1, reasoning_tokens=16)
    assert report.counts == expected.counts
    assert report.unread == ["''", r"'what\x1b[2J'", "'home, job'"]
    assert report.examples == r"First answers that cannot be read: '', 'what\x1b[2J', 'home, job'."
    assert "unread" not in report.counts
    assert "unread" not in str(report)
    assert report.trouble
    assert Report.of(answers[6:]).unread == ["'key <redacted>'", f"'{'x' * 196}..."]
    assert Report.of(answers[:1]).examples == ""
