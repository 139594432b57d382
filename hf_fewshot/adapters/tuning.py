"""Tunes an adapter on support sets of episodes, one after the other; a fold is trained on by a trainer instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from hf_fewshot.adapters.answered_prompts import AnsweredPrompt
from hf_fewshot.adapters.batches import AnswerCollator, answer_loss
from hf_fewshot.episodes.options import require_whole
from hf_fewshot.learning.tuning import batches


@dataclass(frozen=True)
class AdapterTuning:
    """How an adapter is tuned on a support set.

    Args:
        epochs: how often each example is learned from.
        batch_size: examples of a step, of all labels alike.
        learning_rate: of AdamW; it rises in the first tenth of the steps and falls to zero in the others.
    """

    epochs: int = 10
    batch_size: int = 8
    learning_rate: float = 5e-4

    def __post_init__(self) -> None:
        require_whole(epochs=self.epochs, batch_size=self.batch_size)
        if self.learning_rate < 0:
            raise ValueError(f"learning_rate={self.learning_rate}, but it must not be negative.")

    def n_steps(self, n_examples: int) -> int:
        """How many steps so many examples take."""
        return -(-self.epochs * n_examples // min(self.batch_size, n_examples))


class Tuner:
    """Tunes the adapter of a model on one support set after the other, always from the same beginning.

    Args:
        model: with a new adapter.
        seed: of dropout and the order of examples, the same for each support set.
    """

    def __init__(self, model: Any, tokenizer: Any, tuning: AdapterTuning, seed: int) -> None:
        self.model = model
        self.tuning = tuning
        self.seed = seed
        self.collate = AnswerCollator(model, tokenizer)
        self.weights = [weight for weight in model.parameters() if weight.requires_grad]
        self.start = [weight.detach().cpu().clone() for weight in self.weights]

    def learn(self, prompts: Sequence[AnsweredPrompt]) -> None:
        """Forgets what was learned before, and learns to give these answers to these prompts."""
        with torch.no_grad():
            for weight, start in zip(self.weights, self.start, strict=True):
                weight.copy_(start)
        self.model.train()
        try:
            with torch.random.fork_rng(devices=[]), torch.enable_grad():
                torch.manual_seed(self.seed)
                self._learn(prompts)
        finally:
            self.model.eval()

    def _learn(self, prompts: Sequence[AnsweredPrompt]) -> None:
        labels = np.unique([one.label for one in prompts], return_inverse=True)[1]
        n_steps = self.tuning.n_steps(len(prompts))
        optimizer = torch.optim.AdamW(self.weights, lr=self.tuning.learning_rate, weight_decay=0.0)
        rise = max(1, n_steps // 10)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min((step + 1) / rise, (n_steps - step) / max(1, n_steps - rise))
        )
        for step, numbers in enumerate(batches(labels, self.tuning.batch_size, n_steps, self.seed), start=1):
            loss = self._loss([prompts[number] for number in numbers])
            if not loss.isfinite():
                raise ValueError(
                    f"Tuning came to nothing: the loss is {loss.item()} at step {step}. Lower learning_rate="
                    f"{self.tuning.learning_rate}."
                )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        optimizer.zero_grad()

    def _loss(self, prompts: Sequence[AnsweredPrompt]) -> torch.Tensor:
        batch, device = self.collate(prompts), self.model.device
        inputs = {name: part.to(device) if torch.is_tensor(part) else part for name, part in batch.items()}
        labels = inputs.pop("labels")
        return answer_loss(self.model(**inputs), labels)
