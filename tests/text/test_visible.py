"""What strangers wrote is shown, never sent to the terminal."""

import pytest

from hf_fewshot.text.visible import visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("art-film", "art-film"),
        ("Zürich 你好 👩‍🚀", "Zürich 你好 👩‍🚀"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\rb\x07\x9b", "a\\rb\\x07\\x9b"),
        ("two\nlines\tand", "two\nlines\\tand"),
        ("\u202eevil\u2028x", "\\u202eevil\\u2028x"),
        ("half \ud800", "half \\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("no characters \uffff\ufdd0\U0001fffe", "no characters \\uffff\\ufdd0\\U0001fffe"),
    ],
)
def test_characters_that_act_are_shown(text, expected):
    assert visible(text) == expected


def test_a_name_stays_on_one_line():
    assert visible("two\nlines", keep="") == "two\\nlines"
