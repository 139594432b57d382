"""Texts as an encoder's own tokenizer reads them, not split into words first."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from tokenizers.normalizers import Lowercase
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.sentence_pooling import SentencePooling
from hf_fewshot.tasks.tags import joiner

LOWER = Lowercase()


def text_of(example: dict[str, Any]) -> str:
    """The text of an example; of one that has words only, these as its language writes them."""
    return example["text"] if "text" in example else joiner(example["tokens"]).join(example["tokens"])


def text_sequences(
    tokenizer: PreTrainedTokenizerBase,
    examples: Sequence[dict[str, Any]],
    max_length: int,
    pooling: SentencePooling,
) -> list[np.ndarray]:
    """The tokens of each text, special ones where the tokenizer puts them, at most `max_length`."""
    texts = [text_of(example) for example in examples]
    if not texts:
        return []
    read = [pooling.prompt + (LOWER.normalize_str(text) if pooling.lower_case else text) for text in texts]
    encoded = tokenizer(read, truncation=True, max_length=max_length, verbose=False)["input_ids"]
    for number, (text, ids) in enumerate(zip(texts, encoded, strict=True)):
        if not text.strip() or not ids:
            raise ValueError(f"Example {examples[number].get('id', number)!r} has no words. Leave it out.")
    return [np.array(ids, dtype=np.int64) for ids in encoded]
