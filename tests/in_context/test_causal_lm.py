"""Prompts as tokens, what fits the context, calibration."""

import math

import numpy as np
import pytest
import torch
from transformers import BartConfig, BertConfig, GPT2Config, LlamaConfig, RobertaConfig, XLMConfig

from hf_fewshot.in_context.backend import Request
from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.causal_lm import CausalLM, require_causal
from hf_fewshot.in_context.prompts import Demonstration, Prompts
from hf_fewshot.in_context.thoughts import split_thoughts
from tests.tiny_models import tiny_causal_lm

PROMPTS = Prompts(
    "Choose.",
    tuple(Demonstration(f"T: {word}\nL:", label, label) for word, label in [("aa", "good"), ("b", "bad")] * 3),
)
QUERIES = ("T: xyz\nL:", "T: the long one, " + "z" * 40 + "\nL:", "T: w\nL:")


def likelihoods(lm, prompt, words):
    """log p(word | prompt) by plain forward passes over the text as one sequence of tokens."""
    scores = []
    for word in words:
        before, after = (lm.tokenizer(text, add_special_tokens=False)["input_ids"] for text in (prompt, prompt + word))
        with torch.inference_mode():
            found = lm.model(torch.tensor([after])).logits[0].double().log_softmax(-1)
        scores.append(sum(found[i - 1, after[i]].item() for i in range(len(before), len(after))))
    return np.array(scores)


def normalised(scores):
    return scores - np.logaddexp.reduce(scores)


@pytest.mark.parametrize("chat", [False, True])
@pytest.mark.parametrize("share", [False, True])
def test_scores_are_probabilities_of_the_words_after_the_prompt(llama, tokenizer, chat, share):
    lm = CausalLM(llama, tokenizer, chat=chat, share_prefix=share)
    words = ("good", "bad", "the other")
    answers = lm.answer(Request(PROMPTS, QUERIES, words, 5))
    for query, answer in zip(QUERIES, answers, strict=True):
        if chat:
            messages = PROMPTS.messages(range(6), query)
            prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            expected = likelihoods(lm, prompt, words)
        else:
            expected = likelihoods(lm, PROMPTS.prefix(range(6)) + query, [f" {word}" for word in words])
        assert answer.scores == pytest.approx(normalised(expected), abs=1e-4)
        assert (answer.dropped, answer.problem, answer.text) == (0, None, None)


def test_calibration_divides_by_what_is_likely_without_content(lm):
    words, empty = ("good", "bad"), ("T: N/A\nL:", "T: \nL:")
    answers = lm.answer(Request(PROMPTS, QUERIES, words, 5, Calibration("content_free"), empty))
    prefix = PROMPTS.prefix(range(6))
    prior = np.mean([np.exp(normalised(likelihoods(lm, prefix + text, [" good", " bad"]))) for text in empty], axis=0)
    for query, answer in zip(QUERIES, answers, strict=True):
        own = normalised(likelihoods(lm, prefix + query, [" good", " bad"]))
        assert answer.scores == pytest.approx(own - np.log(prior), abs=1e-4)


def test_calibration_by_hand():
    plain = Calibration()
    assert plain.comparable([math.log(0.2), math.log(0.6)], [1, 2]) == pytest.approx([math.log(0.25), math.log(0.75)])
    per_token = Calibration(per_token=True)
    assert per_token.comparable([math.log(0.2), math.log(0.36)], [1, 2]) == pytest.approx(
        [math.log(0.25), math.log(0.75)]
    )
    free = Calibration("content_free")
    prior = [np.log([0.9, 0.1]), np.log([0.7, 0.3])]
    assert free.correct(np.log([0.6, 0.4]), prior) == pytest.approx(np.log([0.6 / 0.8, 0.4 / 0.2]))
    assert plain.correct(np.log([0.6, 0.4]), prior) == pytest.approx(np.log([0.6, 0.4]))
    with pytest.raises(ValueError, match=r"Unknown calibration 'contentfree'. Did you mean 'content_free'"):
        Calibration("contentfree")


