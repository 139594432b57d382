"""The loss of a step: the mean over all of its rows, in whatever processes and accumulated batches they are."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
from torch.utils.data import DataLoader, SequentialSampler

from hf_fewshot.models.encoder_model import IGNORED
from hf_fewshot.trainers.dealt_rows import WITHOUT_ROWS, dealt_loader, is_dealt

SHARES = "shares"


class WholeStepMixin:
    """Makes a trainer learn from a step what one process would from all of its rows as one batch.

    A loss is one mean or the sum of several, such as one over sentences and one over words. A batch has a share in
    each: what it has of the sentences, and of the words, of the whole step. Processes have the same number of batches;
    rows are in one of them, and once. Subclasses say what a mean is over, if not over labels.
    """

    args: Any
    accelerator: Any
    model: Any
    train_dataset: Any
    eval_dataset: Any
    data_collator: Any
    # The Trainer need not divide it by the number of accumulated batches.
    loss_is_scaled_for_ga = True

    def loss_counts(self, batch: dict[str, Any]) -> torch.Tensor:
        """Over how many items each mean of the loss of a batch is (means,); by default one, over labels."""
        return (batch["labels"] != IGNORED).sum().reshape(1)

    def loss_means(self, model: Any, inputs: dict[str, Any]) -> tuple[torch.Tensor, Any]:
        """The means (means,) whose sum is the loss of a batch, and what the model gives."""
        loss, outputs = super().compute_loss(model, inputs, return_outputs=True)  # type: ignore[misc]
        return outputs.get("means", loss.reshape(1)), outputs

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """What a batch adds to the loss of its step; the loss of the batch where it is in none."""
        shares = inputs.pop(SHARES, None)
        means, outputs = self.loss_means(model, inputs)
        loss = means.sum() if shares is None else means @ shares.to(means.dtype)
        return (loss, outputs) if return_outputs else loss

    def get_train_dataloader(self) -> DataLoader:
        """Batches of training rows, each row once in an epoch."""
        if not is_dealt(self.train_dataset):
            return super().get_train_dataloader()  # type: ignore[misc]
        sampler = self._get_train_sampler(self.train_dataset)  # type: ignore[attr-defined]
        drop_last = self.args.dataloader_drop_last
        return dealt_loader(self, self.train_dataset, sampler, self.args.train_batch_size, drop_last=drop_last)

    def get_batch_samples(
        self, epoch_iterator: Iterator[dict[str, Any]], num_batches: int, device: torch.device
    ) -> tuple[list[dict[str, Any]], None]:
        """The batches of a step, each with its shares in it."""
        batches = list(islice(epoch_iterator, num_batches))
        if batches:
            counts = torch.stack([self._counts(batch) for batch in batches]).to(device)
            whole = self.accelerator.reduce(counts.sum(0), "sum").clamp(min=1)
            # Gradients of processes are averaged, not added.
            for batch, shares in zip(batches, counts * self.accelerator.num_processes / whole, strict=True):
                batch[SHARES] = shares
        return batches, None

    def _counts(self, batch: dict[str, Any]) -> torch.Tensor:
        counts = self.loss_counts(batch)
        return torch.zeros_like(counts) if batch.pop(WITHOUT_ROWS, False) else counts

    @torch.no_grad()
    def mean_loss(self, dataset: Any) -> float:
        """The loss over a data set as if it were one batch."""
        size = self.args.per_device_eval_batch_size
        loader = dealt_loader(self, dataset, SequentialSampler(dataset), size, drop_last=False)
        was_training = self.model.training
        self.model.eval()
        totals: list[torch.Tensor] = []
        try:
            for batch in loader:
                counts = self._counts(batch)
                with self.accelerator.autocast():
                    means = self.loss_means(self.model, batch)[0]
                totals.append(torch.stack([means.double() * counts, counts.double()]))
        finally:
            self.model.train(was_training)
        total, count = self.accelerator.reduce(torch.stack(totals).sum(0), "sum")
        return (total / count.clamp(min=1)).sum().item()

    def evaluate(
        self, eval_dataset: Any = None, ignore_keys: Any = None, metric_key_prefix: str = "eval"
    ) -> dict[str, float]:
        """The loss on evaluation data."""
        given: Any = self.eval_dataset if eval_dataset is None else eval_dataset
        if given is None:
            raise ValueError("Evaluation needs data: give eval_dataset.")
        metrics = {f"{metric_key_prefix}_loss": self.mean_loss(given)}
        own: Any = self
        own.log(metrics)
        own.control = own.callback_handler.on_evaluate(self.args, own.state, own.control, metrics)
        return metrics
