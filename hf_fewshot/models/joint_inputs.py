"""Batches of joint episodes, ready for `JointModel.forward`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import InputBuilder, padded
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.models.joint_batch import JointBatch, JointBatcher
from hf_fewshot.models.joint_model import JointModel

# Where the second sentence begins in a sequence that has none.
NO_SECOND = 1 << 30


class JointCollator:
    """A batch of joint episodes; each distinct sentence, or each pair of a query and a support, is there once."""

    def __init__(self, model: JointModel, tokenizer: PreTrainedTokenizerBase, episodes: EpisodeSet) -> None:
        self.batcher = JointBatcher(episodes, with_names=model.method.name_weight > 0)
        self.builder = InputBuilder(tokenizer, "words", model.config.max_length)
        self.pairwise = model.config.pairwise
        self.padding = tokenizer.pad_token_id

    def __call__(self, batch: Sequence[Episode]) -> dict[str, Any]:
        """The arguments of `JointModel.forward`."""
        inputs, episodes = self.read(batch)
        return {**inputs.by_name(), "episodes": episodes}

    def read(self, batch: Sequence[Episode]) -> tuple[EncoderInputs, JointBatch]:
        """What an encoder reads of some episodes, and the episodes."""
        if self.pairwise:
            used = self.batcher.used(batch)
            return self._pairs(batch, used, self.batcher.sentences(used))
        inputs, starts = self.sentences(batch)
        return inputs, self.batcher(batch, starts)

    def sentences(self, batch: Sequence[Episode]) -> tuple[EncoderInputs, np.ndarray]:
        """What an encoder reads of some episodes, and where the vectors of each example's words will begin."""
        used = self.batcher.used(batch)
        inputs = self.builder(self.batcher.sentences(used))
        starts = np.zeros(len(self.batcher.lengths), dtype=np.int64)
        starts[used] = inputs.offsets[:-1]
        return EncoderInputs.padded(inputs, self.padding), starts

    def _pairs(
        self, batch: Sequence[Episode], used: list[int], sentences: list[dict[str, Any]]
    ) -> tuple[EncoderInputs, JointBatch]:
        """Each query with each support sentence of its episode; every query becomes an episode of its own."""
        alone = [Episode(own.classes, own.support, (query,), own.group) for own in batch for query in own.query]
        pieces = dict(zip(used, zip(*self.builder.pieces(sentences), strict=True), strict=True))
        described = self.batcher(alone)
        sequences: list[np.ndarray] = []
        row_sequence, row_positions = [], []
        n_rows = 0
        support_rows = torch.zeros_like(described.support.rows)
        query_rows = torch.zeros(len(alone), 1, support_rows.shape[1], described.query.rows.shape[2]).long()
        for number, episode in enumerate(alone):
            (query,) = episode.query
            for place, support in enumerate(episode.support):
                sequence, firsts, second = self._pair(*pieces[query], *pieces[support])
                row_sequence.append(np.full(len(firsts), len(sequences)))
                row_positions.append(np.stack([firsts, np.full(len(firsts), second)], axis=1))
                sequences.append(sequence)
                n_query, n_support = self.batcher.lengths[query], self.batcher.lengths[support]
                query_rows[number, 0, place, :n_query] = torch.arange(n_rows, n_rows + n_query)
                support_rows[number, place, :n_support] = torch.arange(n_rows + n_query, n_rows + len(firsts))
                n_rows += len(firsts)
        names = [
            (number, text)
            for number, text in zip(used, sentences, strict=True)
            if number >= len(self.batcher.examples)
        ]
        if names:
            inputs = self.builder([text for _, text in names])
            starts = np.zeros(len(self.batcher.lengths), dtype=np.int64)
            starts[[number for number, _ in names]] = inputs.offsets[:-1] + n_rows
            described = self.batcher(alone, starts)
            row_sequence.append(inputs.row_sequence + len(sequences))
            row_positions.append(
                np.stack([inputs.row_positions[:, 0], np.full(len(inputs.row_sequence), NO_SECOND)], 1)
            )
            sequences += inputs.sequences
        ids, mask = padded(sequences, self.padding)
        rows = (torch.from_numpy(np.concatenate(own)) for own in (row_sequence, row_positions))
        episodes = replace(
            described,
            support=replace(described.support, rows=support_rows),
            query=replace(described.query, rows=query_rows),
        )
        return EncoderInputs(ids, mask, *rows), episodes

    def _pair(
        self, query: np.ndarray, query_firsts: np.ndarray, support: np.ndarray, support_firsts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """A sequence, the places of the first pieces of all words in it, and where its second sentence begins."""
        size = len(query) + len(support) + 3
        if size > self.builder.room + 2:
            raise ValueError(
                f"A query and a support sentence have {size} pieces together, but max_length is "
                f"{self.builder.room + 2}. Raise max_length, or use pairwise=False."
            )
        second = len(query) + 2
        start, end = [self.builder.start], [self.builder.end]
        sequence = np.concatenate([start, query, end, support, end])
        return sequence, np.concatenate([query_firsts + 1, support_firsts + second]), second
