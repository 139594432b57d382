"""Sentences with marks, read and written."""

import pytest

from hf_fewshot.demo.marked_text import Mark, MarkedText, plain_text, read_marked, write_marked


def test_marks_are_taken_out_of_a_sentence_and_count_its_characters():
    found = read_marked("[Anna Weber](person) left [Berlin](city).")
    assert found == MarkedText("Anna Weber left Berlin.", (Mark(0, 10, "person"), Mark(16, 22, "city")))
    assert read_marked("nothing here") == MarkedText("nothing here")


def test_a_backslash_makes_signs_plain():
    assert read_marked(r"see \[1\] and [a\]b](x\)y) \\ \n").text == r"see [1] and a]b \ \n"
    assert read_marked(r"[a\]b](x\)y)").marks == (Mark(0, 3, "x)y"),)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("to [Paris", r"\[Paris"),
        ("to [Paris] now", r"\[Paris\] now"),
        ("to [Paris](city", r"\[Paris\]\(city"),
        ("to [Paris]()", r"\[Paris\]\(\)"),
        ("to [ ](city)", r"\[ \]\(city\)"),
        ("to [[Paris](city)](x)", r"\[\[Paris\]\(city\)\]\(x\)"),
        ("[" + "a" * 100, r"\[a{39}\.\.\."),
    ],
)
def test_a_bracket_that_is_no_mark_is_an_error_that_shows_it(line, shown):
    with pytest.raises(ValueError, match=rf"expected words and their name as in \[Paris\]\(city\), got {shown}\."):
        read_marked(line)


def test_what_is_written_is_read_again_as_it_was():
    text, marks = r"a [b] (c) \ # d", [Mark(2, 5, "x]y"), Mark(6, 9, "(z)")]
    line = write_marked(text, marks)
    assert line == r"a [\[b\]](x\]y) [\(c\)](\(z\)) \\ # d"
    assert read_marked(line) == MarkedText(text, tuple(marks))


def test_marks_within_marks_cannot_be_written():
    with pytest.raises(ValueError, match=r"^The marks of 'a b c' overlap"):
        write_marked("a b c", [Mark(0, 3, "x"), Mark(2, 5, "y")])


def test_a_sentence_that_is_asked_loses_its_marks_and_keeps_other_brackets():
    assert plain_text("to [Paris](city)") == "to Paris"
    assert plain_text("as in [1], f(x)[0]") == "as in [1], f(x)[0]"
