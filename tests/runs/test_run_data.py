"""The data of a run."""

import dataclasses
import json
from typing import Any

import pytest

import hf_fewshot
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of


def data(benchmark: str, seed_of_run: int, **options: Any) -> Data:
    return data_of(Run(benchmark, "proto", data={"sample": True, **options}, seed=seed_of_run))


def test_sampled_training_episodes_are_drawn_with_the_seed_of_the_run():
    sampled = {"n_way": 3, "shots": 1, "n_episodes": 20}
    found = [data("fewrel", seed, **sampled).training_episodes().fingerprint for seed in (0, 1)]
    expected = [
        hf_fewshot.load_episodes("fewrel", split="train", sample=True, seed=seed, **sampled).fingerprint
        for seed in (0, 1)
    ]
    assert found == expected
    assert found[0] != found[1]


def test_another_draw_of_what_is_predicted_has_the_same_training_and_validation_episodes():
    sampled = {"n_way": 3, "shots": 1, "n_episodes": 20}
    first, second = (data("fewrel", 0, **sampled, seed=draw) for draw in (0, 5))
    assert first.training_episodes().fingerprint == second.training_episodes().fingerprint
    assert first.validation_episodes().fingerprint == second.validation_episodes().fingerprint


def test_validation_episodes_are_the_same_for_all_seeds():
    sampled = {"n_way": 3, "shots": 1, "n_episodes": 20}
    first, second = (data("fewrel", seed, **sampled).validation_episodes().fingerprint for seed in (0, 1))
    assert first == second


def test_released_training_episodes_are_the_same_for_all_seeds():
    first, second = (data("fewjoint", seed, shots=1).training_episodes().fingerprint for seed in (0, 1))
    assert first == second


def test_the_seed_of_training_episodes_can_be_given():
    sampled = {"n_way": 3, "shots": 1, "n_episodes": 20}
    one = data("fewrel", 0, **sampled).training_episodes(seed=7).fingerprint
    other = data("fewrel", 1, **sampled).training_episodes(seed=7).fingerprint
    assert one == other


def test_a_fold_is_read_alone_and_asked_without_answers():
    fold = Data("clues", "sst2", {"sample": True, "shots": 10, "fold": 2})
    assert len(fold.train_rows()) == 10
    (episode,) = fold.unanswered
    rows = fold.unanswered.plain_examples
    assert [rows[number]["answers"] for number in episode.query] == [[]] * 60
    assert all(rows[number]["answers"] for number in episode.support)
    assert [reading.part for reading in fold.readings] == ["fold"]
    asked = [rows[number]["context"] for number in episode.query]
    assert asked == [fold.episodes.plain_examples[number]["context"] for number in episode.query]
    assert [reading.part for reading in fold.readings] == ["fold", "episodes"]


def test_a_fold_with_a_test_row_is_refused_when_it_is_asked(tmp_path):
    for name in ("sst_train_10_1", "sst_test"):
        row = {"id": 1, "context": "a film", "question": "positive or negative?", "answer": ["positive"]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    fold = Data("clues", "sst2", source={"data_dir": str(tmp_path)})
    assert fold.train_rows()["answers"][:] == [["positive"]]
    with pytest.raises(ValueError, match=r"1 training rows of clues/sst2, 10 shots, fold 1 are also test rows: 1\."):
        _ = fold.unanswered


def test_episodes_are_asked_as_they_are():
    relations = data("fewrel", 0, n_way=2, shots=1, n_episodes=2)
    relations = dataclasses.replace(relations, split="validation")
    assert relations.unanswered is relations.episodes
    assert [reading.part for reading in relations.readings] == ["episodes"]
    assert len(relations.train_rows()) > 100
    assert [reading.part for reading in relations.readings] == ["episodes", "rows"]
