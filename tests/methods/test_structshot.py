"""StructShot's transitions by hand, and the Viterbi decoder against all paths."""

import math
from itertools import product

import numpy as np
import pytest
import torch

from hf_fewshot.methods.nearest_neighbour import NEVER, StructShot, count_transitions
from hf_fewshot.methods.viterbi import viterbi

TAGS = [["O", "O", "a", "a", "O"], ["a", "b", "b", "O"], ["O"], []]


def plain_count(sentences):
    """The seven relative frequencies, one pair of neighbours at a time."""
    names = ("start_o", "start_i", "o_o", "o_i", "i_o", "i_same", "i_other")
    counts = dict.fromkeys(names, 0)
    for tags in sentences:
        for position, tag in enumerate(tags):
            if position == 0:
                counts["start_o" if tag == "O" else "start_i"] += 1
            elif tags[position - 1] == "O":
                counts["o_o" if tag == "O" else "o_i"] += 1
            elif tag == "O":
                counts["i_o"] += 1
            else:
                counts["i_same" if tag == tags[position - 1] else "i_other"] += 1
    groups = (names[:2], names[2:4], names[4:])
    return [counts[name] / sum(counts[n] for n in group) for group in groups for name in group]


def test_transitions_are_counted_within_sentences():
    # START: O, a, O. O->: O, a. a->: a, O, b; b->: b, O.
    expected = [2 / 3, 1 / 3, 1 / 2, 1 / 2, 2 / 5, 2 / 5, 1 / 5]
    assert count_transitions(TAGS) == pytest.approx(expected)
    assert count_transitions(iter(TAGS)) == pytest.approx(expected)


def test_counting_equals_a_plain_loop_on_random_tags():
    generator = np.random.default_rng(0)
    for _ in range(50):
        sentences = [
            generator.choice(["O", "O", "a", "b", "c"], size=generator.integers(0, 8)).tolist() for _ in range(30)
        ]
        assert count_transitions(sentences) == pytest.approx(plain_count(sentences))


@pytest.mark.parametrize("tags", [[], [["O", "O"]], [["a", "a"]], [["O"], ["a"]]])
def test_tags_that_show_no_transition_are_refused(tags):
    with pytest.raises(ValueError, match="need sentences with a token after O and a token after an entity"):
        count_transitions(tags)


def test_transitions_are_spread_over_types_raised_to_tau_and_normalised():
    method = StructShot(4, tau=0.5)
    method.abstract.copy_(torch.tensor([0.64, 0.36, 0.75, 0.25, 0.5, 0.3, 0.2]))
    start, between = method.transitions(3)
    # START: O 0.64, each of 3 types 0.12. O: O 0.75, a type 0.25 / 3. I: O 0.5, itself 0.3, another type 0.2 / 2.
    rows = [
        [0.64, 0.12, 0.12, 0.12],
        [0.75, 0.25 / 3, 0.25 / 3, 0.25 / 3],
        [0.5, 0.3, 0.1, 0.1],
        [0.5, 0.1, 0.3, 0.1],
        [0.5, 0.1, 0.1, 0.3],
    ]
    expected = [[math.log(math.sqrt(p) / sum(map(math.sqrt, row))) for p in row] for row in rows]
    assert start.tolist() == pytest.approx(expected[0], abs=1e-6)
    for got, wanted in zip(between.tolist(), expected[1:], strict=True):
        assert got == pytest.approx(wanted, abs=1e-6)


def test_hand_worked_transitions_of_two_types_with_tau_one():
    method = StructShot(4, tau=1)
    method.set_transitions(TAGS)
    start, between = method.transitions(2)
    assert start.exp().tolist() == pytest.approx([2 / 3, 1 / 6, 1 / 6])
    assert between.exp()[0].tolist() == pytest.approx([1 / 2, 1 / 4, 1 / 4])
    assert between.exp()[1].tolist() == pytest.approx([0.4, 0.4, 0.2])
    assert between.exp()[2].tolist() == pytest.approx([0.4, 0.2, 0.4])


def test_a_single_type_has_no_other_to_go_to():
    method = StructShot(4, tau=1)
    method.abstract.copy_(torch.tensor([0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.2]))
    start, between = method.transitions(1)
    assert start.exp().tolist() == pytest.approx([0.5, 0.5])
    assert between.exp()[1].tolist() == pytest.approx([0.5, 0.5])


def test_what_never_occurs_keeps_a_small_chance():
    method = StructShot(4, tau=0.32)
    method.abstract.copy_(torch.tensor([1.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.0]))
    start, between = method.transitions(2)
    assert start.tolist() == pytest.approx([0.0, math.log(NEVER), math.log(NEVER)])
    assert between[1, 2].item() == pytest.approx(math.log(NEVER))


def test_decoding_without_transitions_says_what_to_call():
    with pytest.raises(ValueError, match=r"no transitions yet. Call model.method.set_transitions"):
        StructShot(4).decode(torch.zeros(1, 2, 3), torch.tensor([2]))


@pytest.mark.parametrize("tau", [0, -0.1])
def test_tau_must_be_positive(tau):
    with pytest.raises(ValueError, match="tau must be positive"):
        StructShot(4, tau=tau)


@pytest.mark.parametrize("n_states", [2, 3, 4])
def test_viterbi_equals_the_best_of_all_paths(n_states):
    generator = torch.Generator().manual_seed(n_states)
    lengths = torch.tensor([5, 1, 3, 2, 4])
    emissions = torch.randn(5, 5, n_states, generator=generator)
    start, between = torch.randn(n_states, generator=generator), torch.randn(n_states, n_states, generator=generator)
    decoded = viterbi(emissions, lengths, start, between)
    assert decoded.shape == (5, 5)
    for row, length in enumerate(lengths.tolist()):

        def score(path, row=row):
            total = start[path[0]] + emissions[row, 0, path[0]]
            for position in range(1, len(path)):
                total += between[path[position - 1], path[position]] + emissions[row, position, path[position]]
            return float(total)

        best = max(product(range(n_states), repeat=length), key=score)
        assert tuple(decoded[row, :length].tolist()) == best
        alone = viterbi(emissions[row : row + 1, :length], lengths[row : row + 1], start, between)
        assert tuple(alone[0].tolist()) == best


def test_decoding_prefers_to_stay_in_an_entity_over_a_slightly_better_score():
    method = StructShot(4, tau=1)
    method.abstract.copy_(torch.tensor([0.9, 0.1, 0.9, 0.1, 0.1, 0.88, 0.02]))
    scores = torch.tensor([[[-9.0, 0.0, -5.0], [-9.0, -1.0, 0.0], [-9.0, 0.0, -5.0]]])
    assert scores.argmax(-1).tolist() == [[1, 2, 1]]
    assert method.decode(scores, torch.tensor([3])).tolist() == [[1, 1, 1]]


def test_decoding_never_gives_a_class_without_support():
    method = StructShot(4, tau=10)
    # With so high a power a step that is not I to I costs more than the least emission.
    method.abstract.copy_(torch.tensor([1e-4, 1.0, 0.5, 0.5, 1e-4, 1.0, 1e-4]))
    scores = torch.tensor([[[0.0, -200.0, -math.inf], [0.0, -200.0, -math.inf], [-200.0, 0.0, -math.inf]]])
    assert 2 not in method.decode(scores, torch.tensor([3]))[0].tolist()
