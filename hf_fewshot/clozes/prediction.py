"""Labels by a masked language model that fills in a template."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForMaskedLM, PreTrainedModel, PreTrainedTokenizerBase

from hf_fewshot.clozes.cloze import Cloze
from hf_fewshot.clozes.inputs import ClozeBatch, ClozeInputBuilder, Demonstrations, Row
from hf_fewshot.models.encoder_model import check_positions
from hf_fewshot.models.loading import load_model, load_tokenizer

ROWS_AT_ONCE = 16


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


@torch.inference_mode()
def predict_labels(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: Sequence[Row] | Any,
    cloze: Cloze,
    *,
    demonstrations: Sequence[Row] | Any = None,
    n_draws: int = 16,
    max_length: int = 512,
    seed: int = 0,
) -> list[list[str]]:
    """The label of each row, as its one answer.

    Args:
        demonstrations: training rows to show behind each row; None: nothing is shown.
        n_draws: over how many draws of demonstrations the probabilities are averaged (LM-BFF: 16).
        seed: of the draws.
    """
    rows = list(rows)
    check_positions(model, max_length)
    builder = ClozeInputBuilder(tokenizer, cloze, max_length)
    shown = None if demonstrations is None else Demonstrations(cloze, demonstrations)
    total = torch.zeros(len(rows), len(cloze.labels))
    was_training = model.training
    model.eval()
    try:
        for draw in range(1 if shown is None else n_draws):
            for begin in range(0, len(rows), ROWS_AT_ONCE):
                part = range(begin, min(begin + ROWS_AT_ONCE, len(rows)))
                drawn = [[] if shown is None else shown.draw(np.random.default_rng([seed, n, draw])) for n in part]
                batch = builder([rows[n] for n in part], drawn).to(model.device)
                total[part.start : part.stop] += label_scores(model, batch, builder.label_tokens).softmax(1).cpu()
    finally:
        model.train(was_training)
    names = list(cloze.labels)
    return [[names[number]] for number in total.argmax(1).tolist()]
