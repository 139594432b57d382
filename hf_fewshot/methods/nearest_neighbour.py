"""NNShot and StructShot (Yang and Katiyar, 2020), as Few-NERD uses them."""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import torch

from hf_fewshot.methods.blocks import over_rows, rows_per_block
from hf_fewshot.methods.method import Method, require_similarity, require_temperature, similarity
from hf_fewshot.methods.training_data import TrainingData
from hf_fewshot.methods.viterbi import viterbi
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import types_of

# Few-NERD's floor for transitions that never occur.
NEVER = 1e-6
# START to O, START to I, O to O, O to I, I to O, I to the same type, I to another type.
ABSTRACT = ("start_o", "start_i", "o_o", "o_i", "i_o", "i_same", "i_other")


class NearestNeighbour(Method):
    """Score of a class: similarity of the query to the nearest of its support vectors, divided by a temperature.

    Args:
        similarity: "l2" (negative squared distance), "dot" or "cosine".
        temperature: what scores are divided by; 10 or 20 trains better, predictions do not depend on it.
    """

    def __init__(self, dim: int, *, similarity: str = "l2", temperature: float = 1.0) -> None:
        super().__init__(dim)
        self.similarity = require_similarity(similarity)
        self.temperature = require_temperature(temperature)

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        # Nearness is of all pairs of words: with long sentences, queries are compared some at a time.
        size = rows_per_block(support.shape[0] * support.shape[1])
        return over_rows(lambda part: self._nearest(support, labels, part, n_classes), query, size)

    def _nearest(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        nearness = similarity(query, support, self.similarity) / self.temperature
        nearness = nearness.masked_fill((labels < 0).unsqueeze(1), -torch.inf)
        index = labels.clamp(min=0).unsqueeze(1).expand_as(nearness)
        scores = nearness.new_full((*nearness.shape[:2], n_classes), -torch.inf)
        return scores.scatter_reduce(2, index, nearness, "amax")


class StructShot(NearestNeighbour):
    """NNShot with a Viterbi decoder over abstract transitions counted on training tags.

    The transitions must be there before decoding; the seven numbers are saved with the model. They are counted as the
    authors of Few-NERD do: on all support and query sentences of released training episodes, and where episodes are
    sampled on the sentences they are sampled from.

    Args:
        temperature: what scores are divided by before they are weighed against transitions.
        tau: power that transition probabilities are raised to (Few-NERD: 0.32 for one shot, 0.434 for five).
        compat: "original" decodes over all word pieces, each chunk of a sentence alone, as the authors' code does.
    """

    representation = "words"
    abstract: torch.Tensor

    def __init__(
        self,
        dim: int,
        *,
        similarity: str = "l2",
        temperature: float = 1.0,
        tau: float = 0.32,
        compat: str | None = None,
    ) -> None:
        super().__init__(dim, similarity=similarity, temperature=temperature)
        if compat not in (None, "original"):
            raise ValueError(f'compat must be None or "original", but is {compat!r}.')
        self.by_piece = compat == "original"
        if tau <= 0:
            raise ValueError(f"tau must be positive, but is {tau}. Few-NERD uses 0.32 for one shot.")
        self.tau = tau
        self.register_buffer("abstract", torch.full((len(ABSTRACT),), torch.nan))

    def begin(self, data: TrainingData) -> None:
        """Counts the transitions of all training sentences, as often as training shows them."""
        self.set_transitions(data.shown("tags"))

    def set_transitions(self, tags: Iterable[Sequence[str]]) -> None:
        """Counts the abstract transitions of training sentences."""
        self.abstract.copy_(torch.tensor(count_transitions(tags)))

    def transitions(self, n_types: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Log probabilities from START (1 + types,) and between O and the types (1 + types, 1 + types)."""
        if self.abstract.isnan().any():
            raise ValueError("StructShot has no transitions yet. Call model.method.set_transitions(train tags) first.")
        start_o, start_i, o_o, o_i, i_o, i_same, i_other = self.abstract.double().tolist()
        # One type has no other type to go to.
        table = torch.full((2 + n_types, 2 + n_types), i_other / max(n_types - 1, 1), dtype=torch.float64)
        table.fill_diagonal_(i_same)
        table[0, 1], table[0, 2:] = start_o, start_i / n_types
        table[1, 1], table[1, 2:] = o_o, o_i / n_types
        table[2:, 1] = i_o
        table[:, 0] = 0
        powered = table**self.tau
        powered = powered / powered.sum(1, keepdim=True)
        log = torch.where(powered > 0, powered, NEVER).log()
        return log[0, 1:], log[1:, 1:]

    def decode(self, scores: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        start, between = self.transitions(scores.shape[-1] - 1)
        # Squared distances differ by hundreds: float32 would lose the transitions in the sum.
        emissions = scores.double().log_softmax(-1)
        return viterbi(emissions, lengths, start.to(scores.device), between.to(scores.device))


def count_transitions(tags: Iterable[Sequence[str]]) -> list[float]:
    """Relative frequencies of the seven abstract transitions, in the order of ABSTRACT."""
    sentences = [list(sentence) for sentence in tags if len(sentence)]
    names = types_of(sentences)  # B- and I- of a type are the same type
    _, codes = np.unique([OUTSIDE, *(names[tag] for tag in chain.from_iterable(sentences))], return_inverse=True)
    outside = codes[0]
    codes = codes[1:]
    first = np.zeros(len(codes), dtype=bool)
    first[np.cumsum([0, *map(len, sentences[:-1])])[: len(sentences)]] = True
    before, after = codes[:-1][~first[1:]], codes[1:][~first[1:]]
    from_o, to_o = before == outside, after == outside
    counts = [
        (codes[first] == outside).sum(),
        (codes[first] != outside).sum(),
        (from_o & to_o).sum(),
        (from_o & ~to_o).sum(),
        (~from_o & to_o).sum(),
        (~from_o & (before == after)).sum(),
        (~from_o & ~to_o & (before != after)).sum(),
    ]
    sums = [sum(counts[:2])] * 2 + [sum(counts[2:4])] * 2 + [sum(counts[4:])] * 3
    if not all(sums):
        raise ValueError(
            "Transitions need sentences with a token after O and a token after an entity; there are none."
        )
    return [float(count / total) for count, total in zip(counts, sums, strict=True)]
