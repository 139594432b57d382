"""Work in parts gives what the whole gives, its gradients too, and takes no more memory than a block."""

import pytest
import torch

from hf_fewshot.methods import blocks
from hf_fewshot.methods.blocks import NUMBERS_PER_BLOCK, groups, rows_per_block
from hf_fewshot.methods.nearest_neighbour import NearestNeighbour
from hf_fewshot.methods.transitions import CollapsedTransitions, sequence_losses
from tests.largest_tensor import LargestTensor


def padded_area(count, longest):
    return count * longest


def test_a_block_has_as_many_rows_as_fit_and_one_at_least():
    assert rows_per_block(1 << 20) == 4
    assert rows_per_block((1 << 20) + 1) == 3
    assert rows_per_block(1 << 30) == 1
    assert rows_per_block(0) == 1 << 22


@pytest.mark.parametrize(
    ("lengths", "limit", "sizes"),
    [
        ([3, 3, 3], 9, [3]),
        ([3, 3, 3], 8, [2, 1]),
        ([1, 1, 9, 1], 9, [2, 1, 1]),
        ([1, 2, 3, 4], 6, [2, 1, 1]),
        ([50], 9, [1]),
        ([50, 60, 1, 1], 9, [1, 1, 2]),
        ([], 9, []),
    ],
)
def test_groups_are_as_large_as_their_padded_size_allows(lengths, limit, sizes):
    found = groups([[length] for length in lengths], padded_area, limit)
    assert [part.stop - part.start for part in found] == sizes
    assert [i for part in found for i in range(part.start, part.stop)] == list(range(len(lengths)))


def test_groups_are_padded_along_all_axes():
    def area(count, height, width):
        return count * height * width

    assert groups([(1, 9), (9, 1)], area, 162) == [slice(0, 2)]
    assert groups([(1, 9), (9, 1)], area, 161) == [slice(0, 1), slice(1, 2)]


def episode(n_support=40, n_query=50, dim=6, n_episodes=3):
    torch.manual_seed(1)
    support, query = torch.randn(n_episodes, n_support, dim), torch.randn(n_episodes, n_query, dim)
    labels = torch.randint(-1, 4, (n_episodes, n_support))
    return support.requires_grad_(), labels, query.requires_grad_()


def plain_nearest(support, labels, query, n_classes, kind, temperature):
    """One pair at a time, as the formula says."""
    scores = torch.full((*query.shape[:2], n_classes), -torch.inf)
    for e in range(len(query)):
        for q in range(query.shape[1]):
            for s in range(support.shape[1]):
                one, other = query[e, q], support[e, s]
                near = one @ other if kind == "dot" else -(one - other).square().sum()
                if labels[e, s] >= 0:
                    place = (e, q, int(labels[e, s]))
                    scores[place] = max(scores[place], near / temperature)
    return scores


@pytest.mark.parametrize("kind", ["l2", "dot"])
@pytest.mark.parametrize("numbers", [1, 700, 1 << 22])
def test_nearest_neighbours_in_blocks_are_those_of_the_formula(monkeypatch, kind, numbers):
    monkeypatch.setattr(blocks, "NUMBERS_PER_BLOCK", numbers)
    support, labels, query = episode(7, 11)
    with torch.no_grad():
        scores = NearestNeighbour(6, similarity=kind, temperature=3.0)(support, labels, query, 5)
        expected = plain_nearest(support, labels, query, 5, kind, 3.0)
    torch.testing.assert_close(scores, expected, rtol=1e-5, atol=1e-5)
    assert scores.argmax(-1).tolist() == expected.argmax(-1).tolist()


def test_gradients_through_blocks_are_those_of_the_whole(monkeypatch):
    method = NearestNeighbour(6)
    gradients = []
    for numbers in (1 << 22, 700):
        monkeypatch.setattr(blocks, "NUMBERS_PER_BLOCK", numbers)
        support, labels, query = episode()
        scores = method(support, labels, query, 4)
        torch.nn.functional.cross_entropy(scores.flatten(0, 1), torch.arange(150) % 4).backward()
        gradients.append((support.grad, query.grad))
    for whole, parts in zip(*gradients, strict=True):
        assert whole.abs().sum() > 0
        torch.testing.assert_close(parts, whole)


def test_sequence_losses_in_stretches_are_those_of_the_whole(monkeypatch):
    torch.manual_seed(0)
    emissions, tags = torch.randn(4, 30, 5), torch.randint(0, 5, (4, 30))
    lengths = torch.tensor([30, 1, 17, 29])
    found = []
    for numbers in (1 << 22, 300):
        monkeypatch.setattr(blocks, "NUMBERS_PER_BLOCK", numbers)
        transitions, own = CollapsedTransitions(), emissions.clone().requires_grad_()
        losses = sequence_losses(own, tags, lengths, transitions(2))
        losses.sum().backward()
        found.append((losses.detach(), own.grad, transitions.table.grad, transitions.start.grad))
    for whole, parts in zip(*found, strict=True):
        torch.testing.assert_close(parts, whole)


def test_nearest_neighbours_of_very_long_sentences_take_no_more_than_a_block():
    # All pairs of words would be 25 million numbers.
    support, labels, query = episode(5_000, 5_000, 4, 1)
    with torch.inference_mode(), LargestTensor() as largest:
        NearestNeighbour(4)(support, labels, query, 4)
    assert largest.bytes <= 4 * NUMBERS_PER_BLOCK, largest.operation
    with LargestTensor() as largest:
        NearestNeighbour(4)(support, labels, query, 4).max().backward()
    assert largest.bytes <= 4 * NUMBERS_PER_BLOCK, largest.operation
