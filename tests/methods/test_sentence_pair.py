"""Sentence-Pair, by hand."""

import math

import pytest
import torch
from torch import nn

from hf_fewshot.methods.checkpoint import Checkpoint
from hf_fewshot.methods.sentence_pair import SentencePair

LABELS = torch.tensor([[0, 0, 1]])


class Given(Checkpoint):
    """A checkpoint with given layers."""

    def __init__(self, pooler=None, head=None):
        self.given = pooler, head

    def pooler(self):
        return self.given[0]

    def next_sentence(self):
        return self.given[1]


def verdicts_by_hand(method, pair):
    """Both logits of a pair: the classifier on tanh of the pooler."""
    pooled = [
        math.tanh(sum(w * x for w, x in zip(row, pair, strict=True)) + bias)
        for row, bias in zip(method.pooler.weight.tolist(), method.pooler.bias.tolist(), strict=True)
    ]
    rows = zip(method.verdict.weight.tolist(), method.verdict.bias.tolist(), strict=True)
    return [sum(w * x for w, x in zip(row, pooled, strict=True)) + bias for row, bias in rows]


@pytest.mark.parametrize("head", ["new", "next_sentence"])
def test_scores_are_means_of_same_over_support_and_the_least_mean_of_different(head):
    generator = torch.Generator().manual_seed(0)
    method = SentencePair(4, head=head).eval()
    for parameter in method.parameters():
        nn.init.normal_(parameter, generator=generator)
    pairs = torch.randn(1, 5, 3, 4, generator=generator)
    found = method.score_pairs(pairs, LABELS, 2)
    assert found.shape == (1, 5, 3)
    for own, query in zip(found[0].tolist(), pairs[0].tolist(), strict=True):
        verdicts = [verdicts_by_hand(method, pair) for pair in query]
        different, same = zip(*verdicts, strict=True)
        means = [(different[0] + different[1]) / 2, different[2]]
        assert own == pytest.approx([(same[0] + same[1]) / 2, same[2], min(means)], abs=1e-5)


def test_padding_and_classes_without_support_do_not_touch_the_scores():
    method = SentencePair(2).eval()
    pairs = torch.randn(1, 1, 4, 2, generator=torch.Generator().manual_seed(0))
    plain = method.score_pairs(pairs[:, :, :3], LABELS, 2)[0, 0].tolist()
    padded = method.score_pairs(pairs, torch.tensor([[0, 0, 1, -1]]), 3)[0, 0].tolist()
    assert padded == [*plain[:2], -math.inf, plain[2]]


def test_a_new_head_has_dropout_in_training_and_the_pre_trained_one_has_none():
    assert SentencePair(4).dropout.p == 0.1
    assert SentencePair(4, head="next_sentence").dropout.p == 0.0
    with pytest.raises(ValueError, match="head must be one of 'new', 'next_sentence', but is 'nsp'"):
        SentencePair(4, head="nsp")


def test_the_pooler_of_the_checkpoint_is_taken_where_it_fits():
    pooler = nn.Linear(3, 3)
    method = SentencePair(3)
    method.take(Given(pooler))
    assert torch.equal(method.pooler.weight, pooler.weight)
    assert torch.equal(method.pooler.bias, pooler.bias)
    for other in (None, nn.Linear(3, 5)):
        method = SentencePair(3)
        before = method.pooler.weight.clone()
        method.take(Given(other))
        assert torch.equal(method.pooler.weight, before)


def test_is_next_begins_as_same():
    head = nn.Linear(3, 2)
    method = SentencePair(3, head="next_sentence")
    method.take(Given(head=head))
    # BERT: 0 is "is next". Here: 0 is "different".
    assert torch.equal(method.verdict.weight[1], head.weight[0])
    assert torch.equal(method.verdict.weight[0], head.weight[1])
    assert method.verdict.bias.tolist() == head.bias.flip(0).tolist()
