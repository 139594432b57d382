"""Tiny models for attacks, made from a config."""

from collections import Counter
from pathlib import Path

from hf_fewshot.data.loading import load_episodes
from tests.in_context.conftest import byte_tokenizer, tiny_model
from tests.models.conftest import write_bert

FEWREL = {"n_way": 2, "shots": 1, "n_episodes": 3, "nota_rate": 0.3, "sample": True}


def tiny_encoder(folder: Path) -> Path:
    """A BERT with random weights that knows the commonest words of FewRel's sample data."""
    rows = load_episodes("fewrel", split="validation", **FEWREL).examples["tokens"]
    words = [word for word, _ in Counter(word.lower() for row in rows for word in row).most_common(300)]
    return folder if folder.exists() else write_bert(folder, words)


def tiny_causal_lm(folder: Path) -> Path:
    """A Llama with random weights and a tokenizer of bytes."""
    if not folder.exists():
        byte_tokenizer().save_pretrained(folder)
        tiny_model("llama").save_pretrained(folder)
    return folder
