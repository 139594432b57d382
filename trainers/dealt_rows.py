"""Rows of a step dealt out to processes, each once: what is left at the end of an epoch is not filled up."""

from collections.abc import Callable, Iterator, Sequence, Sized
from functools import partial
from typing import Any

from accelerate.data_loader import prepare_data_loader
from torch.utils.data import BatchSampler, DataLoader, Sampler
from transformers.trainer_utils import seed_worker

# Says of a batch that its row is there for the shape alone.
WITHOUT_ROWS = "without_rows"


class DealtBatches(BatchSampler):
    """The rows of one process of each step's; none of the last step's where it has fewer rows than processes."""

    def __init__(
        self, sampler: Sampler[int], batch_size: int, drop_last: bool, process: int = 0, processes: int = 1
    ) -> None:
        super().__init__(sampler, batch_size * processes, drop_last)
        self.process = process
        self.processes = processes

    def __iter__(self) -> Iterator[list[int]]:
        for rows in super().__iter__():
            yield rows[self.process :: self.processes]


class RowsOrOne:
    """Collates rows; where there are none, one row that must not count, because all processes compute gradients."""

    def __init__(self, collate: Callable[[Sequence[Any]], dict[str, Any]], dataset: Any) -> None:
        self.collate = collate
        self.dataset = dataset

    def __call__(self, rows: Sequence[Any]) -> dict[str, Any]:
        return self.collate(rows) if len(rows) else {**self.collate([self.dataset[0]]), WITHOUT_ROWS: True}


def dealt_loader(trainer: Any, dataset: Any, sampler: Sampler[int], batch_size: int, **options: Any) -> DataLoader:
    """The batches of the trainer's process, on its device."""
    args, accelerator = trainer.args, trainer.accelerator
    batches = DealtBatches(
        sampler,
        batch_size,
        process=accelerator.process_index,
        processes=accelerator.num_processes,
        **options,
    )
    loader = DataLoader(
        dataset,
        batch_sampler=batches,
        collate_fn=RowsOrOne(trainer.data_collator, dataset),
        num_workers=args.dataloader_num_workers,
        pin_memory=args.dataloader_pin_memory,
        persistent_workers=args.dataloader_persistent_workers,
        prefetch_factor=args.dataloader_prefetch_factor,
        worker_init_fn=partial(seed_worker, num_workers=args.dataloader_num_workers, rank=args.process_index),
    )
    # They are dealt out already: what is left is to shuffle them alike everywhere, and the device.
    return prepare_data_loader(
        loader,
        accelerator.device,
        num_processes=1,
        process_index=0,
        put_on_device=True,
        use_seedable_sampler=True,
        data_seed=args.data_seed,
        non_blocking=accelerator.non_blocking,
    )


def is_dealt(dataset: Any) -> bool:
    """Whether rows have numbers, by which they can be dealt out."""
    return isinstance(dataset, Sized) and hasattr(dataset, "__getitem__")
