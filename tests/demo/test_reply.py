"""What the page says: HTML in which text is text, errors as sentences, what has changed."""

import pytest

from hf_fewshot.demo.episodes import Expected
from hf_fewshot.demo.model import DemoModel
from hf_fewshot.demo.ready import words_of
from hf_fewshot.demo.reply import reply, said_or_problem
from hf_fewshot.demo.sheet import read_sheet
from hf_fewshot.demo.trial import Trial
from hf_fewshot.tasks import task_of

TEXTS, WORDS, PAIRS = (task_of(name) for name in ("classification", "tagging", "relation"))
HOMES = "# home\nanna lives in paris\ntom lives in rome\n# job\nmia works at acme\n"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>${alert(3)}{{value}}`\u202e"


@pytest.fixture(scope="module")
def trial(bert):
    return Trial(DemoModel(str(bert)))


def test_an_answer_has_class_scores_and_reasons_and_the_summary_counts(trial):
    said = reply(trial, TEXTS, "tom lives in rome", HOMES, False)
    assert '<p class="said"><span class="class c1">home</span>' in said.answer
    assert said.answer.count('<span class="bar ') == 2
    assert '<span class="text">tom lives in rome</span> <span class="class c1">home</span>' in said.answer
    assert "3 examples:" in said.summary
    assert '<span class="class c2">job <small>1</small></span>' in said.summary


def test_marks_have_the_colours_of_the_report(trial):
    said = reply(trial, WORDS, "anna lives in paris", "[anna](person) lives in [paris](place)", False)
    assert '<mark class="c1">anna<span class="tag">person</span></mark> lives in <mark class="c2">paris' in said.answer
    said = reply(
        trial, PAIRS, "[a](head) in [b](tail)", "# x\n[a](head) in [b](tail)\n# y\n[a](head) at [b](tail)", False
    )
    assert '<mark class="c0">a<span class="tag">head</span></mark> in <mark class="c0">b' in said.answer


@pytest.mark.parametrize("task", [TEXTS, WORDS], ids=lambda task: task.name)
def test_whatever_is_typed_is_text(trial, task):
    sheet = (
        f"# {HOSTILE}\n{HOSTILE}\n# b\nc\n" if task is TEXTS else f"[anna](\\({HOSTILE.replace(')', chr(92) + ')')})\n"
    )
    said = reply(trial, task, f"anna {HOSTILE}", sheet, False, None, {f"anna {HOSTILE}": Expected(HOSTILE, None)})
    for html in (said.answer, said.summary):
        assert "&lt;script&gt;" in html
        assert not [sign for sign in ("<script", "<img", "${", "{{", "`", "\u202e") if sign in html]
    problem = reply(trial, task, "a", f"# a\n{HOSTILE}[<b>" if task is TEXTS else f"[<b>{HOSTILE}", False)
    assert "<b>" not in problem.answer + problem.summary


def test_examples_that_cannot_be_read_yet_leave_the_answer_of_those_before(trial):
    first = reply(trial, WORDS, "anna", "[anna](person) lives", False)
    broken = reply(trial, WORDS, "anna", "[anna](person) lives\nin [par", False, first.kept)
    assert broken.answer == first.answer
    assert "Line 2: expected words and their name as in [Paris](city), got [par." in broken.summary
    assert "Until then the examples before count." in broken.summary
    assert "1 example:" in broken.summary
    assert broken.kept.sheet == "[anna](person) lives"


def test_without_any_examples_that_can_be_read_there_is_no_answer(trial):
    said = reply(trial, TEXTS, "a", "", False)
    assert said.answer == '<p class="refused" role="status">No answer without examples.</p>'
    assert "There is no example yet." in said.summary
    assert said.kept is None


def test_a_sentence_that_cannot_be_asked_is_said_in_the_place_of_the_answer(trial):
    said = reply(trial, TEXTS, "  ", HOMES, False)
    assert said.answer == '<p class="refused" role="status">Type a sentence.</p>'


def test_what_was_said_before_the_examples_were_changed_stands_beside(trial):
    first = reply(trial, TEXTS, "tom lives in rome", HOMES, False)
    assert "Before you changed" not in first.answer
    turned = HOMES.replace("# home", "# work").replace("# job", "# home")
    second = reply(trial, TEXTS, "tom lives in rome", turned, False, first.kept)
    assert "Before you changed the examples: home." in second.answer
    assert '<ul class="bars changed">' in second.answer
    back = reply(trial, TEXTS, "tom lives in rome", HOMES, False, second.kept)
    assert "Before you changed" not in back.answer
    other = reply(trial, TEXTS, "mia", turned, False, second.kept)
    assert "Before you changed" not in other.answer


def test_an_episode_says_what_is_right(trial):
    sentence = "tom lives in rome"
    right, wrong, none = (
        reply(trial, TEXTS, sentence, HOMES, False, None, {sentence: Expected(label, None)}).answer
        for label in ("home", "job", "NOTA")
    )
    assert '<p class="expected right">✓ Right: the episode says home.</p>' in right
    assert '<p class="expected wrong">✗ Wrong: the episode says job.</p>' in wrong
    assert "✗ Wrong: the episode says none of the above." in none


def test_a_bug_is_a_sentence_on_the_page_and_a_traceback_in_the_log(caplog):
    assert said_or_problem(lambda: 1 / 0) == (None, "That is an error of this page, not of yours. Its log says more.")
    assert "ZeroDivisionError" in caplog.text


def test_every_ready_made_set_can_be_read_and_has_sentences():
    for task in map(task_of, ("classification", "tagging", "joint", "relation")):
        sets = words_of(task).sets
        assert sets
        for one in sets:
            sheet = read_sheet(one.examples, task)
            assert len(sheet.rows) >= 4
            assert sheet.empty == ()
            assert one.sentences
