"""Tags of sentences by a token classifier, and their score."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from hf_fewshot.encoding.inputs import InputBuilder, batches, padded
from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH
from hf_fewshot.registry import resolve


@torch.inference_mode()
def predict_tags(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, sentences: Sequence[Sequence[str]], max_length: int
) -> list[list[str]]:
    """One tag per word: that of its first word piece; long sentences are cut into chunks, not cut off."""
    inputs = InputBuilder(tokenizer, "words", max_length)([{"tokens": words} for words in sentences])
    was_training = model.training
    model.eval()
    lengths = np.array([len(sequence) for sequence in inputs.sequences])
    ends = np.searchsorted(inputs.row_sequence, np.arange(len(lengths) + 1))
    classes = np.empty(len(inputs.row_sequence), dtype=np.int64)
    for group in batches(lengths, TOKENS_PER_BATCH):
        ids, mask = padded([inputs.sequences[number] for number in group], tokenizer.pad_token_id)
        best = model(input_ids=ids.to(model.device), attention_mask=mask.to(model.device)).logits.argmax(-1).cpu()
        for row, number in enumerate(group):
            own = slice(ends[number], ends[number + 1])
            classes[own] = best[row, inputs.row_positions[own, 0]]
    model.train(was_training)
    id2label: Any = model.config.id2label
    names = np.array([id2label[i] for i in range(len(id2label))], dtype=object)
    return [part.tolist() for part in np.split(names[classes], inputs.offsets[1:-1])]


def score_tags(predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Entity F1; BIO tags are recognised by their prefixes."""
    bio = all(tag == "O" or tag[:2] in ("B-", "I-") for tags in references for tag in tags)
    score = resolve("hf_fewshot.metrics.entity_f1.scoring:score")
    return score(predictions, references, scheme="bio" if bio else "io")
