"""Joint episodes as padded tensors, and the names of their labels as words."""

import pytest

from hf_fewshot.encoding.tensors import Tensors
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.joint_batch import JointBatcher, intents_of, name_words, tags_of
from tests.small_episodes import JOINT, TAGGED, episodes_of


def lists(tensors):
    """A batch as plain values; what it does not have is left out."""
    return {
        name: lists(part) if isinstance(part, Tensors) else part if isinstance(part, int) else part.tolist()
        for name, part in tensors.by_name().items()
        if part is not None
    }


def test_an_episode_is_rows_of_words_with_tags_and_intents(joint_episodes):
    # The words of the utterances begin at 0, 4, 9, 16, 20, 25, 26. The episode knows no persons.
    assert lists(JointBatcher(joint_episodes)([joint_episodes[1]])) == {
        "n_intents": 2,
        "n_tags": 3,
        "support": {
            "rows": [[[20, 21, 22, 23, 24], [25, 0, 0, 0, 0]]],
            "lengths": [[5, 1]],
            "tags": [[[0, -1, 0, 0, 1], [1, -1, -1, -1, -1]]],
            "intents": [[0, 1]],
        },
        "query": {
            "rows": [[[0, 1, 2, 3, 0, 0, 0], [9, 10, 11, 12, 13, 14, 15]]],
            "lengths": [[4, 7]],
            "tags": [[[-1, 0, 0, 1, -1, -1, -1], [-1, 0, 0, 1, 2, 2, 2]]],
            "intents": [[1, 1]],
        },
    }


def test_a_batch_is_filled_up_to_its_largest_episode(joint_episodes):
    batch = lists(JointBatcher(joint_episodes)(joint_episodes[1:]))
    assert (batch["n_intents"], batch["n_tags"]) == (2, 5)
    assert batch["support"]["lengths"] == [[5, 1], [5, 0]]
    assert batch["support"]["intents"] == [[0, 1], [0, -1]]
    # O, B-org, I-org, B-person, I-person.
    assert batch["support"]["tags"][1] == [[3, 0, 0, 1, 2], [-1] * 5]
    assert batch["query"]["lengths"] == [[4, 7, 0], [7, 4, 1]]
    assert batch["query"]["intents"] == [[1, 1, -1], [0, 0, -1]]
    assert batch["query"]["tags"][1] == [[1, 2, 0, 0, 0, -1, 0], [3, 0, 0, -1, -1, -1, -1], [-1] * 7]
    assert batch["query"]["rows"][1][1:] == [[16, 17, 18, 19, 0, 0, 0], [25, 0, 0, 0, 0, 0, 0]]


def test_vectors_may_begin_anywhere(joint_episodes):
    batcher = JointBatcher(joint_episodes)
    batch = batcher([joint_episodes[2]], starts=batcher.starts + 100)
    assert batch.support.rows.tolist() == [[[104, 105, 106, 107, 108]]]
    assert batch.support.tags.tolist() == [[[3, 0, 0, 1, 2]]]


def test_the_order_of_classes_is_the_order_of_scores(joint_episodes):
    assert intents_of(joint_episodes[0]) == ["lives", "works"]
    assert tags_of(joint_episodes[0]) == ["O", "B-person", "I-person", "B-place", "I-place", "B-org", "I-org"]
    assert tags_of(Episode(("intent:a",), (), ())) == ["O"]


def test_names_are_further_examples_after_those_of_the_table(joint_episodes):
    batcher = JointBatcher(joint_episodes, with_names=True)
    assert batcher.names == {
        "B-org": 7,
        "B-person": 8,
        "B-place": 9,
        "I-org": 10,
        "I-place": 11,
        "O": 12,
        "born": 13,
        "lives": 14,
        "works": 15,
        "I-person": 16,  # no utterance has it
    }
    assert batcher.used([joint_episodes[1]]) == [0, 2, 4, 5, 9, 11, 12, 13, 14]
    assert batcher.sentences([0, 9, 12]) == [
        {"id": "j0", "tokens": ["anna", "lives", "in", "paris"]},
        {"id": "B-place", "tokens": ["begin", "place"]},
        {"id": "O", "tokens": ["other"]},
    ]
    assert JointBatcher(joint_episodes).used([joint_episodes[1]]) == [0, 2, 4, 5]


