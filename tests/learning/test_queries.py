"""What may be asked."""

import pytest

from hf_fewshot.learning.queries import read_query
from hf_fewshot.tasks import task_of


def test_a_text_is_split_with_punctuation_apart_and_keeps_its_places():
    query = read_query(task_of("tagging"), "She lives in Munich.")
    assert query.example["tokens"] == ["She", "lives", "in", "Munich", "."]
    assert [query.text[start:end] for start, end in query.words] == ["She", "lives", "in", "Munich", "."]


def test_words_that_are_given_stand_in_a_text_with_spaces_or_without():
    query = read_query(task_of("tagging"), {"tokens": ["in", "St.", "Ives"]})
    assert (query.text, query.words) == ("in St. Ives", [(0, 2), (3, 6), (7, 11)])
    query = read_query(task_of("joint"), {"tokens": ["今", "天"]})
    assert (query.text, query.words) == ("今天", [(0, 1), (1, 2)])


def test_a_relation_counts_characters_of_a_text_or_words():
    in_text = {"text": "Mia lives in Rome.", "head": {"start": 0, "end": 3}, "tail": {"start": 13, "end": 17}}
    example = read_query(task_of("relation"), in_text).example
    assert example["tokens"] == ["Mia", "lives", "in", "Rome", "."]
    assert example["tail"]["mentions"] == [{"start": 3, "end": 4}]
    in_words = {"tokens": ["Mia", "lives"], "head": {"start": 0, "end": 1}, "tail": {"start": 1, "end": 2}}
    assert read_query(task_of("relation"), in_words).example["head"]["mentions"] == [{"start": 0, "end": 1}]


@pytest.mark.parametrize(
    ("task", "item", "message"),
    [
        ("classification", 3, r'Query 0: expected a text or {"text": \.\.\.}, got 3\.'),
        ("classification", "  ", r"Query 0: expected a text that is not empty, got '  '\."),
        ("classification", {"tekst": "a"}, r"Query 0: expected a text that is not empty, got None\."),
        ("tagging", "\u200b", r"Query 0: expected a text with words"),
        ("tagging", {"tokens": []}, r"Query 0: expected tokens as a list of words, got \[\]\."),
        ("tagging", {"tokens": "abc"}, r"Query 0: expected tokens as a list of words, got 'abc'\."),
        ("relation", "Mia lives in Rome", r"Query 0: expected a mapping with text, head and tail, got 'Mia"),
        (
            "relation",
            {"text": "Mia", "head": {"start": 0, "end": 9}, "tail": {"start": 0, "end": 3}},
            r"Query 0: expected head that holds a word of the 3 characters, got start 0 and end 9\.",
        ),
    ],
)
def test_what_is_no_query_is_said_so(task, item, message):
    with pytest.raises(ValueError, match=message):
        read_query(task_of(task), item)
