"""Batches of prompts with answers, and the loss on the answers alone."""

import inspect
from collections.abc import Sequence
from typing import Any

import torch

from hf_fewshot.adapters.answered_prompts import AnsweredPrompt
from hf_fewshot.models.encoder_model import IGNORED


class AnswerCollator:
    """Prompts with answers as a batch (prompts, longest), padded on the left so that all answers end together.

    `labels` (prompts, longest answer + 1) are the last tokens, but for what is not learned; the first of each row
    never is. Models that can leave out the logits of other tokens are told to: a vocabulary is wide, answers short.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        known = inspect.signature(getattr(model, "get_base_model", lambda: model)().forward).parameters
        self.positions = "position_ids" in known
        self.keeps = "logits_to_keep" in known
        choice = (tokenizer.pad_token_id, tokenizer.eos_token_id, 0)
        self.padding: int = next(token for token in choice if token is not None)

    def __call__(self, prompts: Sequence[AnsweredPrompt]) -> dict[str, Any]:
        width, longest = max(len(one.tokens) for one in prompts), max(one.n_learned for one in prompts)
        ids = torch.full((len(prompts), width), self.padding)
        mask = torch.zeros_like(ids)
        labels = torch.full((len(prompts), longest + 1), IGNORED)
        for row, one in enumerate(prompts):
            tokens = torch.tensor(one.tokens)
            ids[row, width - len(tokens) :] = tokens
            mask[row, width - len(tokens) :] = 1
            labels[row, longest + 1 - one.n_learned :] = tokens[len(tokens) - one.n_learned :]
        batch: dict[str, Any] = {"input_ids": ids, "attention_mask": mask, "labels": labels}
        if self.positions:
            batch["position_ids"] = (mask.cumsum(-1) - 1).clamp(min=0)
        if self.keeps:
            batch["logits_to_keep"] = longest + 1
        return batch


def answer_loss(outputs: Any, labels: torch.Tensor) -> torch.Tensor:
    """The mean cross-entropy of the tokens of answers."""
    logits = outputs.logits[:, -labels.shape[1] : -1].float()
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=IGNORED)
