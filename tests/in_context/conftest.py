"""A tiny causal language model and its tokenizer."""

from typing import Any

import pytest
from transformers import PreTrainedTokenizerFast

from hf_fewshot.in_context.causal_lm import CausalLM
from tests.tiny_models import byte_tokenizer, tiny_causal_lm


@pytest.fixture(scope="session")
def tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer of bytes with a chat template."""
    return byte_tokenizer()


@pytest.fixture(scope="session")
def llama() -> Any:
    """A tiny Llama."""
    return tiny_causal_lm("llama")


@pytest.fixture
def lm(llama, tokenizer) -> CausalLM:
    """A tiny Llama as a backend."""
    return CausalLM(llama, tokenizer)