def test_names_have_rows_of_their_own(joint_episodes):
    batch = lists(JointBatcher(joint_episodes, with_names=True)(joint_episodes[1:]))
    # 33 words of utterances, then those of the names: two for a tag, one for O and an intent.
    other, place, inside_place = [43, 43], [37, 38], [41, 42]
    assert batch["tag_names"]["rows"][0][:3] == [other, place, inside_place]
    assert batch["tag_names"]["rows"][1] == [other, [33, 34], [39, 40], [35, 36], [47, 48]]
    assert batch["tag_names"]["lengths"] == [[1, 2, 2, 0, 0], [1, 2, 2, 2, 2]]
    assert batch["intent_names"]["rows"] == [[[44], [45]], [[46], [0]]]
    assert batch["intent_names"]["lengths"] == [[1, 1], [1, 0]]


def test_only_the_rows_of_a_batch_are_taken(joint_episodes):
    batcher = JointBatcher(joint_episodes, with_names=True)
    batch, rows = batcher([joint_episodes[1]]).compact()
    # Of the utterances that begin at 0, 9, 20 and 25, and of the names from 33 on.
    assert rows.tolist() == [0, 1, 2, 3, *range(9, 16), *range(20, 26), 37, 38, 41, 42, 43, 44, 45]
    whole = batcher([joint_episodes[1]])
    for name in ("support", "query", "tag_names", "intent_names"):
        before, after = (getattr(own, name) for own in (whole, batch))
        assert rows[after.rows.numpy()].tolist() == before.rows.tolist()
        assert after.lengths.tolist() == before.lengths.tolist()
    assert (batch.n_intents, batch.n_tags) == (2, 3)
    assert batch.query.tags.tolist() == whole.query.tags.tolist()


def test_a_slot_that_only_continues_has_names_for_both_its_tags():
    examples = [{"id": "a", "domain": "d", "tokens": ["x", "y"], "intent": "i", "slot_tags": ["O", "I-city"]}]
    episodes = episodes_of("joint", examples, Episode(("intent:i", "slot:city"), (0,), (0,)))
    batch = JointBatcher(episodes, with_names=True)(episodes[:])
    assert batch.support.tags.tolist() == [[[0, 2]]]
    assert batch.tag_names.lengths.tolist() == [[1, 2, 2]]


def test_a_class_that_no_example_has_is_just_without_support():
    classes = ("intent:lives", "intent:fly", "slot:film", "slot:place")
    episodes = episodes_of("joint", JOINT, Episode(classes, (0,), (5,)))
    for with_names in (False, True):
        batch = JointBatcher(episodes, with_names)(episodes[:])
        assert (batch.n_intents, batch.n_tags) == (2, 5)
        assert batch.support.tags.tolist() == [[[-1, 0, 0, 3]]]


def test_an_episode_may_have_no_query():
    episodes = episodes_of("joint", JOINT, Episode(("intent:lives", "slot:place"), (0,), ()))
    batch = JointBatcher(episodes)(episodes[:])
    assert batch.query.lengths.shape == (1, 0)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("O", ["other"]),
        ("QUERY", ["query"]),
        ("B-city", ["begin", "city"]),
        ("I-city", ["inside", "city"]),
        ("B-destTemper_unit", ["begin", "dest", "temper", "unit"]),
        ("I-time-startYear2", ["inside", "time", "start", "year", "2"]),
        ("AddToPlaylist", ["add", "to", "playlist"]),
        ("HTTPServer", ["http", "server"]),
        ("party_size_number", ["party", "size", "number"]),
        ("B-城市", ["begin", "城市"]),
        ("地点Name", ["地点", "name"]),
        ("C-level", ["c", "level"]),
        ("?!", ["?!"]),
    ],
)
def test_labels_are_read_out_as_words(label, words):
    assert name_words(label) == words


def test_every_word_must_have_a_tag():
    uneven = [*JOINT, {"id": "odd", "domain": "d", "tokens": ["a", "b"], "intent": "i", "slot_tags": ["O"]}]
    with pytest.raises(ValueError, match="Example 'odd' has 2 words but 1 tags"):
        JointBatcher(episodes_of("joint", uneven))


def test_other_episodes_are_refused():
    with pytest.raises(ValueError, match=r"Expected joint episodes \(intents and slots\), got .* task 'tagging'"):
        JointBatcher(episodes_of("tagging", TAGGED))
