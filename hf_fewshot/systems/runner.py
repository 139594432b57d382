"""Predicts the classes or tags of queries."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH, Vectors
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.methods.blocks import NUMBERS_PER_BLOCK, groups
from hf_fewshot.methods.method import Method
from hf_fewshot.models.episode_batch import EpisodeBatch, EpisodeBatcher
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.pairs import pair_inputs
from hf_fewshot.systems.episode_runner import EpisodeRunner, require_numbers
from hf_fewshot.tasks.labels import NOTA

# Vectors of episodes that are compared together, padded: 256 MB in float32. An episode that takes more is alone.
NUMBERS_PER_BATCH = 1 << 26


class Runner(EpisodeRunner):
    """Predicts batches of episodes with a `FewShotModel`: class names, or lists of tags."""

    model: FewShotModel
    batcher: EpisodeBatcher

    def make_batcher(self) -> EpisodeBatcher:
        return EpisodeBatcher(self.episodes, self.model.config.representation)

    @property
    def encodes_once(self) -> bool:
        return self.model.config.representation != "pair"

    def predict(self, batch: list[Episode]) -> list[list[Any]]:
        if self.model.config.representation == "pair":
            return [self._named(episode, require_numbers(self._score_pairs(episode))) for episode in batch]
        if self.vectors is None:
            return [self._named(episode, require_numbers(self._score_alone(episode))[0]) for episode in batch]
        dim = self.model.method.dim
        sizes = [[self.n_vectors(rows) for rows in (own.support, own.query)] for own in batch]

        def numbers(count: int, support: int, query: int) -> int:
            # Vectors, or pairs of them: beside a very long sentence all episodes would be as long as it is.
            return count * max((support + query) * dim, support * query)

        predictions = []
        for part in groups(sizes, numbers, NUMBERS_PER_BATCH):
            scores = require_numbers(self._score(self.vectors, self.together(batch[part], self.starts)))
            predictions += [self._named(episode, one) for episode, one in zip(batch[part], scores, strict=True)]
        return predictions

    def together(self, batch: Sequence[Episode], starts: np.ndarray) -> EpisodeBatch:
        """Some episodes over the vectors of their examples, which begin at `starts`."""
        return self.batcher(batch, starts)

    def n_vectors(self, rows: Sequence[int]) -> int:
        """How many vectors some examples have."""
        return int(self.batcher.lengths[list(rows)].sum()) if self.batcher.by_word else len(rows)

    def _score(self, vectors: Vectors, episodes: EpisodeBatch) -> torch.Tensor:
        device = self.accelerator.device
        support, query = (
            self.model.transform(vectors.take(rows.numpy()).to(device))
            for rows in (episodes.support_rows, episodes.query_rows)
        )
        return self.model.compare(support, query, episodes.to(device)).float().cpu()

    def _score_alone(self, episode: Episode) -> torch.Tensor:
        """The plain way: encodes the examples of one episode, then forgets them."""
        vectors, starts = self.encode(self.batcher.used([episode]), alone=True)
        return self._score(vectors, self.together([episode], starts))

    def _score_pairs(self, episode: Episode) -> torch.Tensor:
        """Scores (query, classes), of as many queries at a time as fit into a batch with all supports."""
        size = max(1, TOKENS_PER_BATCH // (len(episode.support) * self.model.config.max_length))
        device = self.accelerator.device
        scores = []
        for begin in range(0, len(episode.query), size):
            part = Episode(episode.classes, episode.support, episode.query[begin : begin + size], episode.group)
            inputs, rows = pair_inputs(self.model, self.tokenizer, self.episodes.examples, [part])
            described = replace(self.batcher([part]), query_rows=rows)
            found = self.model.score(self.model.encode(inputs.to(device)), described.to(device))
            scores.append(found[0].float().cpu())
        return torch.cat(scores)

    def _named(self, episode: Episode, scores: torch.Tensor) -> list[Any]:
        """Scores (query rows, classes) as class names, or as lists of tags."""
        names = np.array(self.batcher.names(episode, NOTA), dtype=object)
        scores = scores[: self.n_vectors(episode.query)]
        # Classes of larger episodes in the batch have no support here, and decoders must not see them.
        n_classes = len(episode.classes) + self.batcher.by_word
        none = [scores.shape[1] - 1] if self.model.method.nota else []
        scores = scores[:, [*range(n_classes), *none]]
        if not self.batcher.by_word:
            return names[scores.argmax(-1).numpy()].tolist()
        return [names[numbers].tolist() for numbers in self.tag(episode, scores)]

    def tag(self, episode: Episode, scores: torch.Tensor) -> list[np.ndarray]:
        """The classes of the words of each query, from the scores of all their vectors (query rows, classes)."""
        lengths = self.batcher.lengths[list(episode.query)]
        return np.split(self.decode(scores, lengths), np.cumsum(lengths)[:-1])

    def decode(self, scores: torch.Tensor, lengths: np.ndarray) -> np.ndarray:
        """The classes (rows,) of sequences of these lengths that follow each other."""
        if type(self.model.method).decode is Method.decode:
            return scores.argmax(-1).numpy()
        n_classes = scores.shape[1]
        sentences = scores.split(lengths.tolist())
        found = []
        # A decoder has a score of every transition at every position: long sentences do not go with many others.
        for part in groups(
            [[n] for n in lengths], lambda n, longest: n * max(longest, n_classes) * n_classes, NUMBERS_PER_BLOCK
        ):
            together = torch.nn.utils.rnn.pad_sequence(list(sentences[part]), batch_first=True)
            decoded = self.model.method.decode(together, torch.from_numpy(lengths[part]))
            found += [row[:n].numpy() for row, n in zip(decoded, lengths[part], strict=True)]
        return np.concatenate(found)
