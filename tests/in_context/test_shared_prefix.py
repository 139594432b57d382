"""Sharing a prefix gives what plain `transformers` gives for whole prompts."""

import pytest
import torch

from hf_fewshot.in_context import shared_prefix
from hf_fewshot.in_context.full_prompts import FullPrompts
from hf_fewshot.in_context.shared_prefix import SharedPrefix, can_share
from tests.tiny_models import tiny_causal_lm

PREFIX = [1, *range(40, 70)]
QUERIES = [[70, 71, 72], [73], [74, 75, 76, 77, 78, 79, 80], [81, 82], [83, 84, 85, 86]]
OPTIONS = [[[90], [91, 92], [93, 94, 95]]] * 4 + [[[96, 97], [98]]]


def plain_scores(model, prefix, queries, options):
    """The sum of log-softmax values, one whole prompt at a time, without padding or cache."""
    scores = []
    for query, own in zip(queries, options, strict=True):
        scores.append([])
        for option in own:
            ids = torch.tensor([[*prefix, *query, *option]])
            with torch.inference_mode():
                found = model(ids, use_cache=False).logits[0].double().log_softmax(-1)
            start = len(prefix) + len(query)
            scores[-1].append(sum(found[start + i - 1, token].item() for i, token in enumerate(option)))
    return scores


def plain_answers(model, prefix, queries, length, end):
    """`model.generate` for one prompt at a time; the answer ends with the token `end`."""
    answers = []
    for query in queries:
        ids = torch.tensor([[*prefix, *query]])
        output = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=length,
            do_sample=False,
            eos_token_id=end,
            pad_token_id=0,
        )
        answers.append(output[0, ids.shape[1] :].tolist())
    return answers


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.parametrize("tokens", [6, 512])
def test_scores_are_those_of_whole_prompts(kind, attention, tokens, monkeypatch):
    monkeypatch.setattr(shared_prefix, "TOKENS_PER_PACK", tokens)
    model = tiny_causal_lm(kind)
    model.set_attn_implementation(attention)
    assert can_share(model)
    engine = SharedPrefix(model)
    expected = plain_scores(model, PREFIX, QUERIES, OPTIONS)
    for _ in range(2):  # the second time with the prefix that is kept
        found = engine.score(PREFIX, QUERIES, OPTIONS)
        assert [len(own) for own in found] == [3, 3, 3, 3, 2]
        for own, reference in zip(found, expected, strict=True):
            assert own == pytest.approx(reference, abs=1e-4)


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_another_prefix_or_none_is_computed_anew(kind):
    engine = SharedPrefix(tiny_causal_lm(kind))
    for prefix in (PREFIX, PREFIX[:5], [], PREFIX):
        expected = plain_scores(engine.model, prefix, QUERIES[:2], OPTIONS[:2])
        for own, reference in zip(engine.score(prefix, QUERIES[:2], OPTIONS[:2]), expected, strict=True):
            assert own == pytest.approx(reference, abs=1e-4)


def test_no_queries_have_no_scores(llama):
    assert SharedPrefix(llama).score(PREFIX, [], []) == []
    assert SharedPrefix(llama).generate(PREFIX, [], 5, lambda tokens: False) == []
    assert FullPrompts(llama, 0).score(PREFIX, [], []) == []
    assert FullPrompts(llama, 0).generate(PREFIX, [], 5, lambda tokens: False) == []


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
@pytest.mark.parametrize("tokens", [6, 512])
def test_generated_tokens_are_those_of_generate(kind, tokens, monkeypatch):
    monkeypatch.setattr(shared_prefix, "TOKENS_PER_WRITING_PACK", tokens)
    model = tiny_causal_lm(kind)
    without_end = plain_answers(model, PREFIX, QUERIES, 12, None)
    # A token that some answers hold and others do not, so that they end at different times.
    end = without_end[0][3]
    expected = plain_answers(model, PREFIX, QUERIES, 12, end)
    assert len({len(answer) for answer in expected}) > 1
    found = SharedPrefix(model).generate(PREFIX, QUERIES, 12, lambda tokens: tokens[-1] == end)
    assert found == expected
    # Greedy means greedy, whatever else the model's settings ask for.
    model.generation_config.repetition_penalty = 5.0
    assert FullPrompts(model, 0).generate(PREFIX, QUERIES, 12, lambda tokens: tokens[-1] == end) == expected
    assert model.generation_config.repetition_penalty == 5.0


@pytest.mark.parametrize("kind", ["llama", "gpt2", "mistral", "bloom"])
def test_full_prompts_have_the_same_scores(kind, monkeypatch):
    monkeypatch.setattr("hf_fewshot.in_context.full_prompts.TOKENS_PER_BATCH", 120)
    model = tiny_causal_lm(kind)
    expected = plain_scores(model, PREFIX, QUERIES, OPTIONS)
    for own, reference in zip(FullPrompts(model, 0).score(PREFIX, QUERIES, OPTIONS), expected, strict=True):
        assert own == pytest.approx(reference, abs=1e-4)


@pytest.mark.parametrize("kind", ["mistral", "bloom"])
def test_models_with_windows_or_without_positions_do_not_share(kind):
    assert not can_share(tiny_causal_lm(kind))


def test_a_model_that_does_not_give_the_same_logits_does_not_share(llama, monkeypatch):
    assert can_share(llama)
    forward = type(llama).forward

    def deaf(self, *args, attention_mask=None, position_ids=None, past_key_values=None, logits_to_keep=0, **kwargs):
        return forward(self, *args, past_key_values=past_key_values, logits_to_keep=logits_to_keep, **kwargs)

    monkeypatch.setattr(type(llama), "forward", deaf)
    assert not can_share(llama)
