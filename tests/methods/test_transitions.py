"""Abstract transitions unfolded by hand, and the random field and its decoder against all sequences of tags."""

import math
from itertools import pairwise, product

import pytest
import torch

from hf_fewshot.methods.transitions import (
    FORBIDDEN,
    NEVER,
    CollapsedTransitions,
    RuleTransitions,
    Transitions,
    sequence_losses,
    unfold,
)
from hf_fewshot.methods.viterbi import viterbi

LENGTHS = torch.tensor([4, 1, 3, 2])


def random_transitions(n_slots, seed):
    generator = torch.Generator().manual_seed(seed)
    parts = [torch.randn(*size, generator=generator) for size in ((3,), (3, 5), (3,))]
    return unfold(*parts, n_slots)


def path_score(emissions, path, transitions):
    """The score of one sequence of tags, a step at a time."""
    start, between, end = transitions
    total = float(start[path[0]]) + float(end[path[-1]])
    total += sum(float(emissions[position, tag]) for position, tag in enumerate(path))
    return total + sum(float(between[before, after]) for before, after in pairwise(path))


def all_paths(n_tags, length):
    return product(range(n_tags), repeat=length)


def test_a_table_of_abstract_tags_unfolds_to_the_tags_of_two_slots():
    table = torch.tensor(
        [
            # O, same B, same I, other B, other I
            [10.0, 11.0, 12.0, 13.0, 14.0],  # from O
            [20.0, 21.0, 22.0, 23.0, 24.0],  # from B
            [30.0, 31.0, 32.0, 33.0, 34.0],  # from I
        ]
    )
    start, between, end = unfold(torch.tensor([1.0, 2.0, 3.0]), table, torch.tensor([4.0, 5.0, 6.0]), 2)
    assert start.tolist() == [1, 2, 3, 2, 3]
    assert end.tolist() == [4, 5, 6, 5, 6]
    assert between.tolist() == [
        # O, B-a, I-a, B-b, I-b; after O every slot is another one
        [10, 13, 14, 13, 14],
        [20, 21, 22, 23, 24],
        [30, 31, 32, 33, 34],
        [20, 23, 24, 21, 22],
        [30, 33, 34, 31, 32],
    ]


def test_an_episode_without_slots_has_only_o():
    start, between, end = unfold(torch.tensor([1.0, 2.0, 3.0]), torch.full((3, 5), 7.0), torch.zeros(3), 0)
    assert (start.tolist(), between.tolist(), end.tolist()) == ([1], [[7]], [0])


def test_without_a_preference_every_transition_scores_nothing():
    start, between, end = Transitions()(2)
    assert (start.shape, between.shape, end.shape) == ((5,), (5, 5), (5,))
    assert not start.any()
    assert not between.any()
    assert not end.any()


def test_rules_forbid_an_i_tag_without_its_slot_before_it():
    start, between, end = RuleTransitions()(2)
    assert start.tolist() == [0, 0, FORBIDDEN, 0, FORBIDDEN]
    assert end.tolist() == [0] * 5
    assert between.tolist() == [
        [0, 0, FORBIDDEN, 0, FORBIDDEN],
        [0, 0, 0, 0, FORBIDDEN],
        [0, 0, 0, 0, FORBIDDEN],
        [0, 0, FORBIDDEN, 0, 0],
        [0, 0, FORBIDDEN, 0, 0],
    ]


def test_decoding_by_rules_gives_only_sequences_that_begin_their_slots():
    emissions = torch.randn(200, 5, 5, generator=torch.Generator().manual_seed(0)).double() * 5
    decoded = viterbi(emissions, torch.full((200,), 5), *RuleTransitions()(2))
    assert (emissions.argmax(-1) != decoded).any()
    for path in decoded.tolist():
        for before, tag in pairwise([0, *path]):
            # Tags 2 and 4 are I of the slots whose B are 1 and 3.
            assert tag not in (2, 4) or before in (tag - 1, tag)


def test_collapsed_transitions_are_learned_and_begin_without_a_preference():
    transitions = CollapsedTransitions()
    assert {name: tuple(value.shape) for name, value in transitions.named_parameters()} == {
        "start": (3,),
        "table": (3, 5),
        "end": (3,),
    }
    assert not any(part.any() for part in transitions(3))
    assert [kind.learned for kind in (Transitions, RuleTransitions, CollapsedTransitions)] == [False, False, True]


