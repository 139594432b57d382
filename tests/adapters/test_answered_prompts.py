import logging
from dataclasses import replace

import pytest

from hf_fewshot.adapters.answered_prompts import answered_prompts
from hf_fewshot.in_context.prompt_tokens import PromptTokens
from hf_fewshot.in_context.prompts import Demonstration, Prompts
from tests.tiny_models import byte_tokenizer

PROMPTS = Prompts(
    "Choose.",
    (
        Demonstration("Review: fine\nLabel:", "good", "+"),
        Demonstration("Review: dull\nLabel:", "bad", "-"),
        Demonstration("Review: so so\nLabel:", "bad", "-"),
    ),
)
TOKENS = PromptTokens(byte_tokenizer())


def texts(found, tokens=TOKENS):
    """What is read and what is learned of each."""
    decode = tokens.tokenizer.decode
    return [(decode(one.tokens[: -one.n_learned]), decode(one.tokens[-one.n_learned :])) for one in found]


def test_an_example_is_asked_as_a_query_is_and_its_answer_is_learned_with_its_end():
    found = answered_prompts(PROMPTS, TOKENS, max_length=100)
    assert texts(found) == [
        ("Choose.\n\nReview: fine\nLabel:", " good</s>"),
        ("Choose.\n\nReview: dull\nLabel:", " bad</s>"),
        ("Choose.\n\nReview: so so\nLabel:", " bad</s>"),
    ]
    assert [one.label for one in found] == ["+", "-", "-"]
    # A space, one token for "good", and the end.
    assert [one.n_learned for one in found] == [3, 3, 3]


def test_all_other_examples_can_be_shown_before_each():
    found = answered_prompts(PROMPTS, TOKENS, max_length=200, demonstrations=True)
    fine, dull, so_so = "Review: fine\nLabel:", "Review: dull\nLabel:", "Review: so so\nLabel:"
    assert [read for read, _ in texts(found)] == [
        f"Choose.\n\n{dull} bad\n\n{so_so} bad\n\n{fine}",
        f"Choose.\n\n{fine} good\n\n{so_so} bad\n\n{dull}",
        f"Choose.\n\n{fine} good\n\n{dull} bad\n\n{so_so}",
    ]


def test_examples_that_do_not_fit_are_dropped_as_when_a_query_is_asked():
    whole = answered_prompts(PROMPTS, TOKENS, max_length=200, demonstrations=True)
    found = answered_prompts(PROMPTS, TOKENS, max_length=len(whole[2].tokens) - 1, demonstrations=True)
    # Of two labels with one example each, the first one goes.
    assert texts(found)[2][0] == "Choose.\n\nReview: dull\nLabel: bad\n\nReview: so so\nLabel:"
    assert max(len(one.tokens) for one in found) <= len(whole[2].tokens) - 1


def test_what_is_too_long_even_alone_is_left_out_and_said(caplog):
    alone = answered_prompts(PROMPTS, TOKENS, max_length=200)
    longest = max(len(one.tokens) for one in alone)
    with caplog.at_level(logging.WARNING):
        found = answered_prompts(PROMPTS, TOKENS, max_length=longest - 1)
    assert found == alone[:2]
    assert f"1 of 3 examples have more than {longest - 1} tokens and are left out" in caplog.text
    with pytest.raises(ValueError, match="expected examples of at most 5 tokens with their answers, got 3, of which"):
        answered_prompts(PROMPTS, TOKENS, max_length=5)


def test_a_support_set_without_examples_is_refused():
    with pytest.raises(ValueError, match=r"There is nothing to learn from: .* got 0"):
        answered_prompts(replace(PROMPTS, demonstrations=()), TOKENS, max_length=100)


def test_a_conversation_is_learned_from_as_it_is_asked():
    tokens = PromptTokens(byte_tokenizer(), chat=True)
    (first, *_) = answered_prompts(PROMPTS, tokens, max_length=200, demonstrations=True)
    assert texts([first], tokens) == [
        (
            "<s><|user|>Choose.\n\nReview: dull\nLabel:</s><|assistant|>bad</s><|user|>Review: so so\nLabel:</s>"
            "<|assistant|>bad</s><|user|>Review: fine\nLabel:</s><|assistant|>",
            "good</s>",
        )
    ]


def test_without_an_end_of_text_the_answer_alone_is_learned():
    tokenizer = byte_tokenizer()
    tokenizer.eos_token = None
    found = answered_prompts(PROMPTS, PromptTokens(tokenizer), max_length=100)
    assert [learned for _, learned in texts(found)] == [" good", " bad", " bad"]
