"""Examples as people write them: read, refused with their line, and written again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hf_fewshot.demo.limits import CLASSES, EXAMPLES, EXAMPLES_TEXT, SENTENCE
from hf_fewshot.demo.sheet import read_sheet, write_sheet
from hf_fewshot.tasks import task_of

TEXTS, WORDS, PAIRS, UTTERANCES = (task_of(name) for name in ("classification", "tagging", "relation", "joint"))


def test_texts_stand_below_the_name_of_their_class():
    sheet = read_sheet("# lost card\nI lost it\n\n  my card is gone  \n#delivery\nwhere is it?\n# refund\n", TEXTS)
    assert [(row["text"], row["label"]) for row in sheet.rows] == [
        ("I lost it", "lost card"),
        ("my card is gone", "lost card"),
        ("where is it?", "delivery"),
    ]
    assert sheet.empty == ("refund",)


def test_brackets_in_whole_texts_are_text():
    (row,) = read_sheet("# a\nsee [this](link) \\ and [that", TEXTS).rows
    assert row["text"] == "see [this](link) \\ and [that"


def test_entities_are_words_of_their_sentence():
    (row,) = read_sheet("[Anna Weber](person) left [Berlin](city).", WORDS).rows
    assert row["tokens"] == ["Anna", "Weber", "left", "Berlin", "."]
    assert row["tags"] == ["B-person", "I-person", "O", "B-city", "O"]


def test_intents_have_slots_and_relations_their_two_sides():
    (row,) = read_sheet("# play\nplay [jazz](genre) now", UTTERANCES).rows
    assert (row["intent"], row["slot_tags"]) == ("play", ["O", "B-genre", "O"])
    (row,) = read_sheet("# hired\n[Acme](tail) hired [Ben Li](head)", PAIRS).rows
    assert (row["relation"], row["head"]["mentions"], row["tail"]["mentions"]) == (
        "hired",
        [{"start": 2, "end": 4}],
        [{"start": 0, "end": 1}],
    )


@pytest.mark.parametrize(
    ("task", "text", "message"),
    [
        (TEXTS, "a text", r"^Line 1: expected the name of a class first, as in: # label$"),
        (TEXTS, "# a\nb\n#  \nc", r"^Line 3: expected the name of a class behind #\. Write it\.$"),
        (
            TEXTS,
            "# a\n" + "b" * (SENTENCE + 1),
            r"^Line 2: The sentence has 2,001 characters, and this page takes 2,000",
        ),
        (WORDS, "# a\nb", r"^Line 1: the words are marked here, so there is no class above the sentences\.$"),
        (
            WORDS,
            "a\nb",
            r"^Nothing is marked yet\. Mark words in the sentences, as in: She moved to \[Paris\]\(city\)",
        ),
        (WORDS, "[a](x)\n[b](x", r"^Line 2: expected words and their name as in \[Paris\]\(city\), got \[b\]\(x\."),
        (WORDS, "[...](x) \n[\u200b](x)", r"^Line 2: expected an entity that holds a word of the 1 characters"),
        (
            PAIRS,
            "# a\n[x](head) y",
            r"^Line 2: expected one head and one tail, as in \[Anna\]\(head\) .*, got head\.$",
        ),
        (PAIRS, "# a\nx [y](tail) [z](place)", r"^Line 2: expected one head and one tail, .*, got place, tail\.$"),
        (PAIRS, "# a\nx", r"^Line 2: expected one head and one tail, .*, got no mark\.$"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(task, text, message):
    with pytest.raises(ValueError, match=message):
        read_sheet(text, task)


def test_a_page_takes_so_much_and_says_how_much():
    with pytest.raises(ValueError, match=r"^The text of the examples has 200,001 characters"):
        read_sheet("a" * (EXAMPLES_TEXT + 1), TEXTS)
    with pytest.raises(ValueError, match=r"^These are 501 examples, and this page takes 500\. Leave some out"):
        read_sheet("# a\n" + "b\n" * (EXAMPLES + 1), TEXTS)
    with pytest.raises(ValueError, match=r"^These are 101 classes"):
        read_sheet("".join(f"# {number}\nb\n" for number in range(CLASSES + 1)), TEXTS)


def test_classes_are_written_once_in_the_order_they_come():
    rows = [{"id": str(n), "text": text, "label": label} for n, (text, label) in enumerate(["xb", "ya", "zb"])]
    assert write_sheet(rows, TEXTS) == "# b\nx\nz\n\n# a\ny\n"


# Signs that mean something on a sheet, and white space that ends lines elsewhere.
SIGNS = st.text(st.sampled_from("ab[]()#\\ \n\u2028:"), min_size=1, max_size=12).filter(lambda text: text.strip())


@given(st.lists(st.tuples(SIGNS, SIGNS), min_size=1, max_size=4))
def test_whatever_texts_hold_is_read_again_but_for_white_space(pairs):
    rows = [{"id": str(n), "text": text, "label": label} for n, (text, label) in enumerate(pairs)]
    expected = sorted((" ".join(label.split()), " ".join(text.split())) for text, label in pairs)
    assert sorted((row["label"], row["text"]) for row in read_sheet(write_sheet(rows, TEXTS), TEXTS).rows) == expected


@given(
    st.lists(st.tuples(st.text(st.sampled_from("ab[]()#\\"), min_size=1, max_size=4), SIGNS), min_size=1, max_size=6)
)
def test_whatever_marked_words_hold_is_read_again(words):
    tokens = ["start", *(token for token, _ in words)]
    tags = ["B-first", *(f"B-{name}" for _, name in words)]
    (row,) = read_sheet(write_sheet([{"id": "0", "tokens": tokens, "tags": tags}], WORDS), WORDS).rows
    begun = [tag[2:] for tag in row["tags"] if tag.startswith("B-")]
    assert begun == ["first", *(" ".join(name.split()) for _, name in words)]
    assert "".join(row["tokens"]) == "".join(tokens)
