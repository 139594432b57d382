"""Tag schemes turned into types alone, or B- and I-."""

import re

import pytest

from hf_fewshot.labelled import LabelledError, read_labelled


def tagged(*sentences):
    """Tags of sentences of so many words, as they come out."""
    rows = [{"tokens": [f"w{n}" for n in range(len(tags.split()))], "tags": tags} for tags in sentences]
    return [" ".join(row["tags"]) for row in read_labelled(rows, "tagging")]


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["O city city O", "person O"], ["O city city O", "person O"]),
        (["B-x I-x B-x O I-y"], ["B-x I-x B-x O B-y"]),
        # IOB1: B- only where two of a type touch.
        (["I-x I-x B-x O", "I-x I-y"], ["B-x I-x B-x O", "B-x B-y"]),
        (["S-x B-y I-y E-y S-y", "O B-x E-x"], ["B-x B-y I-y I-y B-y", "O B-x I-x"]),
        (["U-x B-y I-y L-y U-y", "O B-x L-x"], ["B-x B-y I-y I-y B-y", "O B-x I-x"]),
        (["S-x S-x O"], ["B-x B-x O"]),
        (["O O"], ["O O"]),
        # Types that only look like tags of a scheme.
        (["E-mail E-mail O"], ["E-mail E-mail O"]),
        (["B-cell O virus"], ["B-cell O virus"]),
        (["person-actor O art-film"], ["person-actor O art-film"]),
        (["I I P"], ["I I P"]),
    ],
)
def test_every_scheme_is_read(sentences, expected):
    assert tagged(*sentences) == expected


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (["B I O"], "the list: expected tags with a type, got the letters B, I alone. Write the type"),
        (["B- O"], "the list: expected tags with a type, got 'B-'"),
        (["B-x I-x", "x O"], "the list: expected tags of one scheme, got Expected tags that all have B- or I-"),
        (["B-x L-x S-y E-y"], "the list: expected tags of one scheme, got tags that begin with B, E, L, S"),
        (["S-x O", "B-x I-x O"], "row 1: expected a sentence in BIOES, got O behind I-x at word 3. Correct the tags."),
        (["S-x O", "B-x I-x"], "row 1: expected a sentence in BIOES, got its end behind I-x at word 3"),
        (["S-x I-x E-x"], "row 0: expected a sentence in BIOES, got I-x behind S-x at word 2"),
        (["U-x O B-x L-y"], "row 0: expected a sentence in BILOU, got L-y behind B-x at word 4"),
        (["E-x S-x"], "row 0: expected a sentence in BIOES, got E-x behind nothing at word 1"),
    ],
)
def test_what_no_scheme_allows_is_refused(sentences, message):
    with pytest.raises(LabelledError, match=re.escape(message)):
        tagged(*sentences)


def test_slots_beside_an_intent_always_have_b_and_i():
    rows = [{"tokens": ["to", "New", "York"], "slot_tags": ["O", "city", "city"], "intent": "fly"}]
    assert read_labelled(rows, "joint")[0]["slot_tags"] == ["O", "B-city", "I-city"]
