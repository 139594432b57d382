"""Entities of BIO tags are read one by one: two of a type that touch are two."""

import numpy as np
import pytest

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scoring import score
from hf_fewshot.methods.nearest_neighbour import count_transitions
from hf_fewshot.tasks.tagging import Tagging
from hf_fewshot.tasks.tags import split_tags, tag_spans
from tests.small_episodes import episodes_of

ROWS = [
    {"id": "0", "tokens": ["rome", "paris", "is"], "tags": ["B-place", "B-place", "O"]},
    {"id": "1", "tokens": ["the", "bank", "anna"], "tags": ["B-org", "I-org", "B-person"]},
    {"id": "2", "tokens": ["a", "in"], "tags": ["O", "O"]},
]


@pytest.fixture
def episodes():
    return episodes_of("tagging", ROWS, Episode(("place", "person"), (0,), (0, 1, 2)))


def test_references_keep_what_begins_an_entity_and_leave_other_types_out(episodes):
    assert list(references(episodes)) == [[["B-place", "B-place", "O"], ["O", "O", "B-person"], ["O", "O"]]]


@pytest.mark.parametrize(
    ("first", "correct", "predicted"),
    [
        (["B-place", "B-place", "O"], 3, 3),
        (["B-place", "I-place", "O"], 1, 2),
        # A network says types alone: a run of one is one entity, not two.
        (["place", "place", "O"], 1, 2),
        (["place", "O", "place"], 2, 3),
    ],
)
def test_two_entities_of_a_type_that_touch_are_two(episodes, first, correct, predicted):
    found = score(episodes, [[first, ["O", "O", "person"], ["O", "O"]]])
    assert (found["n_references"], found["n_correct"], found["n_predictions"]) == (3, correct, predicted)


def plain_entities(tags):
    """First word, word after the last and type of each entity, one word at a time."""
    found = []
    for place, tag in enumerate([*tags, "O"]):
        before = tags[place - 1] if place else "O"
        goes_on = tag.startswith("I-") and before != "O" and before[2:] == tag[2:]
        if found and found[-1][1] is None and not goes_on:
            found[-1][1] = place
        if tag != "O" and not goes_on:
            found.append([place, None, tag[2:]])
    return [tuple(one) for one in found]


def test_scores_equal_those_of_a_plain_loop_on_random_tags():
    generator = np.random.default_rng(0)
    choices = ["O", "O", "B-a", "I-a", "B-b", "I-b"]
    gold, found = (
        [generator.choice(choices, size=size).tolist() for size in generator.integers(1, 9, size=200)]
        for generator in (np.random.default_rng(1), np.random.default_rng(1))
    )
    found = [[tag if generator.random() < 0.7 else str(generator.choice(choices)) for tag in tags] for tags in found]
    counts = [0, 0, 0]
    for right, tags in zip(gold, found, strict=True):
        assert tag_spans(right) == plain_entities(right)
        one, other = set(plain_entities(right)), set(plain_entities(tags))
        counts = [a + b for a, b in zip(counts, (len(one & other), len(other), len(one)), strict=True)]
    scores = Tagging().score(found, gold, [0] * len(gold))
    assert [scores[name] for name in ("n_correct", "n_predictions", "n_references")] == counts
    assert min(counts) > 100


def test_words_are_confused_by_their_types():
    pairs = Tagging().confused(["B-place", "I-place", "O"], ["place", "person", "O"])
    assert pairs == [("place", "place"), ("place", "person"), ("O", "O")]


def test_tags_in_both_ways_are_refused():
    with pytest.raises(ValueError, match=r"got 'B-place' and 'place'. Write them in one way"):
        split_tags(["O", "B-place", "place"])
    assert split_tags(["B-cell", "virus"]) == (["B-cell", "virus"], [False, False])
    mixed = episodes_of("tagging", [*ROWS, {**ROWS[1], "tags": ["org", "org", "O"]}], Episode(("org",), (1,), (0,)))
    with pytest.raises(ValueError, match="Expected tags that all have B- or I-"):
        list(references(mixed))


def test_bio_predictions_of_io_data_are_refused():
    with pytest.raises(ValueError, match=r"types alone \(IO\), got 'B-place'. Leave B- and I- out"):
        Tagging().score([["B-place", "O"]], [["place", "O"]], [0])


def test_types_that_look_like_bio_tags_are_scored_as_types():
    rows = [
        {"id": "0", "tokens": ["a", "b"], "tags": ["B-cell", "B-cell"]},
        {"id": "1", "tokens": ["c", "d"], "tags": ["virus", "O"]},
    ]
    episodes = episodes_of("tagging", rows, Episode(("B-cell", "virus"), (1,), (0, 1)))
    found = score(episodes, [[["B-cell", "B-cell"], ["virus", "O"]]])
    assert (found["n_references"], found["n_predictions"], found["n_correct"]) == (2, 2, 2)


def test_bio_predictions_where_nothing_is_right_are_entities_too_many():
    found = Tagging().score([["B-place", "B-place"]], [["O", "O"]], [0], scheme="bio")
    assert (found["n_predictions"], found["n_references"]) == (2, 0)


def test_only_tags_of_the_episode_are_predictions_of_it():
    row = ROWS[0]
    assert Tagging().wrong(["B-place", "I-place", "O"], row, ["place"]) == ""
    assert Tagging().wrong(["place", "place", "O"], row, ["place"]) == ""
    assert "some tags have B- or I-, others have not" in Tagging().wrong(["B-place", "place", "O"], row, ["place"])
    assert "tags B-org are none of the episode's" in Tagging().wrong(["B-org", "O", "O"], row, ["place"])


def test_transitions_of_bio_tags_are_those_of_their_types():
    bio = [["O", "B-a", "I-a", "O", "O"], ["B-b", "I-b", "B-a", "O"]]
    io = [["O", "a", "a", "O", "O"], ["b", "b", "a", "O"]]
    assert (
        count_transitions(bio)
        == count_transitions(io)
        == pytest.approx([1 / 2, 1 / 2, 1 / 2, 1 / 2, 2 / 5, 2 / 5, 1 / 5])
    )
