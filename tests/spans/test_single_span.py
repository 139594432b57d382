import numpy as np
import pytest
import torch

from hf_fewshot.models.span_model import SpanModel, single_loss
from hf_fewshot.spans.inputs import SpanInputBuilder, Window
from hf_fewshot.spans.scores import window_scores
from hf_fewshot.spans.single_span import best_of_window
from hf_fewshot.systems.spans import SpanSystem
from tests.spans.rows import NAMES

LONG = {"question": "who ?", "context": ["anna lives in paris . tom works at acme corp", "mia was born in oslo"]}


def probabilities(scores):
    """A softmax over positions, with numpy alone."""
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_is_the_negative_log_likelihood_of_the_span_over_all_positions(seed):
    generator = np.random.default_rng(seed)
    lengths, scores = [7, 4, 6], generator.normal(size=(3, 7, 2)) * 3
    spans = [(2, 4), (0, 0), (5, 5)]
    labels, mask = np.zeros((3, 7, 2), dtype=bool), np.zeros((3, 7), dtype=np.int64)
    expected = []
    for row, (length, (begin, end)) in enumerate(zip(lengths, spans, strict=True)):
        mask[row, :length] = 1
        labels[row, begin, 0] = labels[row, end, 1] = True
        begins, ends = probabilities(scores[row, :length, 0]), probabilities(scores[row, :length, 1])
        expected.append(-np.log(begins[begin] * ends[end]))
    found = single_loss(*map(torch.from_numpy, (scores, mask, labels)))
    # Halved, as by BERT and by the authors' code.
    assert found.item() == pytest.approx(np.mean(expected) / 2)


def test_padding_has_no_gradient_and_makes_no_loss_that_is_no_number():
    scores = torch.randn(1, 5, 2, generator=torch.Generator().manual_seed(1), requires_grad=True)
    labels = torch.zeros(1, 5, 2, dtype=torch.bool)
    labels[0, 0] = True
    single_loss(scores, torch.tensor([[1, 1, 1, 0, 0]]), labels).backward()
    assert torch.isfinite(scores.grad).all()
    assert scores.grad[0, 3:].abs().sum() == 0
    assert (scores.grad[0, :3] != 0).all()


def likeliest(window, segments, begins, ends, max_tokens):
    """The span of highest P(i, j) by trying all, as tokens of the passage, and its probability."""
    best, found = -1.0, None
    for first in range(len(begins)):
        for last in range(first, min(first + max_tokens, len(ends))):
            places = window.places[first : last + 1]
            inside = (places >= 0).all() and len(set(segments[places])) == 1 and segments[places[0]] >= 0
            if inside and begins[first] * ends[last] > best:
                best, found = begins[first] * ends[last], (int(places[0]), int(places[-1]))
    return found, best


@pytest.mark.parametrize("seed", range(20))
def test_the_best_span_of_a_window_is_the_likeliest_of_all_within_a_text(seed):
    generator = np.random.default_rng(seed)
    # [CLS] question (2 tokens) [SEP] context of two texts with a separator between them [SEP]
    segments = np.array([0, 0, 1, 1, 1, -1, 2, 2])
    window = Window(np.zeros(11, dtype=np.int64), np.array([-1, 0, 1, -1, 2, 3, 4, 5, 6, 7, -1]), 4)
    scores = generator.normal(size=(11, 2)) * 2
    begins, ends = probabilities(scores[:, 0]), probabilities(scores[:, 1])
    span, value, nothing = best_of_window(window, segments, torch.from_numpy(scores), 2)
    expected, probability = likeliest(window, segments, begins, ends, 2)
    assert span == expected
    # Scores differ from logarithms of probabilities by what is the same for all spans and for no answer.
    assert np.exp(value - nothing) == pytest.approx(probability / (begins[0] * ends[0]))


@pytest.mark.parametrize("seed", range(6))
def test_of_several_windows_the_best_span_of_any_counts_unless_every_one_says_no_answer(seed, span_bert):
    model, tokenizer = SpanModel.from_encoder(span_bert, head="single", max_length=12, stride=4, max_answer_tokens=3)
    torch.manual_seed(seed)
    torch.nn.init.normal_(model.head.weight, std=1.0)
    builder = SpanInputBuilder(tokenizer, 12, 4)
    rows = [LONG, NAMES, {"question": "where ?", "context": ["anna lives in paris"]}]
    answers = SpanSystem(model, tokenizer).answers(rows)
    passages = builder.passages(rows)
    with torch.inference_mode():
        scored = list(window_scores(model, builder, passages))
    counts = [0, 0, 0]
    for number, passage in enumerate(passages):
        best, found, nothing = -np.inf, None, np.inf
        for _, window, scores in (one for one in scored if one[0] == number):
            counts[number] += 1
            begin, end = scores.numpy().T
            nothing = min(nothing, begin[0] + end[0])
            for first in range(len(begin)):
                for last in range(first, min(first + 3, len(end))):
                    places = window.places[first : last + 1]
                    whole = (places >= 0).all() and len(set(passage.segments[places])) == 1
                    if whole and passage.segments[places[0]] >= 0 and begin[first] + end[last] > best:
                        best, found = begin[first] + end[last], (places[0], places[-1])
        assert answers[number] == ([passage.text(*found)] if best > nothing else [])
    assert counts == [4, 2, 1]


def test_there_is_no_answer_where_cls_is_likelier(span_bert):
    model, tokenizer = SpanModel.from_encoder(span_bert, head="single", max_length=40, stride=10)
    hidden = {}
    model.encoder.register_forward_hook(lambda _, __, output: hidden.update(cls=output.last_hidden_state[0, 0]))
    SpanSystem(model, tokenizer).answers([NAMES])
    # Layer norm makes all vectors equally long: none has a larger product with that of [CLS] than itself.
    for sign, expected in ((1.0, 0), (-1.0, 1)):
        model.head.weight.data = sign * hidden["cls"].repeat(2, 1)
        assert len(SpanSystem(model, tokenizer).answers([NAMES])[0]) == expected