@pytest.mark.parametrize("chat", [False, True])
def test_texts_are_those_of_generate_in_plain_text_up_to_the_end_of_the_line(llama, tokenizer, chat):
    lm = CausalLM(llama, tokenizer, chat=chat)
    answers = lm.answer(Request(PROMPTS, QUERIES, None, 20))
    for query, answer in zip(QUERIES, answers, strict=True):
        text = PROMPTS.prefix(range(6)) + query
        if chat:
            messages = PROMPTS.messages(range(6), query)
            text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        ids = tokenizer(text, add_special_tokens=False, return_tensors="pt")
        output = llama.generate(**ids, max_new_tokens=20, do_sample=False)[0, ids["input_ids"].shape[1] :]
        expected = tokenizer.decode(output, skip_special_tokens=True)
        assert expected.startswith(answer.text)
        assert answer.text == expected or (not chat and "\n" in answer.text.lstrip())
        assert 0 < answer.completion_tokens <= 20
        assert answer.prompt_tokens == ids["input_ids"].shape[1]


def test_an_answer_ends_with_its_first_line_that_is_not_blank(lm, tokenizer):
    def ended(text):
        return lm._ended(tokenizer(text, add_special_tokens=False)["input_ids"])

    assert ended("good\n")
    assert ended("\n\ngood\nx")
    assert ended("good</s>")
    assert not ended("\n\n")
    assert not ended("\n good")


def test_an_answer_does_not_end_while_a_model_thinks(lm, tokenizer):
    def ended(text):
        return lm._ended(tokenizer(text, add_special_tokens=False)["input_ids"])

    assert not ended("<think>\nLet me see.\nIt may be\n")
    assert not ended("<think>\nLet me see.\n</think>\n\ngood")
    assert ended("<think>\nLet me see.\n</think>\n\ngood\n")


def test_a_turn_of_a_conversation_may_have_several_lines(llama, tokenizer):
    lm = CausalLM(llama, tokenizer, chat=True)
    assert not lm._ended(tokenizer("```json\n[]\n```\n", add_special_tokens=False)["input_ids"])
    assert lm._ended(tokenizer("```json\n[]\n```</s>", add_special_tokens=False)["input_ids"])


def test_thoughts_that_a_chat_template_opens_are_told_apart_from_the_answer(llama, tokenizer, monkeypatch):
    opened = tokenizer.chat_template + "{% if add_generation_prompt %}<think>{% endif %}"
    monkeypatch.setattr(tokenizer, "chat_template", opened)
    (answer,) = CausalLM(llama, tokenizer, chat=True).answer(Request(PROMPTS, QUERIES[:1], None, 12))
    assert split_thoughts(answer.text).unfinished
    assert answer.cut_off
    assert answer.completion_tokens == 12


def length(lm, text):
    return len(lm.tokenizer(text, add_special_tokens=False)["input_ids"])


@pytest.mark.parametrize("chat", [False, True])
@pytest.mark.parametrize("options", [("good", "bad"), None])
def test_demonstrations_are_dropped_until_a_query_fits(llama, tokenizer, chat, options):
    whole = CausalLM(llama, tokenizer, chat=chat)
    sizes = [answer.prompt_tokens for answer in whole.answer(Request(PROMPTS, QUERIES, options, 5))]
    room = max(sizes) - 1
    lm = CausalLM(llama, tokenizer, chat=chat, max_length=room)
    answers = lm.answer(Request(PROMPTS, QUERIES, options, 5))
    assert [answer.dropped for answer in answers] == [0, 1, 0]
    # The query that does not fit with all has the answer it has with those that are left, and no others change.
    fewer = Prompts(PROMPTS.instruction, PROMPTS.demonstrations[1:])
    alone = whole.answer(Request(fewer, QUERIES[1:2], options, 5))[0]
    for answer, expected in zip(
        answers, [*whole.answer(Request(PROMPTS, QUERIES[:1], options, 5)), alone], strict=False
    ):
        assert answer.text == expected.text
        if options:
            assert answer.scores == pytest.approx(expected.scores, abs=1e-4)
    assert all(answer.prompt_tokens < room for answer in answers)


