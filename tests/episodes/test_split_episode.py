"""A train and a test split as one episode."""

import pytest

from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.split_episode import original_id, split_episode

TRAIN = [{"text": "give it back", "label": "refund"}, {"text": "where is it?", "label": "delivery"}]
TEST = [{"text": "my money", "label": "refund"}]


def test_ids_are_positions_and_classes_are_those_of_the_rows():
    episodes = split_episode("classification", TRAIN, TEST)
    assert episodes[0].classes == ("refund", "delivery")
    assert (episodes[0].support, episodes[0].query) == ((0, 1), (2,))
    assert [original_id(episodes, row) for row in range(3)] == ["0", "1", "0"]
    assert len(set(episodes.example_ids)) == 3
    assert list(references(episodes)) == [["refund"]]


def test_given_ids_and_classes_stay():
    rows = [{"id": "q7", **TEST[0]}]
    episodes = split_episode("classification", TRAIN, rows, ["refund"])
    assert episodes[0].classes == ("refund",)
    assert original_id(episodes, 2) == "q7"


def test_classes_of_tags_and_of_intents_are_told_by_the_task():
    tagged = [{"tokens": ["Rome"], "tags": ["B-city"]}]
    assert split_episode("tagging", tagged, tagged)[0].classes == ("city",)
    row = {"domain": "", "tokens": ["Rome"], "slot_tags": ["B-city"], "intent": "fly"}
    assert split_episode("joint", [row], [row])[0].classes == ("intent:fly", "slot:city")


def test_without_rows_to_learn_from_the_classes_are_those_that_are_asked():
    assert split_episode("classification", [], TEST)[0].classes == ("refund",)


def test_rows_that_lack_a_column_are_refused():
    with pytest.raises(ValueError, match="Row 0 of train lacks domain; it has id, tokens, slot_tags, intent"):
        split_episode("joint", [{"tokens": ["a"], "slot_tags": ["O"], "intent": "i"}], TEST)
