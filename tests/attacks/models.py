"""Tiny models for attacks, written once."""

from pathlib import Path

from tests.tiny_models import write_llama, write_sample_bert


def tiny_encoder(folder: Path) -> Path:
    """A BERT with random weights that knows the commonest words of FewRel's sample data."""
    return folder if folder.exists() else write_sample_bert(folder)


def tiny_causal_lm(folder: Path) -> Path:
    """A Llama with random weights and a tokenizer of bytes."""
    return folder if folder.exists() else write_llama(folder)
