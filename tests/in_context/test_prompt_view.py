"""Prompts to be looked at are those that are asked."""

import pytest

from hf_fewshot.in_context.backend import Request
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.in_context.prompt_view import LocalOnlooker, Onlooker
from hf_fewshot.in_context.prompts import Demonstration, Prompts
from tests.tiny_models import write_llama

SHOWN = tuple(Demonstration(f"Text: {text}\nLabel:", label, label) for text, label in zip("abcd", "xyxy", strict=True))
PROMPTS = Prompts("Choose.", SHOWN[:2], system="Be kind.")
REQUEST = Request(PROMPTS, ("Text: c\nLabel:",), ("x", "y"), 8)


def test_without_a_model_a_prompt_is_plain_text_or_messages():
    plain, chat = Onlooker(), Onlooker(chat=True)
    assert plain.answer(REQUEST)[0].problem == chat.answer(REQUEST)[0].problem == "too_long"
    assert plain.view.text == ("Be kind.\n\nChoose.\n\nText: a\nLabel: x\n\nText: b\nLabel: y\n\nText: c\nLabel:")
    assert plain.view.messages is None
    assert plain.view.n_tokens is None
    assert chat.view.text is None
    assert [turn["role"] for turn in chat.view.messages] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]


@pytest.mark.parametrize("chat", [False, True])
@pytest.mark.parametrize("demonstrations", [SHOWN[:2], SHOWN * 4])
def test_with_a_model_it_is_the_prompt_whose_tokens_a_run_counts(tmp_path, chat, demonstrations):
    folder = write_llama(tmp_path, 128)
    request = Request(Prompts("Choose.", demonstrations), ("Text: c\nLabel:",), ("x", "y"), 8)
    onlooker = LocalOnlooker.from_outline(folder, chat=chat)
    assert onlooker.model.device.type == "meta"  # no weights
    assert onlooker.answer(request)[0].problem == "too_long"
    (answer,) = CausalLM.from_pretrained(folder, chat=chat).answer(request)
    view = onlooker.view
    assert (view.n_tokens, view.dropped) == (answer.prompt_tokens, answer.dropped)
    assert len(onlooker.tokenizer(view.text, add_special_tokens=not chat)["input_ids"]) == view.n_tokens
    assert (view.dropped > 0) == (len(demonstrations) > 2)
    assert ("<|user|>" in view.text) == chat


def test_a_query_that_does_not_fit_has_no_text(tmp_path):
    onlooker = LocalOnlooker.from_outline(write_llama(tmp_path, 16))
    onlooker.answer(Request(PROMPTS, ("Text: " + "c" * 20,), None, 8))
    assert (onlooker.view.text, onlooker.view.dropped) == (None, 2)
