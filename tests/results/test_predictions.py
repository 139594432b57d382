import json

import pytest

from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.results.predictions import Header, PredictionsError, read_header, read_predictions, write_predictions
from tests.models.conftest import joint_episodes, relation_episodes, tagging_episodes

__all__ = ["joint_episodes", "relation_episodes", "tagging_episodes"]

HEADER = Header("few_nerd", "inter", {"n_way": 2, "shots": 1}, "test", "mine")


def rewrite(path, change):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def tagged(tagging_episodes, tmp_path):
    predictions = [
        [["O"] * len(tagging_episodes.examples[row]["tokens"]) for row in episode.query]
        for episode in tagging_episodes
    ]
    path = tmp_path / "predictions.jsonl"
    write_predictions(path, HEADER, tagging_episodes, predictions)
    return path, predictions


def test_predictions_are_read_as_they_were_written(tagged, tagging_episodes):
    path, predictions = tagged
    assert read_header(path) == HEADER
    assert read_predictions(path, tagging_episodes) == predictions


def test_the_order_of_lines_and_ids_does_not_matter(tagged, tagging_episodes):
    path, predictions = tagged

    def change(lines):
        lines[1:] = lines[:0:-1]
        for line in lines[1:]:
            line["ids"].reverse()
            line["predictions"].reverse()

    rewrite(path, change)
    assert read_predictions(path, tagging_episodes) == predictions


def test_all_problems_are_listed(tagged, tagging_episodes):
    path, _ = tagged
    first = json.loads(path.read_text().splitlines()[1])

    def change(lines):
        lines[1]["predictions"][0] = ["O"]
        lines[1]["predictions"][1][0] = "planet"
        lines[2]["ids"][0] = "strange"
        lines.append(first)
        lines.append({"index": 99, "ids": [], "predictions": []})

    rewrite(path, change)
    with pytest.raises(PredictionsError) as raised:
        read_predictions(path, tagging_episodes)
    message = str(raised.value)
    assert "has 6 problems" in message
    assert "expected one tag for each of" in message
    assert "tags planet are none of the episode's" in message
    assert "id 'strange' is no query" in message
    assert "is missing" in message
    assert "episode 0 comes twice" in message
    assert f"index 99, but there are episodes 0 to {len(tagging_episodes) - 1}" in message


def test_missing_episodes_are_named(tagged, tagging_episodes):
    path, _ = tagged
    rewrite(path, lambda lines: lines.pop(1))
    with pytest.raises(PredictionsError, match="has 1 problems:\n  episode 0: missing"):
        read_predictions(path, tagging_episodes)


def test_predictions_of_other_episodes_are_refused(tagged, tagging_episodes):
    path, _ = tagged
    rewrite(path, lambda lines: lines[0].update(fingerprint="0" * 64))
    with pytest.raises(PredictionsError, match=r"written for other episodes: fingerprint 000000000000\.\.\."):
        read_predictions(path, tagging_episodes)


@pytest.mark.parametrize("first", ["", "[]", "{}", "no json", '{"format": "x", "version": 1}'])
def test_a_file_without_a_header_is_refused(tmp_path, first):
    path = tmp_path / "predictions.jsonl"
    path.write_text(first + "\n")
    with pytest.raises(PredictionsError, match="does not begin with a header"):
        read_header(path)


def test_a_wrong_header_is_refused(tmp_path):
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"format": "hf_fewshot/predictions", "version": 1, "bench": "x"}\n')
    with pytest.raises(PredictionsError, match="it has an unknown 'bench'; it has no 'benchmark'"):
        read_header(path)


def test_labels_must_be_classes_of_the_episode(relation_episodes, tmp_path):
    path = tmp_path / "predictions.jsonl"
    names = [["NOTA"] * len(episode.query) for episode in relation_episodes]
    write_predictions(path, Header("fewrel"), relation_episodes, names)
    assert read_predictions(path, relation_episodes) == names
    names[0][0] = "no such relation"
    write_predictions(path, Header("fewrel"), relation_episodes, names)
    with pytest.raises(PredictionsError, match="class 'no such relation' is none of"):
        read_predictions(path, relation_episodes)


def test_joint_predictions_have_intent_and_tags(joint_episodes, tmp_path):
    path = tmp_path / "predictions.jsonl"
    episode = joint_episodes[0]
    intent = next(name for name in episode.classes if name.startswith("intent:")).removeprefix("intent:")
    right = [
        [{"intent": intent, "slot_tags": ["O"] * len(joint_episodes.examples[row]["tokens"])} for row in episode.query]
        for episode in joint_episodes
    ]
    write_predictions(path, Header("fewjoint"), joint_episodes, [right[0], *right[1:]])
    content = json.loads(path.read_text().splitlines()[1])
    assert set(content["predictions"][0]) == {"intent", "slot_tags"}
    rewrite(path, lambda lines: lines[1]["predictions"].__setitem__(0, {"intent": "x", "slot_tags": []}))
    with pytest.raises(PredictionsError, match="intent 'x' is none of the episode's"):
        read_predictions(path, joint_episodes)


def test_questions_have_the_ids_of_their_benchmark(tmp_path):
    row = {"context": ["a"], "question": "b?", "answers": ["a"]}
    episodes = split_episode("spans", [{"id": "1", **row}], [{"id": "q-7", **row}, {"id": "8", **row}])
    path = tmp_path / "predictions.jsonl"
    write_predictions(path, Header("clues", "sst2"), episodes, [[["a"], []]])
    assert json.loads(path.read_text().splitlines()[1])["ids"] == ["q-7", "8"]
    assert read_predictions(path, episodes) == [[["a"], []]]
