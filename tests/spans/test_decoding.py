from itertools import combinations, pairwise

import pytest
import torch

from hf_fewshot.spans.decoding import best_sets, best_span, span_scores

INF = torch.inf


def all_spans(begin, end, segments, max_tokens):
    """Every span inside one text, with its score, found the slow way."""
    length = len(begin)
    return {
        (first, last): float(begin[first] + end[last])
        for first in range(length)
        for last in range(first, min(first + max_tokens, length))
        if segments[first] >= 0 and all(segments[first] == segments[place] for place in range(first, last + 1))
    }


def best_set_by_trying(spans):
    """The set of spans without overlap and with the largest sum, by trying all."""
    good = [span for span, score in spans.items() if score > 0]
    best, found = 0.0, []
    for size in range(1, 8):
        for chosen in combinations(sorted(good), size):
            if all(a[1] < b[0] for a, b in pairwise(chosen)):
                total = sum(spans[span] for span in chosen)
                if total > best:
                    best, found = total, list(chosen)
    return best, found


def test_scores_are_sums_and_spans_stay_in_their_text():
    begin, end = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[10.0, 20.0, 30.0, 40.0]])
    scores = span_scores(begin, end, torch.tensor([[0, 0, 1, -1]]), 3)
    # For each last token: the span of one token, of two, of three.
    assert scores[0].tolist() == [[11, -INF, -INF], [22, 21, -INF], [33, -INF, -INF], [-INF, -INF, -INF]]


def test_two_names_in_a_row_are_two_spans():
    # Begins at 0 and 2, ends at 1 and 3: one span from 0 to 3 has a higher score than either, not than both.
    begin = torch.tensor([[3.1, -5.0, 3.0, -5.0]])
    end = torch.tensor([[-5.0, 3.0, -5.0, 3.1]])
    scores = span_scores(begin, end, torch.zeros(1, 4, dtype=torch.long), 4)
    assert best_sets(scores).tolist() == [[0, 0, 1], [0, 2, 3]]
    spans, value = best_span(scores)
    assert spans.tolist() == [[0, 3]]
    assert value.item() == pytest.approx(6.2)


def test_a_weak_begin_inside_a_name_does_not_break_it():
    begin, end = torch.tensor([[5.0, 0.1]]), torch.tensor([[-3.0, 4.0]])
    scores = span_scores(begin, end, torch.zeros(1, 2, dtype=torch.long), 2)
    assert best_sets(scores).tolist() == [[0, 0, 1]]


def test_nothing_above_no_answer_is_the_empty_set():
    scores = span_scores(torch.full((2, 5), -1.0), torch.full((2, 5), 1.0), torch.zeros(2, 5, dtype=torch.long), 3)
    assert best_sets(scores).shape == (0, 3)


@pytest.mark.parametrize("seed", range(20))
def test_sets_are_the_best_of_all_sets(seed):
    generator = torch.Generator().manual_seed(seed)
    begin, end = torch.randn(3, 2, 7, generator=generator).unbind(1)
    segments = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, -1, 2, 2], [0, 0, 1, 1, 1, 1, -1]])
    scores = span_scores(begin, end, segments, 3)
    found = best_sets(scores).tolist()
    for row in range(3):
        spans = all_spans(begin[row], end[row], segments[row].tolist(), 3)
        own = sorted((first, last) for number, first, last in found if number == row)
        total, expected = best_set_by_trying(spans)
        assert sum(spans[span] for span in own) == pytest.approx(total, abs=1e-5)
        assert own == expected
        one, value = best_span(scores[row : row + 1])
        assert value.item() == pytest.approx(max(spans.values()))
        assert spans[tuple(one[0].tolist())] == pytest.approx(value.item())
