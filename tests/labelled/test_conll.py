"""Files with a word and its tag per line."""

import re

import pytest

from hf_fewshot.labelled import LabelledError, read_labelled

SENTENCES = [
    {"id": "0", "tokens": ["Anna", "lives", "."], "tags": ["B-PER", "O", "O"]},
    {"id": "1", "tokens": ["Rome", "Paris"], "tags": ["B-LOC", "B-LOC"]},
]
FOUR_COLUMNS = """-DOCSTART- -X- -X- O

Anna NNP B-NP B-PER
lives VBZ B-VP O
. . O O

-DOCSTART- -X- -X- O

Rome NNP B-NP B-LOC
Paris NNP B-NP B-LOC
"""


@pytest.fixture
def read(tmp_path):
    def read(text, columns=None, name="ner.conll", task="tagging"):
        (tmp_path / name).write_bytes(text.encode())
        return read_labelled(tmp_path / name, task, columns)

    return read


@pytest.mark.parametrize("name", ["ner.conll", "ner.txt", "ner.bio", "ner.iob2"])
@pytest.mark.parametrize("separator", [" ", "\t", "  "])
def test_the_first_and_the_last_column_are_word_and_tag_whatever_parts_them(read, separator, name):
    assert read(FOUR_COLUMNS.replace(" ", separator), name=name) == SENTENCES


def test_other_columns_are_chosen_by_number(read):
    rows = read(FOUR_COLUMNS, {"tokens": "2", "tags": "3"})
    assert rows[0] == {"id": "0", "tokens": ["NNP", "VBZ", "."], "tags": ["B-NP", "B-VP", "O"]}
    assert read(FOUR_COLUMNS, {"text": "1", "tags": "4"}) == SENTENCES


def test_windows_line_ends_byte_order_marks_and_blank_lines_with_spaces_change_nothing(read):
    text = "\ufeff" + FOUR_COLUMNS.replace("\n\n", "\n \t\n\n").replace("\n", "\r\n")
    assert read(text) == SENTENCES


def test_words_may_hold_white_space_other_than_the_separator(read):
    assert read("New\u00a0York B-x\n")[0]["tokens"] == ["New\u00a0York"]
    assert read("New York\tB-x\n")[0]["tokens"] == ["New York"]


def test_comments_before_a_sentence_are_left_out_and_the_word_hash_is_not(read):
    text = "# text = Anna lives\nAnna\tB-PER\n#\tO\nlives\tO\n\n# id 2\n#\tO\nis\tO\n"
    assert [row["tokens"] for row in read(text)] == [["Anna", "#", "lives"], ["#", "is"]]
    assert [row["tokens"] for row in read("Anna B-PER\n\n# O\n1 O\n")] == [["Anna"], ["#", "1"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Anna\tB-PER\nRome\n", ', line 2: expected 2 columns as in the lines before, got 1: "Rome". Give every word'),
        ("Anna\n", ', line 1: expected a word and, after a tab or space, its tag, got "Anna". Write one word per'),
        ("-DOCSTART-\n", ": expected a word and, after a tab or space, its tag, got no line with words"),
        ("Anna\tB-PER\n\tO\n", ', line 2: expected a word and its tag, got "\\tO"'),
        (
            "Anna B-PER\n\n# sent\nlives O\n",
            ", line 3: expected a word with a tag that other lines have, or a comment",
        ),
        ("Anna B-PER\nlives I- \n", ": expected tags with a type, got 'I-'"),
        ("", ": expected rows of data, got an empty file"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(read, text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read(text)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"tags": "5"}, "expected the number of the column for tags, from 1 to 4, got '5'. Count the columns"),
        ({"tags": "ner"}, "expected the number of the column for tags, from 1 to 4, got 'ner'"),
        ({"tag": "2"}, "'tag' is no column of a file with a word per line. Did you mean 'tags'?"),
    ],
)
def test_columns_are_numbers(read, columns, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read(FOUR_COLUMNS, columns)


@pytest.mark.parametrize("task", ["classification", "relation", "joint"])
def test_other_tasks_have_no_such_files(read, task):
    message = f"expected a file with the columns of task '{task}' .* got one with a word per line"
    with pytest.raises(LabelledError, match=message):
        read(FOUR_COLUMNS, task=task)


@pytest.mark.shared_data
@pytest.mark.parametrize("domain", ["ai", "literature", "music"])
def test_crossner_is_read_as_it_is(shared_data, domain):
    for path in sorted((shared_data / "CrossNER" / domain).glob("*.txt")):
        rows = read_labelled(path, "tagging")
        lines = [tuple(line.split("\t")) for line in path.read_text().split("\n") if line.strip()]
        assert [pair for row in rows for pair in zip(row["tokens"], row["tags"], strict=True)] == lines
