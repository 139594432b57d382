"""Epochs of newly drawn episodes: a function of seed and epoch, whatever interrupts them."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import TrainerCallback

from tests.processes import run_forked
from tests.small_episodes import relation_episodes
from tests.trainers import fresh_script

FRESH = {"max_steps": -1, "num_train_epochs": 3, "fresh_episodes": True, "per_device_train_batch_size": 2}


def watched(running):
    """The numbers of the episodes of each batch, as they come to be."""
    seen = []
    collate = running.data_collator

    def note(batch):
        seen.append(list(batch))
        return collate(batch)

    running.data_collator = note
    return seen


def test_epoch_e_has_the_episodes_from_e_times_its_size_on(trainer, relations):
    train = relations("train", 5)
    running = trainer("threshold", train, **FRESH)
    seen = watched(running)
    running.train()
    numbers = [[0, 1], [2, 3], [4], [5, 6], [7, 8], [9], [10, 11], [12, 13], [14]]
    assert seen == [[train.make(number) for number in batch] for batch in numbers]
    assert len({episode for batch in seen for episode in batch}) == 15
    assert running.state.epoch == 3.0


def test_another_seed_draws_others(relations):
    first, again, other = (relations("train", 5, seed=seed) for seed in (1, 1, 2))
    assert [first.make(n) for n in range(20)] == [again.make(n) for n in range(20)]
    assert first.make(12) != other.make(12)


def test_without_it_all_epochs_have_the_same(trainer, relations):
    train = relations("train", 4)
    running = trainer("threshold", train, **FRESH | {"fresh_episodes": False})
    seen = watched(running)
    running.train()
    epochs = [{own for batch in seen[n : n + 2] for own in batch} for n in (0, 2, 4)]
    assert epochs == [set(train)] * 3


@pytest.mark.parametrize("step", [3, 4])
def test_resuming_goes_on_with_the_episodes_that_come_next(trainer, relations, tmp_path, step):
    """At the end of an epoch (3 steps), and in the middle of one."""
    train = relations("train", 6)
    options = {**FRESH, "save_strategy": "steps", "save_steps": step}
    whole = trainer("threshold", train, output_dir=str(tmp_path / "whole"), **options)
    expected = watched(whole)
    whole.train()

    class Stop(TrainerCallback):
        def on_step_end(self, args, state, control, **kwargs):
            control.should_training_stop = state.global_step == step

    part = trainer("threshold", train, output_dir=str(tmp_path / "part"), **options)
    part.add_callback(Stop())
    part.train()
    resumed = trainer("threshold", train, output_dir=str(tmp_path / "part"), **options)
    seen = watched(resumed)
    resumed.train(resume_from_checkpoint=True)
    assert resumed.state.global_step == 9
    assert seen == expected[step:]
    for name, value in whole.model.state_dict().items():
        assert torch.equal(resumed.model.state_dict()[name], value), name


def test_two_processes_share_the_episodes_of_an_epoch(encoder, tmp_path):
    run_forked(fresh_script.main, encoder, "one", folder=tmp_path, processes=1)
    one = json.loads((tmp_path / "one-0.json").read_text())
    run_forked(fresh_script.main, encoder, "two", folder=tmp_path)
    parts = [json.loads((tmp_path / f"two-{rank}.json").read_text()) for rank in range(2)]
    # Batches of one: the first process has the even episodes of an epoch, the second the odd ones.
    assert one == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert parts == [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]
    shutil.rmtree(tmp_path / "out")


def test_given_episodes_cannot_be_drawn_anew(trainer):
    with pytest.raises(ValueError, match="fresh_episodes=True, but the training episodes are given, not drawn"):
        trainer("threshold", relation_episodes(), **FRESH)


class Scores:
    """Answers for evaluations, one after the other."""

    def __init__(self, *values):
        self.values = list(values)

    def __call__(self, *arguments, **options):
        return {"f1": self.values.pop(0)}


STOPPING = {
    **FRESH, "num_train_epochs": 9, "eval_strategy": "epoch", "save_strategy": "epoch", "early_stopping_patience": 2
}  # fmt: skip


def test_a_score_after_each_epoch_chooses_the_model_and_ends_the_training(trainer, relations, monkeypatch):
    monkeypatch.setattr("hf_fewshot.trainers.episodic_trainer.score", Scores(0.2, 0.6, 0.5, 0.6, 0.9))
    running = trainer("threshold", relations("train", 4), relations("validation", 2), **STOPPING)
    running.train()
    assert running.state.global_step == 8
    assert Path(running.state.best_model_checkpoint).name == "checkpoint-4"


def test_an_interrupted_training_stops_where_it_would_have(trainer, relations, monkeypatch):
    train, dev = relations("train", 4), relations("validation", 2)
    monkeypatch.setattr("hf_fewshot.trainers.episodic_trainer.score", Scores(0.2, 0.6, 0.5))

    class Stop(TrainerCallback):
        def on_epoch_end(self, args, state, control, **kwargs):
            control.should_training_stop = state.epoch == 3

    part = trainer("threshold", train, dev, **STOPPING)
    part.add_callback(Stop())
    part.train()
    monkeypatch.setattr("hf_fewshot.trainers.episodic_trainer.score", Scores(0.4, 0.9))
    resumed = trainer("threshold", train, dev, **STOPPING)
    resumed.train(resume_from_checkpoint=True)
    assert resumed.state.epoch == 4
    assert resumed.state.best_metric == 0.6


def test_patience_is_at_least_one(trainer, relations):
    with pytest.raises(ValueError, match="early_stopping_patience must be at least 1, but is 0"):
        trainer(
            "threshold", relations("train", 4), relations("validation", 2), **STOPPING | {"early_stopping_patience": 0}
        )
