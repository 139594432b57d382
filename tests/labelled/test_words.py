"""Texts as words with their places."""

import pytest

from hf_fewshot.labelled.words import split_words


def words(text):
    return [text[start:end] for start, end in split_words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Flights to Munich.", ["Flights", "to", "Munich", "."]),
        ("don't pay 3.50€!", ["don", "'", "t", "pay", "3", ".", "50", "€", "!"]),
        ("a_b  c\td\n", ["a", "_", "b", "c", "d"]),
        ("Zu\u0308rich", ["Zu\u0308rich"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("明天去Berlin", ["明", "天", "去", "Berlin"]),
        ("か\u3099く", ["か\u3099", "く"]),
        ("❤\ufe0f ok", ["❤\ufe0f", "ok"]),
        ("Dampf\u00adschiff", ["Dampf\u00adschiff"]),
        ("one\u200btwo", ["one", "two"]),
        ("a\x00b", ["a", "b"]),
        ("\u0301a", ["a"]),
        ("  ", []),
        ("", []),
    ],
)
def test_a_word_is_a_run_of_letters_and_digits_or_one_other_character(text, expected):
    assert words(text) == expected


def test_places_count_characters_of_the_text():
    assert split_words("To  Munich.") == [(0, 2), (4, 10), (10, 11)]


def test_a_letter_after_a_single_character_begins_a_word():
    assert words("-a\u0301b-") == ["-", "a\u0301b", "-"]
