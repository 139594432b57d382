"""The data of a run."""

from typing import Any

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
