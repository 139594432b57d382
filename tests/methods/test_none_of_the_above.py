"""Threshold, NAV, MNAV and Sentence-Pair, by hand."""

import math

import pytest
import torch

from hf_fewshot.methods.none_of_the_above import Mnav, Nav, Threshold
from hf_fewshot.methods.sentence_pair import SentencePair

SUPPORT = torch.tensor([[[1.0, 0.0], [3.0, 0.0], [0.0, 2.0]]])
LABELS = torch.tensor([[0, 0, 1]])
QUERY = torch.tensor([[[1.0, 1.0], [-1.0, 3.0]]])


def set_to(parameter, values):
    with torch.no_grad():
        parameter.copy_(torch.tensor(values))


def test_the_threshold_is_one_more_score():
    method = Threshold(2)
    set_to(method.threshold, 2.5)
    # Prototypes (2,0) and (0,2).
    scores = method(SUPPORT, LABELS, QUERY, 2)
    assert scores.tolist() == [[[2.0, 2.0, 2.5], [-2.0, 6.0, 2.5]]]
    assert scores.argmax(-1).tolist() == [[2, 1]]


def test_nav_is_a_dot_product_with_one_vector():
    method = Nav(2)
    assert method.vectors.shape == (1, 2)
    set_to(method.vectors, [[3.0, -1.0]])
    assert method(SUPPORT, LABELS, QUERY, 2).tolist() == [[[2.0, 2.0, 2.0], [-2.0, 6.0, -6.0]]]


def test_mnav_takes_the_best_of_its_vectors():
    method = Mnav(2, n_vectors=3)
    set_to(method.vectors, [[3.0, -1.0], [0.0, 3.0], [-4.0, 0.0]])
    # Dots: (1,1): 2, 3, -4; (-1,3): -6, 9, 4.
    assert method(SUPPORT, LABELS, QUERY, 2)[..., -1].tolist() == [[3.0, 9.0]]


def test_mnav_has_twenty_vectors_unless_told():
    assert Mnav(6).vectors.shape == (20, 6)
    with pytest.raises(ValueError, match="n_vectors must be at least 1, but is 0"):
        Mnav(6, n_vectors=0)


def test_mnav_starts_from_means_of_examples_of_one_class():
    classes = ["a"] * 3 + ["b"] * 2 + ["c"]
    vectors = torch.tensor([[0.0], [3.0], [6.0], [10.0], [20.0], [50.0]])
    method = Mnav(1, n_vectors=30)
    method.initialise(vectors, classes, torch.Generator().manual_seed(0))
    # No class has ten examples: its whole mean is taken.
    assert set(method.vectors.flatten().tolist()) == {3.0, 15.0, 50.0}


def test_mnav_averages_as_many_examples_as_asked_without_repeating_one():
    vectors = torch.tensor([[1.0], [2.0], [4.0], [8.0]])
    method = Mnav(1, n_vectors=40)
    method.initialise(vectors, ["a"] * 4, torch.Generator().manual_seed(0), each=2)
    pairs = {(a + b) / 2 for a in (1, 2, 4, 8) for b in (1, 2, 4, 8) if a != b}
    assert set(method.vectors.flatten().tolist()) <= pairs
    assert len(set(method.vectors.flatten().tolist())) > 1


def test_the_same_seed_gives_the_same_vectors():
    vectors = torch.randn(40, 3, generator=torch.Generator().manual_seed(5))
    classes = [f"r{i % 4}" for i in range(40)]
    drawn = []
    for seed in (1, 1, 2):
        method = Mnav(3, n_vectors=5)
        method.initialise(vectors, classes, torch.Generator().manual_seed(seed))
        drawn.append(method.vectors.detach().clone())
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


def test_the_mlp_is_two_tanh_layers_with_a_skip():
    method = Mnav(3, mlp=True, n_vectors=2)
    assert method.first.weight.shape == (2000, 3)
    assert method.second.weight.shape == (2000, 2000)
    assert method.vectors.shape == (2, 2000)
    vectors = torch.randn(4, 3, generator=torch.Generator().manual_seed(0))
    hidden = torch.tanh(vectors @ method.first.weight.T + method.first.bias)
    expected = hidden + torch.tanh(hidden @ method.second.weight.T + method.second.bias)
    torch.testing.assert_close(method.transform(vectors), expected)


def test_the_mlp_comes_before_the_means_of_initialisation():
    method = Mnav(2, mlp=True, n_vectors=4)
    vectors = torch.randn(6, 2, generator=torch.Generator().manual_seed(0))
    method.initialise(vectors, ["a"] * 6, torch.Generator().manual_seed(0))
    expected = method.transform(vectors).mean(0)
    for vector in method.vectors:
        torch.testing.assert_close(vector, expected)


def test_without_the_mlp_vectors_stay_as_they_are():
    vectors = torch.randn(2, 3)
    assert Threshold(3).transform(vectors) is vectors


def pair_method():
    """A classifier that reads "different" off the first number of a pair, and "same" off the second."""
    method = SentencePair(2)
    set_to(method.classifier.weight, [[1.0, 0.0], [0.0, 1.0]])
    set_to(method.classifier.bias, [0.0, 0.0])
    return method


def test_sentence_pair_scores_are_means_over_support_and_the_least_different():
    # One query, three support sentences: (different, same).
    pairs = torch.tensor([[[[1.0, 5.0], [3.0, 1.0], [7.0, -2.0]]]])
    scores = pair_method().score_pairs(pairs, LABELS, 2)
    # Class 0: same (5 + 1) / 2 = 3, different (1 + 3) / 2 = 2. Class 1: same -2, different 7.
    assert scores.tolist() == [[[3.0, -2.0, 2.0]]]


def test_padding_and_classes_without_support_do_not_touch_sentence_pair():
    pairs = torch.tensor([[[[1.0, 5.0], [3.0, 1.0], [7.0, -2.0], [-90.0, 90.0]]]])
    scores = pair_method().score_pairs(pairs, torch.tensor([[0, 0, 1, -1]]), 3)
    assert scores.tolist() == [[[3.0, -2.0, -math.inf, 2.0]]]
