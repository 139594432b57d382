"""Predicts intents and slots of joint episodes."""

from dataclasses import replace
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np
import torch

from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH, Vectors
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.methods.blocks import groups
from hf_fewshot.methods.joint_method import JointScores
from hf_fewshot.methods.joint_prototypes import JointPrototypes
from hf_fewshot.methods.sentences import Sentences
from hf_fewshot.models.joint_batch import JointBatch, JointBatcher, intents_of, tags_of
from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.systems.episode_runner import EpisodeRunner, require_numbers
from hf_fewshot.systems.runner import NUMBERS_PER_BATCH


class JointRunner(EpisodeRunner):
    """Predicts batches of joint episodes: `{"intent": name, "slot_tags": [tags]}` per query.

    A model of one part alone (SepProto) gives that part alone.
    """

    model: JointModel
    batcher: JointBatcher

    def make_batcher(self) -> JointBatcher:
        return JointBatcher(self.episodes, with_names=self.model.method.name_weight > 0)

    @cached_property
    def collate(self) -> JointCollator:
        """What makes inputs of episodes that are encoded by themselves."""
        return JointCollator(self.model, self.tokenizer, self.episodes)

    @property
    def encodes_once(self) -> bool:
        return not self.model.config.pairwise

    def predict(self, batch: list[Episode]) -> list[list[Any]]:
        if self.model.config.pairwise:
            return [self._predict_pairs(episode) for episode in batch]
        vectors, starts = (
            (self.vectors, self.starts) if self.vectors else self.encode(self.batcher.used(batch), alone=True)
        )
        predictions = []
        for part in groups([self._shape(one) for one in batch], self._numbers, NUMBERS_PER_BATCH):
            if len(batch[part]) == 1 and self._is_too_large(batch[part][0]):
                predictions.append(self._predict_in_parts(batch[part][0], vectors, starts))
            else:
                scores, query = self.model.score_rows(*self._gathered(batch[part], vectors, starts))
                predictions += [self.named(one, number, scores, query) for number, one in enumerate(batch[part])]
        return predictions

    def _shape(self, episode: Episode) -> list[int]:
        """Sentences and longest sentence of support and queries."""
        sides = (list(episode.support), list(episode.query))
        return [size for own in sides for size in (len(own), int(self.batcher.lengths[own].max(initial=1)))]

    def _numbers(self, count: int, n_support: int, support: int, n_query: int, query: int) -> int:
        """What the vectors of so many episodes take."""
        return count * (n_support * support + n_query * query) * self.model.method.dim

    def _is_too_large(self, episode: Episode) -> bool:
        """Whether an episode must be, and can be, scored in parts; a method of one's own may look at all at once."""
        divisible = type(self.model.method).forward is JointPrototypes.forward
        return divisible and self._numbers(1, *self._shape(episode)) > NUMBERS_PER_BATCH

    def _gathered(self, batch: list[Episode], vectors: Vectors, starts: np.ndarray) -> tuple[torch.Tensor, JointBatch]:
        """The vectors of episodes, and the episodes over these."""
        # Only the rows of these episodes leave the table, which may be on disk.
        episodes, rows = self.batcher(batch, starts).compact()
        device = self.accelerator.device
        return vectors.take(rows).to(device), episodes.to(device)

    def _predict_in_parts(self, episode: Episode, vectors: Vectors, starts: np.ndarray) -> list[Any]:
        """An episode some sentences at a time: padded to a very long one, all of them would take too much."""
        read = (self._gathered([part], vectors, starts) for part in self.parts_of(episode, "support"))
        support = reduce(add, (self.model.read_support(*part) for part in read))
        predictions = []
        for part in self.parts_of(episode, "query"):
            gathered = self._gathered([part], vectors, starts)
            predictions += self.named(part, 0, *self.model.score_query(support, *gathered))
        return predictions

    def parts_of(self, episode: Episode, side: str) -> list[Episode]:
        """The same episode with a part of its support sentences, or of its queries, and without the others."""
        rows = getattr(episode, side)
        lengths = [[length] for length in self.batcher.lengths[list(rows)]]
        dim = self.model.method.dim
        found = groups(lengths, lambda count, longest: count * longest * dim, NUMBERS_PER_BATCH)
        empty: dict[str, Any] = {"support": (), "query": ()}
        return [replace(episode, **empty | {side: tuple(rows[part])}) for part in found]

    def _predict_pairs(self, episode: Episode) -> list[Any]:
        """An episode in parts of as many queries as fit into a batch with all supports."""
        longest = int(self.batcher.lengths[[*episode.support, *episode.query]].max())
        size = max(1, TOKENS_PER_BATCH // (len(episode.support) * (2 * longest + 3)))
        device = self.accelerator.device
        predictions: list[Any] = []
        for begin in range(0, len(episode.query), size):
            part = Episode(episode.classes, episode.support, episode.query[begin : begin + size], episode.group)
            inputs, episodes = self.collate.read([part])
            rows = self.model.encode(inputs.to(device))
            scores, query = self.model.score_rows(rows, episodes.to(device))
            for number in range(len(part.query)):  # each query is an episode of its own
                predictions += self.named(part, number, scores, query)
        return predictions

    def named(self, episode: Episode, number: int, scores: JointScores, query: Sentences) -> list[dict[str, Any]]:
        """The predictions for the episode at one place of a batch."""
        lengths = query.lengths[number].cpu()
        lengths = lengths[lengths > 0]
        if not len(lengths):
            return []
        found: list[dict[str, Any]] = [{} for _ in lengths]
        if scores.intents is not None:
            intents = intents_of(episode)
            best = require_numbers(scores.intents[number, : len(lengths), : len(intents)].float().cpu()).argmax(-1)
            for one, place in zip(found, best.tolist(), strict=True):
                one["intent"] = intents[place]
        if scores.tags is not None:
            tags = np.array(tags_of(episode), dtype=object)
            own = require_numbers(scores.tags[number, : len(lengths), : int(lengths.max()), : len(tags)].float().cpu())
            for one, places, length in zip(found, self.model.method.decode_tags(own, lengths), lengths, strict=True):
                one["slot_tags"] = tags[places[:length].numpy()].tolist()
        return found
