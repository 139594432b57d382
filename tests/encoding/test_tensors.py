"""Batches: known by names, moved as a whole."""

from dataclasses import replace

import pytest
import torch
from accelerate.utils import send_to_device

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.tensors import Tensors
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_batch import JointBatcher
from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.trainers.episodic_trainer import EpisodeCollator


def devices(part):
    """The devices of all tensors of a batch."""
    if isinstance(part, torch.Tensor):
        return {part.device.type}
    return set().union(*map(devices, part.by_name().values())) if isinstance(part, Tensors) else set()


def reordered(arguments):
    """The same arguments the other way round, typed batches too."""
    turned = dict(reversed(arguments.items()))
    for name, part in turned.items():
        if isinstance(part, Tensors):
            other = replace(part)
            parts = dict(reversed(vars(other).items()))
            vars(other).clear()
            vars(other).update(parts)
            turned[name] = other
    return turned


@torch.no_grad()
@pytest.mark.parametrize(("method", "representation"), [("proto", "markers"), ("sentence_pair", "pair")])
def test_the_order_of_the_parts_of_a_batch_does_not_matter(bert, relation_episodes, method, representation):
    model, tokenizer = FewShotModel.from_encoder(bert, method, representation=representation)
    batch = EpisodeCollator(model, tokenizer, relation_episodes)(relation_episodes[:])
    turned = reordered(batch)
    assert list(turned) == list(batch)[::-1]
    plain, other = model(**batch), model(**turned)
    assert torch.equal(plain.logits, other.logits)
    assert torch.equal(plain.loss, other.loss)


@torch.no_grad()
@pytest.mark.parametrize("pairwise", [False, True])
def test_nor_does_it_in_joint_episodes(bert, joint_episodes, pairwise):
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto", pairwise=pairwise, name_weight=0.5)
    batch = JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:])
    turned = reordered(batch)
    assert list(vars(turned["episodes"])) == list(vars(batch["episodes"]))[::-1]
    plain, other = model(**batch), model(**turned)
    assert torch.equal(plain.intents, other.intents)
    assert torch.equal(plain.tags, other.tags)
    _, rows = batch["episodes"].compact()
    assert turned["episodes"].compact()[1].tolist() == rows.tolist()


def test_a_batch_moves_as_a_whole_and_numbers_stay(joint_episodes):
    batch = JointBatcher(joint_episodes, with_names=True)(joint_episodes[:])
    assert devices(batch) == {"cpu"}
    assert devices(batch.to("meta")) == {"meta"}
    assert (batch.to("meta").n_intents, batch.to("meta").n_tags) == (2, 7)
    assert JointBatcher(joint_episodes)(joint_episodes[:]).to("meta").tag_names is None


def test_what_a_collator_returns_is_moved_by_accelerate(bert, joint_episodes):
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto")
    batch = send_to_device(JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:]), torch.device("meta"))
    assert [name for name in batch if devices(batch[name]) != {"meta"}] == []


def test_a_batch_gives_its_parts_by_name():
    inputs = EncoderInputs(*(torch.tensor([number]) for number in range(4)))
    assert {name: part.item() for name, part in inputs.by_name().items()} == {
        "input_ids": 0,
        "attention_mask": 1,
        "row_sequence": 2,
        "row_positions": 3,
    }
