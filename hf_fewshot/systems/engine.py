"""Deals out the parts of episodes to processes, keeps what is finished, goes on from it, and gathers it all."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar, NamedTuple

from accelerate.utils import gather_object

from hf_fewshot.episodes.part import Part
from hf_fewshot.progress import bar
from hf_fewshot.systems.prediction_file import PredictionFile
from hf_fewshot.systems.system import Predictions, Setup


class Worker(ABC):
    """Predicts the parts of one set of episodes.

    Attributes:
        bar: what the progress bar is called, and what it counts.
        interrupted_by: errors that end the work of all processes alike; what is finished is kept.
    """

    bar: ClassVar[tuple[str, str]]
    interrupted_by: ClassVar[tuple[type[Exception], ...]] = ()

    @abstractmethod
    def parts(self) -> Iterable[Part]:
        """All there is to predict."""

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """All that predictions depend on; those on disk are used again only if it is the same."""

    def begin(self, todo: Sequence[Part]) -> None:
        """What all processes do before the first part."""
        return

    def batches(self, todo: Sequence[Part]) -> list[Sequence[Part]]:
        """The parts that are predicted together, formed before they are dealt out: processes change nothing."""
        return [[part] for part in todo]

    def size(self, part: Part) -> int:
        """What a part adds to the progress bar."""
        return 1

    def conditions(self) -> AbstractContextManager[Any]:
        """What the work is done within."""
        return nullcontext()

    @abstractmethod
    def rows(self, batches: Sequence[Sequence[Part]]) -> Iterator[list[dict[str, Any]]]:
        """`index`, `ids`, `predictions` and what else is to be known of parts, some at a time as they are finished."""

    def is_final(self, row: dict[str, Any]) -> bool:
        """Whether a row is kept; otherwise its part is predicted again by the next call."""
        return True


class Answered(NamedTuple):
    """What is kept in memory of a row: its predictions, and what a language model answered to each query."""

    predictions: list[Any]
    answers: list[dict[str, Any]] | None = None


class Outcome(NamedTuple):
    """The parts and what was answered to them, and what interrupted the work; some answers are missing then."""

    parts: list[Part]
    answered: dict[int, Answered]
    interruption: str | None = None

    def predictions(self, n_episodes: int) -> Predictions:
        """By episode; none of those that were not asked for."""
        found: Predictions = [[] for _ in range(n_episodes)]
        for part in self.parts:
            found[part.number] += self.answered[part.index].predictions
        return found

    @property
    def answers(self) -> Iterator[dict[str, Any]]:
        """What a language model answered to each query."""
        return (answer for part in self.parts for answer in self.answered[part.index].answers or ())


def deal_out(worker: Worker, setup: Setup) -> Outcome:
    """The rows of all parts, on all processes."""
    accelerator, folder = setup.accelerator, setup.folder
    done: dict[int, Answered] = {}
    file = None
    if folder is not None:
        identity = worker.identity()
        file = PredictionFile(folder / f"predictions-{accelerator.process_index}.jsonl", identity)
        for path in sorted(folder.glob("predictions-*.jsonl")):
            done |= map(_answered, PredictionFile(path, identity).read_rows())
    accelerator.wait_for_everyone()
    parts = [part for part in worker.parts() if setup.only is None or part.number in setup.only]
    todo = [part for part in parts if part.index not in done]
    worker.begin(todo)
    own = _stretch(worker.batches(todo), accelerator.process_index, accelerator.num_processes)
    size = {part.index: worker.size(part) for batch in own for part in batch}
    finished: list[tuple[int, Answered]] = []
    errors: list[str] = []
    description, unit = worker.bar
    progress = bar(total=sum(size.values()), unit=unit, desc=description, shown=setup.progress)
    with progress, worker.conditions():
        try:
            for rows in worker.rows(own):
                if file is not None and (final := list(filter(worker.is_final, rows))):
                    file.append(final)
                finished += map(_answered, rows)
                progress.update(sum(size[row["index"]] for row in rows))
        except worker.interrupted_by as error:
            errors.append(str(error))
    if accelerator.num_processes > 1:
        # All processes end alike; one that raised alone would leave the others waiting for it.
        finished, errors = gather_object(finished), gather_object(errors)
    done |= finished
    return Outcome(parts, done, errors[0] if errors else None)


def _answered(row: dict[str, Any]) -> tuple[int, Answered]:
    return row["index"], Answered(row["predictions"], row.get("answers"))


def _stretch(batches: list[Sequence[Part]], process: int, processes: int) -> list[Sequence[Part]]:
    """The batches of one process. Neighbours often have something in common, so each takes a stretch."""
    first, last = (len(batches) * (process + i) // processes for i in (0, 1))
    return batches[first:last]
