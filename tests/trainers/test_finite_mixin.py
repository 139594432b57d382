"""Training that came to nothing ends in a sentence, and leaves no model and no checkpoint of it."""

import pytest
import torch
from transformers import TrainerCallback

from hf_fewshot.trainers.answer_trainer import AnswerTrainer
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer
from hf_fewshot.trainers.finite_mixin import FiniteMixin
from hf_fewshot.trainers.joint_pretrainer import JointPretrainer
from hf_fewshot.trainers.joint_trainer import JointTrainer
from hf_fewshot.trainers.prompt_trainer import PromptTrainer
from hf_fewshot.trainers.span_trainer import SpanTrainer
from hf_fewshot.trainers.tagger_trainer import TaggerTrainer
from hf_fewshot.trainers.text_to_text_trainer import TextToTextTrainer


class DamageAfter(TrainerCallback):
    """Makes a weight NaN at the end of a step, as a step too far would."""

    def __init__(self, step):
        self.step = step

    def on_optimizer_step(self, args, state, control, *, model, **kwargs):
        if state.global_step + 1 == self.step:
            with torch.no_grad():
                next(iter(model.method.parameters())).fill_(torch.nan)


@pytest.mark.parametrize(
    "kind",
    [
        AnswerTrainer,
        EpisodicTrainer,
        JointPretrainer,
        JointTrainer,
        PromptTrainer,
        SpanTrainer,
        TaggerTrainer,
        TextToTextTrainer,
    ],
)
def test_all_trainers_look_at_their_losses(kind):
    assert issubclass(kind, FiniteMixin)
    assert kind.training_step is FiniteMixin.training_step


def test_a_loss_that_is_no_number_ends_training_at_its_step(trainer, relations, tmp_path):
    running = trainer("threshold", relations("train", 8), max_steps=20, save_strategy="steps", save_steps=2)
    running.add_callback(DamageAfter(3))
    sentence = (
        r"^Training came to nothing: the loss is nan at step 4 \(learning_rate=0.001\). The model is not kept. "
        r"Lower learning_rate, raise warmup_steps, or limit gradients with max_grad_norm.$"
    )
    with pytest.raises(ValueError, match=sentence):
        running.train()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["checkpoint-2"]


def test_weights_that_are_no_numbers_are_not_saved(trainer, relations, tmp_path):
    running = trainer("threshold", relations("train", 8), max_steps=20, save_strategy="steps", save_steps=2)
    running.add_callback(DamageAfter(4))
    with pytest.raises(ValueError, match=r"the weights are not finite numbers \(method.threshold\) after step 4"):
        running.train()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["checkpoint-2"]


def test_weights_of_the_last_step_are_looked_at_too(trainer, relations):
    running = trainer("threshold", relations("train", 8), max_steps=3)
    running.add_callback(DamageAfter(3))
    with pytest.raises(ValueError, match=r"the weights are not finite numbers \(method.threshold\) after step 3"):
        running.train()


def test_a_learning_rate_that_is_far_too_high_is_named(trainer, entities):
    running = trainer("proto", entities("train", 8), max_steps=40, learning_rate=1e30, warmup_steps=0)
    with pytest.raises(ValueError, match=r"Training came to nothing: .* Lower learning_rate"):
        running.train()