def test_content_free_queries_fit_too_and_follow_the_demonstrations_that_are_left(llama, tokenizer):
    words, empty = ("good", "bad"), ("T: [MASK] is quite a lot longer\nL:",)
    whole = CausalLM(llama, tokenizer)
    size = whole.answer(Request(PROMPTS, QUERIES[2:], words, 5))[0].prompt_tokens
    lm = CausalLM(llama, tokenizer, max_length=size + 10)
    (answer,) = lm.answer(Request(PROMPTS, QUERIES[2:], words, 5, Calibration("content_free"), empty))
    assert answer.dropped > 0
    fewer = Prompts(PROMPTS.instruction, tuple(PROMPTS.demonstrations[i] for i in range(answer.dropped, 6)))
    (alone,) = whole.answer(Request(fewer, QUERIES[2:], words, 5, Calibration("content_free"), empty))
    assert answer.scores == pytest.approx(alone.scores, abs=1e-4)


def test_a_query_that_does_not_fit_alone_has_no_answer(llama, tokenizer):
    lm = CausalLM(llama, tokenizer, max_length=30)
    answers = lm.answer(Request(PROMPTS, QUERIES, ("good", "bad"), 5))
    assert [answer.problem for answer in answers] == [None, "too_long", None]
    assert answers[1].scores is None
    assert answers[0].dropped > 0


def test_a_length_beyond_the_models_is_refused(llama, tokenizer):
    with pytest.raises(ValueError, match="max_length=513, but it must be from 1 to 512"):
        CausalLM(llama, tokenizer, max_length=513)


def test_a_model_without_limit_must_be_given_one(tokenizer):
    model = tiny_causal_lm("bloom")
    with pytest.raises(ValueError, match=r"BloomForCausalLM does not say how long a prompt may be. Give max_length"):
        CausalLM(model, tokenizer)
    lm = CausalLM(model, tokenizer, max_length=300)
    (answer,) = lm.answer(Request(PROMPTS, QUERIES[:1], ("good", "bad"), 5))
    expected = normalised(likelihoods(lm, PROMPTS.prefix(range(6)) + QUERIES[0], [" good", " bad"]))
    assert answer.scores == pytest.approx(expected, abs=1e-4)


def test_a_saved_model_is_loaded_in_float32(llama, tokenizer, tmp_path):
    llama.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    lm = CausalLM.from_pretrained(tmp_path, chat=True)
    assert lm.model.dtype == torch.float32
    assert lm.describe() == CausalLM(llama, tokenizer, chat=True).describe()
    assert lm.describe() != CausalLM(llama, tokenizer).describe()


def test_an_encoder_is_no_causal_language_model(masked_bert, masked_roberta, encoder, tmp_path):
    for folder in (masked_bert, masked_roberta, encoder):
        with pytest.raises(
            ValueError, match=r"^A model of type '(ro)?bert(a)?' that is no decoder is an encoder, but a"
        ):
            CausalLM.from_pretrained(folder)


@pytest.mark.parametrize(
    "config",
    [
        BertConfig(is_decoder=True),
        BertConfig(architectures=["BertLMHeadModel"]),
        RobertaConfig(architectures=["RobertaForCausalLM"]),
        XLMConfig(architectures=["XLMWithLMHeadModel"]),
        BartConfig(architectures=["BartForConditionalGeneration"]),
        GPT2Config(),
        LlamaConfig(),
    ],
    ids=lambda config: config.model_type,
)
def test_what_was_made_to_go_on_with_a_text_is_taken(config):
    require_causal(config)