@pytest.mark.parametrize("n_slots", [0, 1, 2])
@pytest.mark.parametrize("seed", [0, 1])
def test_losses_equal_those_over_all_sequences_of_tags(n_slots, seed):
    n_tags = 1 + 2 * n_slots
    generator = torch.Generator().manual_seed(seed + 10)
    emissions = 3 * torch.randn(4, 4, n_tags, generator=generator)
    tags = torch.randint(n_tags, (4, 4), generator=generator)
    # What stands beyond the end of a sequence is never read.
    tags[1, 1:], tags[3, 2:] = -1, 99
    transitions = random_transitions(n_slots, seed)
    losses = sequence_losses(emissions, tags, LENGTHS, transitions)
    for row, length in enumerate(LENGTHS.tolist()):
        scores = [path_score(emissions[row], path, transitions) for path in all_paths(n_tags, length)]
        gold = path_score(emissions[row], tags[row, :length].tolist(), transitions)
        assert losses[row].item() == pytest.approx(math.log(sum(map(math.exp, scores))) - gold, abs=1e-4)


@pytest.mark.parametrize("n_slots", [1, 2])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_decoding_with_end_scores_equals_the_best_of_all_sequences(n_slots, seed):
    n_tags = 1 + 2 * n_slots
    emissions = torch.randn(4, 4, n_tags, generator=torch.Generator().manual_seed(seed))
    transitions = random_transitions(n_slots, seed + 5)
    decoded = viterbi(emissions, LENGTHS, *transitions)
    for row, length in enumerate(LENGTHS.tolist()):

        def score(path, row=row):
            return path_score(emissions[row], path, transitions)

        best = max(all_paths(n_tags, length), key=score)
        assert tuple(decoded[row, :length].tolist()) == best


def test_the_score_of_ending_decides_the_last_tag():
    emissions = torch.zeros(2, 3, 2)
    end = torch.tensor([0.0, 1.0])
    # The change of state costs more than the end gives, unless the sequence may be in the second state all along.
    between = torch.tensor([[0.0, -9.0], [-9.0, 0.0]])
    decoded = viterbi(emissions, torch.tensor([3, 2]), torch.zeros(2), between, end)
    assert decoded[0].tolist() == [1, 1, 1]
    assert decoded[1, :2].tolist() == [1, 1]


def test_a_batch_loses_what_its_sequences_lose_one_by_one():
    emissions = torch.randn(4, 4, 5, generator=torch.Generator().manual_seed(3))
    tags = torch.randint(5, (4, 4), generator=torch.Generator().manual_seed(4))
    transitions = random_transitions(2, 3)
    together = sequence_losses(emissions, tags, LENGTHS, transitions)
    for row, length in enumerate(LENGTHS.tolist()):
        own = slice(row, row + 1)
        alone = sequence_losses(emissions[own, :length], tags[own, :length], LENGTHS[own], transitions)
        torch.testing.assert_close(together[own], alone)


@pytest.mark.parametrize("kind", [RuleTransitions, CollapsedTransitions])
def test_gradients_are_those_of_all_sequences_and_finite_with_forbidden_tags(kind):
    emissions = torch.randn(1, 3, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    emissions[..., 2] = NEVER
    transitions = [part.detach().double() for part in kind()(1)]
    tags, length = torch.tensor([[1, 0, 1]]), torch.tensor([3])
    ours = emissions.clone().requires_grad_()
    sequence_losses(ours, tags, length, transitions).sum().backward()
    plain = emissions.clone().requires_grad_()
    start, between, end = transitions

    def score(path):
        return (
            start[path[0]]
            + end[path[-1]]
            + sum(plain[0, i, tag] for i, tag in enumerate(path))
            + sum(between[before, after] for before, after in pairwise(path))
        )

    loss = torch.stack([score(path) for path in all_paths(3, 3)]).logsumexp(0) - score([1, 0, 1])
    loss.backward()
    assert ours.grad.isfinite().all()
    torch.testing.assert_close(ours.grad, plain.grad)


def test_every_abstract_score_learns():
    transitions = CollapsedTransitions()
    emissions = torch.randn(20, 6, 5, generator=torch.Generator().manual_seed(0))
    tags = torch.randint(5, (20, 6), generator=torch.Generator().manual_seed(1))
    sequence_losses(emissions, tags, torch.full((20,), 6), transitions(2)).mean().backward()
    assert transitions.start.grad.abs().min() > 0
    assert transitions.end.grad.abs().min() > 0
    # After O every slot is another one.
    assert transitions.table.grad[0, 1:3].tolist() == [0, 0]
    assert transitions.table.grad[1:].abs().min() > 0
    assert transitions.table.grad[0, [0, 3, 4]].abs().min() > 0
