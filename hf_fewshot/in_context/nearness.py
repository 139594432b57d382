"""How near examples are to each other: in the words they share, or to an encoder."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np
from accelerate import Accelerator

from hf_fewshot.embedded import model_place
from hf_fewshot.encoding.vectors import encode_examples, fingerprint
from hf_fewshot.in_context.bm25 import BM25, terms
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.tasks import Task
from hf_fewshot.tasks.tags import joiner

Examples = Sequence[Mapping[str, Any]]


class Nearness(Protocol):
    """Compares examples by their row numbers."""

    def prepare(self, rows: Iterable[int], accelerator: Accelerator, progress: bool) -> None:
        """Called once, in all processes alike, with all rows that will be compared."""

    def describe(self) -> dict[str, Any]:
        """All that the scores depend on beside the examples."""

    def scores(self, support: tuple[int, ...], query: int) -> np.ndarray:
        """How near each example of the support set is to the query (support,)."""


class SharedWords:
    """BM25 over the support set."""

    def __init__(self, task: Task, examples: Examples) -> None:
        self.task = task
        self.examples = examples
        self._index = lru_cache(maxsize=32)(self._made)

    def prepare(self, rows: Iterable[int], accelerator: Accelerator, progress: bool) -> None:
        """There is nothing to do: words are at hand."""

    def describe(self) -> dict[str, Any]:
        """The words decide alone."""
        return {}

    def scores(self, support: tuple[int, ...], query: int) -> np.ndarray:
        """The score of each example of the support set for the words of the query."""
        return self._index(support).scores(self._terms(query))

    def _made(self, support: tuple[int, ...]) -> BM25:
        return BM25([self._terms(row) for row in support])

    def _terms(self, row: int) -> list[str]:
        return terms(" ".join(self.task.words(self.examples[row])))


class SimilarVectors:
    """The cosine of vectors that an encoder of sentences gives, each example encoded once.

    Args:
        encoder: an embedded one by name, a folder, or a Hub id.
    """

    def __init__(self, encoder: str, task: Task, examples: Examples) -> None:
        self.encoder = encoder
        self.task = task
        self.examples = examples
        self._place: dict[int, int] = {}
        self._vectors = np.empty((0, 0), dtype=np.float32)

    def prepare(self, rows: Iterable[int], accelerator: Accelerator, progress: bool) -> None:
        """Encodes the examples."""
        wanted = sorted(set(rows))
        model, tokenizer = self._model
        texts = [{"id": self.examples[row]["id"], "text": self._text(row)} for row in wanted]
        found = encode_examples(model, tokenizer, texts, accelerator=accelerator, progress=progress)
        vectors = found.take(np.arange(len(wanted))).numpy()
        self._vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        self._place = {row: place for place, row in enumerate(wanted)}

    def describe(self) -> dict[str, Any]:
        """A hash over weights and tokenizer of the encoder."""
        model, tokenizer = self._model
        return {"encoder": fingerprint(model.encoder, model, tokenizer)}

    def scores(self, support: tuple[int, ...], query: int) -> np.ndarray:
        """The cosine of each example of the support set with the query."""
        own = self._vectors[[self._place[row] for row in support]]
        # The last digits of a vector depend on what was encoded with it; equal texts are equally near.
        return np.round(own @ self._vectors[self._place[query]], 5)

    @cached_property
    def _model(self) -> tuple[FewShotModel, Any]:
        place = model_place(self.encoder)
        return FewShotModel.from_encoder(place, "proto", representation="sentence", similarity="cosine")

    def _text(self, row: int) -> str:
        words = self.task.words(self.examples[row])
        return joiner(words).join(words)
