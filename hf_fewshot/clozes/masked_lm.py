"""Masked language models and what they say of the words of labels."""

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForMaskedLM, PreTrainedModel, PreTrainedTokenizerBase

from hf_fewshot.clozes.inputs import ClozeBatch
from hf_fewshot.models.loading import load_model, load_tokenizer


def load_masked_lm(
    name_or_path: str | Path, *, new_head: bool = False
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """A masked language model and its tokenizer.

    Args:
        new_head: let an encoder that was saved without its language-model head have a new, untrained one. Otherwise
            that is an error: prompts live on what the head has learned.
    """
    model, info = load_model(AutoModelForMaskedLM, name_or_path, output_loading_info=True)
    if info["missing_keys"] and getattr(model.config, "legacy", False):
        # DeBERTa's published weights have the head that `transformers` builds with legacy=False alone.
        model, info = load_model(AutoModelForMaskedLM, name_or_path, output_loading_info=True, legacy=False)
    missing = sorted(info["missing_keys"])
    if missing and not new_head:
        raise ValueError(
            f"{name_or_path} has no masked-language-model head: {', '.join(missing[:3])} ... are not in its weights. "
            "Use a checkpoint that has one, or new_head=True to train one from the start."
        )
    return model, load_tokenizer(name_or_path)


def label_scores(model: Any, batch: ClozeBatch, label_tokens: torch.Tensor) -> torch.Tensor:
    """The scores (rows, labels) of the label words at the mask."""
    logits = model(input_ids=batch.input_ids, attention_mask=batch.attention_mask).logits
    rows = torch.arange(len(logits), device=logits.device)
    return logits[rows, batch.mask_positions][:, label_tokens.to(logits.device)].float()
