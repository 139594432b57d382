"""The function behind the button of a Space, without a browser."""

import evaluate
import pytest

from hf_fewshot.metrics.s1.demo import Option, Page, lines_of, score_page


@pytest.fixture
def score(project):
    page = Page(
        title="S1",
        intro="",
        line_help="",
        parse=str.split,
        predictions="",
        references="",
        headline=("s1",),
        options=(
            Option("normalize", "", {"raw": "none", "like SQuAD": "squad", "<b>": "<script>"}),
            Option("multi_reference", "", {"set": "set", "best": "max"}),
        ),
    )
    return score_page(evaluate.load(str(project / "metrics" / "s1")), page)


def test_typed_lines_are_scored(score):
    summary, rows = score("a b\nc", "a b\nd", "", "raw", "set")
    assert "<span>s1</span><b>0.5000</b>" in summary
    assert rows == [["s1", "0.5000"], ["always_empty_s1", "0.0000"], ["n", "2"]]


def test_options_and_groups_reach_the_metric(score):
    assert score("A", "a b", "", "like SQuAD", "best")[1][0] == ["s1", "1.0000"]
    summary, _ = score("a", "a", "x\ny", "raw", "set")
    assert "2 groups for 1 examples" in summary


def test_a_wrong_input_is_answered_with_the_message_and_without_running_it_as_html(score):
    summary, rows = score("a\nb", "a", "", "raw", "set")
    assert "Not scored.</b> 2 predictions for 1 references" in summary
    assert rows == []
    summary, _ = score("a", "a", "", "<b>", "set")
    assert "&lt;script&gt;" in summary
    assert "<script>" not in summary


def test_empty_lines_are_skipped():
    assert lines_of(" a \n\n b\n") == ["a", "b"]
    assert lines_of(None) == []
