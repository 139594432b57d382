"""Texts that a tokenizer reads whole."""

import pytest

from hf_fewshot.encoding.inputs import InputBuilder
from hf_fewshot.encoding.sentence_pooling import SentencePooling
from hf_fewshot.encoding.whole_texts import text_of
from hf_fewshot.models.loading import load_tokenizer
from tests.tiny_models import write_bert


def pieces(tokenizer, inputs):
    return [" ".join(tokenizer.convert_ids_to_tokens(sequence.tolist())) for sequence in inputs.sequences]


def test_a_row_covers_the_special_tokens_and_long_texts_are_cut(bert):
    tokenizer = load_tokenizer(bert, "sentence")
    inputs = InputBuilder(tokenizer, "sentence", 5)([{"text": "Anna, in rome!"}, {"tokens": ["mia"]}])
    assert pieces(tokenizer, inputs) == ["[CLS] anna [UNK] in [SEP]", "[CLS] mia [SEP]"]
    assert inputs.row_sequence.tolist() == [0, 1]
    assert inputs.row_positions.tolist() == [[0, 4], [0, 2]]
    assert inputs.offsets.tolist() == [0, 1, 2]


def test_the_text_counts_where_words_are_there_too():
    assert text_of({"text": "Where's  it?", "tokens": ["Where's", "it?"]}) == "Where's  it?"
    assert text_of({"tokens": ["Where", "is", "it"]}) == "Where is it"
    assert text_of({"tokens": ["天", "气"]}) == "天气"


def test_a_byte_level_tokenizer_puts_no_space_before_the_text(roberta):
    inputs = InputBuilder(load_tokenizer(roberta, "sentence"), "sentence", 20)([{"text": "in rome"}])
    assert pieces(load_tokenizer(roberta, "sentence"), inputs) == ["<s> i n Ġrome </s>"]
    words = InputBuilder(load_tokenizer(roberta), "mean", 20)([{"text": "in rome"}])
    assert pieces(load_tokenizer(roberta), words) == ["<s> Ġin Ġrome </s>"]


def test_prompt_and_lower_case_come_before_the_tokenizer(tmp_path):
    tokenizer = load_tokenizer(write_bert(tmp_path / "cased", lower=False), "sentence")
    pooling = SentencePooling(lower_case=True, prompt="the ")
    inputs = InputBuilder(tokenizer, "sentence", 20, pooling)([{"text": "ANNA"}])
    assert pieces(tokenizer, inputs) == ["[CLS] the anna [SEP]"]
    plain = InputBuilder(tokenizer, "sentence", 20)([{"text": "ANNA"}])
    assert pieces(tokenizer, plain) == ["[CLS] [UNK] [SEP]"]


def test_a_text_without_words_is_refused(bert):
    builder = InputBuilder(load_tokenizer(bert, "sentence"), "sentence", 20)
    with pytest.raises(ValueError, match=r"Example 'e8' has no words. Leave it out"):
        builder([{"id": "e7", "text": "rome"}, {"id": "e8", "text": " \t "}])


def test_no_examples_have_no_rows(bert):
    inputs = InputBuilder(load_tokenizer(bert, "sentence"), "sentence", 20)([])
    assert (inputs.sequences, inputs.row_positions.shape, inputs.offsets.tolist()) == ([], (0, 2), [0])
