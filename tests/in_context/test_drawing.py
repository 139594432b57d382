"""What is drawn follows the probabilities, and is a function of seed, prompt and sample."""

from collections import Counter

import numpy as np
import pytest
import torch

from hf_fewshot.in_context.backend import Request
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.in_context.drawing import GREEDY, Drawing
from hf_fewshot.in_context.prompts import Demonstration, Prompts
from hf_fewshot.in_context.sampling import Sampling

PROMPTS = Prompts("Choose.", (Demonstration("T: a\nL:", "good", "good"),))
QUERIES = ("T: xyz\nL:", "T: w\nL:", "T: uv\nL:")


def test_greedy_is_the_most_likely_token():
    assert GREEDY(torch.tensor([[0.0, 2.0, 1.0], [3.0, 2.0, 1.0]]), [5, 9]) == [1, 0]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_tokens_are_drawn_by_their_probabilities_at_the_temperature(temperature):
    logits = torch.tensor([1.0, 0.0, -1.0, -torch.inf])
    n = 4000
    drawing = Drawing(Sampling(temperature, seed=3), [[1, 2]] * n)
    counts = Counter(drawing(logits.expand(n, -1), range(n)))
    weights = np.exp(np.array([1.0, 0.0, -1.0]) / temperature)
    expected = weights / weights.sum()
    # Three standard deviations of a share of 4,000.
    for token, share in enumerate(expected):
        assert counts[token] / n == pytest.approx(share, abs=3 * np.sqrt(share * (1 - share) / n))
    assert counts[3] == 0


def test_a_draw_depends_on_seed_prompt_and_sample_only():
    logits = torch.zeros(1, 1000)

    def drawn(seed, prompts, number):
        return Drawing(Sampling(1.0, seed=seed), prompts)(logits, [number])[0]

    alone = drawn(0, [[1, 2]], 0)
    assert drawn(0, [[7], [1, 2], [8]], 1) == alone
    assert drawn(0, [[1, 2], [1, 2]], 0) == alone
    assert len({alone, drawn(0, [[1, 2], [1, 2]], 1), drawn(1, [[1, 2]], 0), drawn(0, [[2, 1]], 0)}) == 4


@pytest.mark.parametrize("share", [False, True])
def test_samples_are_the_same_alone_and_together(llama, tokenizer, share):
    lm = CausalLM(llama, tokenizer, share_prefix=share)
    sampling = Sampling(1.0, samples=3, seed=5)
    answers = lm.answer(Request(PROMPTS, QUERIES, None, 8, sampling=sampling))
    for query, answer in zip(QUERIES, answers, strict=True):
        assert len(answer.samples) == 3
        assert answer.text == answer.samples[0]
        assert len(set(answer.samples)) == 3
        (alone,) = lm.answer(Request(PROMPTS, (query,), None, 8, sampling=sampling))
        assert alone.samples == answer.samples
        assert alone.completion_tokens == answer.completion_tokens > 0


def test_shared_and_full_prompts_draw_the_same(llama, tokenizer):
    request = Request(PROMPTS, QUERIES, None, 8, sampling=Sampling(0.7, samples=2))
    shared, full = (CausalLM(llama, tokenizer, share_prefix=share).answer(request) for share in (True, False))
    assert [answer.samples for answer in shared] == [answer.samples for answer in full]


def test_an_answer_without_an_end_is_said_to_be_cut_off(lm):
    (answer,) = lm.answer(Request(PROMPTS, QUERIES[:1], None, 2))
    assert answer.cut_off
    assert answer.samples is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": -1.0}, r"temperature=-1.0, but it must be from 0 to 10"),
        ({"temperature": float("nan")}, r"temperature=nan, but it must be from 0 to 10"),
        ({"samples": 0, "temperature": 1.0}, r"samples must be a whole number of at least 1, but is 0"),
        ({"samples": 5}, r"samples=5 at temperature 0 would all be the same. Give a temperature"),
        ({"temperature": 1.0, "seed": -1}, r"seed must be a whole number of at least 0, but is -1"),
    ],
)
def test_contradictions_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Sampling(**options)
