"""Episodes as padded tensors."""

import pytest

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.episode_batch import EpisodeBatcher
from tests.small_episodes import TAGGED, episodes_of, relation


def test_tagging_has_a_label_per_word_with_o_first(tagging_episodes):
    batcher = EpisodeBatcher(tagging_episodes, "words")
    batch = batcher(tagging_episodes[:])
    # Sentences begin at words 0, 5, 10, 18, 23, 28.
    assert batch.support_rows[0].tolist() == [0, 1, 2, 3, 4, *[0] * 13]
    assert batch.support_labels[0].tolist() == [1, 0, 0, 2, 0, *[-1] * 13]
    assert batch.query_rows[0].tolist() == [18, 19, 20, 21, 22, 28, *[0] * 4]
    assert batch.labels[0].tolist() == [1, 0, 0, 0, 2, 2, *[-100] * 4]
    assert batch.n_classes == 4
    assert batcher.names(tagging_episodes[0], "NOTA") == ["O", "person", "place"]


def test_a_type_that_is_not_asked_for_is_no_support_and_o_in_the_query(tagging_episodes):
    batch = EpisodeBatcher(tagging_episodes, "words")([tagging_episodes[2]])
    # "paul is at the bank" supports org; "paul" is of another type.
    assert batch.support_labels.tolist() == [[-1, 0, 0, 1, 1]]
    assert batch.labels.tolist() == [[1, 1, 1, 1, 0, 0, 0, 0]]


def test_prefixes_of_bio_tags_are_dropped():
    bio = [
        {"id": "a", "tokens": ["anna", "in", "new", "york"], "tags": ["B-per", "O", "B-loc", "I-loc"]},
        {"id": "b", "tokens": ["tom", "rome"], "tags": ["B-per", "B-loc"]},
    ]
    episodes = episodes_of("tagging", bio, Episode(("loc", "per"), (0,), (1,)))
    batch = EpisodeBatcher(episodes, "words")(episodes[:])
    assert batch.support_labels.tolist() == [[2, 0, 1, 1]]
    assert batch.labels.tolist() == [[2, 1]]


def test_relations_have_one_label_and_none_of_the_above_comes_last(relation_episodes):
    batcher = EpisodeBatcher(relation_episodes, "markers")
    batch = batcher([relation_episodes[0], relation_episodes[2]])
    assert batch.support_rows.tolist() == [[0, 2], [5, 1]]
    assert batch.support_labels.tolist() == [[0, 1], [0, 1]]
    assert batch.query_rows.tolist() == [[1, 3, 4], [0, 4, 6]]
    assert batch.labels.tolist() == [[0, 1, 2], [1, 0, 2]]
    assert batch.n_classes == 2
    assert batcher.names(relation_episodes[0], "NOTA") == ["lives", "works", "NOTA"]


def test_none_of_the_above_comes_after_the_classes_of_the_largest_episode(relation_episodes):
    batch = EpisodeBatcher(relation_episodes, "pair")(relation_episodes[:])
    assert batch.n_classes == 3
    assert batch.labels.tolist() == [[0, 1, 3], [2, -100, -100], [1, 0, 3]]
    assert batch.support_labels.tolist() == [[0, 1, -1, -1, -1], [0, 0, 1, 1, 2], [0, 1, -1, -1, -1]]


def test_vectors_may_begin_anywhere(relation_episodes):
    batch = EpisodeBatcher(relation_episodes, "mean")([relation_episodes[0]], starts=range(10, 170, 10))
    assert batch.support_rows.tolist() == [[10, 30]]
    assert batch.query_rows.tolist() == [[20, 40, 50]]


def test_texts_are_classified_by_their_label(text_episodes):
    batch = EpisodeBatcher(text_episodes, "mean")(text_episodes[:])
    assert batch.labels.tolist() == [[0, 1, 3], [2, 1, -100]]


def test_joint_episodes_need_another_model():
    episodes = episodes_of("joint", [], Episode(("intent:a",), (), ()))
    with pytest.raises(ValueError, match=r"Joint episodes \(intents and slots\) need a JointModel, got a Few"):
        EpisodeBatcher(episodes, "words")


def test_a_class_that_no_example_has_is_just_without_support():
    episodes = episodes_of("tagging", TAGGED, Episode(("film", "person"), (0,), (3,)))
    batch = EpisodeBatcher(episodes, "words")(episodes[:])
    assert batch.support_labels.tolist() == [[2, 0, 0, -1, 0]]
    assert batch.n_classes == 3


@pytest.mark.parametrize(
    ("task", "representation", "wanted"),
    [
        ("tagging", "markers", '"words"'),
        ("relation", "words", '"markers" or "mean" or "pair"'),
        ("classification", "markers", '"sentence" or "mean"'),
    ],
)
def test_a_representation_that_does_not_fit_the_task_is_refused(task, representation, wanted):
    episodes = episodes_of(task, [], Episode(("a",), (), ()))
    with pytest.raises(ValueError, match=f"Episodes of task '{task}' need representation={wanted}, got"):
        EpisodeBatcher(episodes, representation)


def test_every_word_must_have_a_tag():
    uneven = [*TAGGED, {"id": "odd", "tokens": ["a", "b"], "tags": ["O"]}]
    with pytest.raises(ValueError, match="Example 'odd' has 2 words but 1 tags"):
        EpisodeBatcher(episodes_of("tagging", uneven), "words")


def test_an_episode_may_have_no_query():
    episodes = episodes_of("relation", [relation(0, "a b", (0, 1), (1, 2))], Episode(("r",), (0,), ()))
    assert EpisodeBatcher(episodes, "markers")(episodes[:]).labels.shape == (1, 0)
