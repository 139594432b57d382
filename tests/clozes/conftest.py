"""Tiny masked language models and their tokenizers."""

from pathlib import Path

import pytest
import torch
from transformers import BertConfig, BertForMaskedLM, RobertaConfig, RobertaForMaskedLM

from hf_fewshot.models.loading import load_tokenizer
from tests.models.conftest import SIZES, write_bert, write_roberta

CLOZE_WORDS = [
    "it",
    "was",
    "great",
    "terrible",
    "yes",
    "maybe",
    "no",
    "film",
    "good",
    "fine",
    "bad",
    "dull",
    "a",
    "the",
]
CLOZE_WORDS += ["tom", "sleeps", "runs", ",", ".", "?"]


@pytest.fixture(scope="session")
def masked_bert(tmp_path_factory) -> Path:
    """An uncased BERT with its language-model head."""
    folder = write_bert(tmp_path_factory.mktemp("masked") / "bert", CLOZE_WORDS)
    torch.manual_seed(0)
    BertForMaskedLM(BertConfig(vocab_size=len(load_tokenizer(folder)), **SIZES)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def masked_roberta(tmp_path_factory) -> Path:
    """A RoBERTa with its language-model head; words with a space before are one token."""
    words = [*CLOZE_WORDS, "Yes", "Maybe", "No"]
    folder = write_roberta(tmp_path_factory.mktemp("masked") / "roberta", words)
    torch.manual_seed(0)
    config = RobertaConfig(vocab_size=len(load_tokenizer(folder)), pad_token_id=1, **SIZES)
    RobertaForMaskedLM(config).save_pretrained(folder)
    return folder
