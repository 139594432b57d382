"""Predicts tags over word pieces, as the authors of Few-NERD decode."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hf_fewshot.encoding.inputs import PIECES, InputBuilder
from hf_fewshot.encoding.vectors import Vectors
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.episode_batch import EpisodeBatch, stack
from hf_fewshot.systems.runner import Runner


class PieceRunner(Runner):
    """Scores and decodes every piece of a query, each chunk of a long sentence alone.

    A word has the tag of its first piece. A support word is its first piece, as everywhere: the others have no label.
    """

    representation = PIECES

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.inputs = InputBuilder(self.tokenizer, PIECES, self.model.config.max_length)
        # Of each example that was encoded: how many pieces it has, and which of them begin a word.
        self.n_pieces: dict[int, int] = {}
        self.firsts: dict[int, np.ndarray] = {}

    def encode(
        self, used: list[int], cache_dir: str | Path | None = None, alone: bool = False
    ) -> tuple[Vectors, np.ndarray]:
        for number, pieces, first in zip(used, *self.inputs.pieces(self.batcher.sentences(used)), strict=True):
            self.n_pieces[number], self.firsts[number] = len(pieces), first
        return super().encode(used, cache_dir, alone)

    def n_vectors(self, rows: Sequence[int]) -> int:
        return sum(self.n_pieces[row] for row in rows)

    def together(self, batch: Sequence[Episode], starts: np.ndarray) -> EpisodeBatch:
        support = [np.concatenate([starts[row] + self.firsts[row] for row in own.support]) for own in batch]
        query = [
            np.concatenate([np.arange(starts[row], starts[row] + self.n_pieces[row]) for row in own.query])
            for own in batch
        ]
        # What is right is known of words, not of pieces.
        return replace(
            self.batcher(batch, starts), support_rows=stack(support, 0), query_rows=stack(query, 0), labels=None
        )

    def tag(self, episode: Episode, scores: torch.Tensor) -> list[np.ndarray]:
        sizes = np.array([self.n_pieces[row] for row in episode.query])
        room = self.inputs.room
        chunks = np.concatenate([np.diff([*range(0, size, room), size]) for size in sizes])
        tagged = np.split(self.decode(scores, chunks), np.cumsum(sizes)[:-1])
        return [classes[self.firsts[row]] for row, classes in zip(episode.query, tagged, strict=True)]
