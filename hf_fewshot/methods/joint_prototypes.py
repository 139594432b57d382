"""SepProto and JointProto of FewJoint (Hou et al., 2020b): prototypes of intents and of BIO tags."""

from dataclasses import dataclass

import torch
from torch import nn

from hf_fewshot.methods.method import PADDING, Method, require_similarity, similarity
from hf_fewshot.methods.prototypes import prototypes
from hf_fewshot.methods.task_projection import TaskProjection
from hf_fewshot.methods.transitions import FORBIDDEN, NEVER, TRANSITIONS, Unfolded, sequence_losses
from hf_fewshot.methods.viterbi import viterbi

PARTS = ("joint", "intent", "slots")
# Where the weight of the slots in an intent's score begins.
DEPENDENCY_WEIGHT = 0.2


@dataclass(frozen=True)
class Sentences:
    """Vectors of words (episodes, sentences, words, dim) and what is known of the sentences.

    `tags` (episodes, sentences, words) and `intents` (episodes, sentences) are PADDING where there is none, or where
    the episode does not have it; `lengths` (episodes, sentences) are 0 for sentences that only fill up the batch.
    """

    words: torch.Tensor
    lengths: torch.Tensor
    tags: torch.Tensor
    intents: torch.Tensor

    @property
    def inside(self) -> torch.Tensor:
        """True for words that are there (episodes, sentences, words)."""
        return torch.arange(self.words.shape[2], device=self.words.device) < self.lengths.unsqueeze(-1)

    @property
    def means(self) -> torch.Tensor:
        """The vectors of the sentences (episodes, sentences, dim): the means of their words'."""
        sums = (self.words * self.inside.unsqueeze(-1)).sum(2)
        return sums / self.lengths.clamp(min=1).unsqueeze(-1).to(sums.dtype)


@dataclass(frozen=True)
class ClassNames:
    """Vectors of the names of tags (episodes, tags, dim) and of intents (episodes, intents, dim)."""

    tags: torch.Tensor
    intents: torch.Tensor


@dataclass(frozen=True)
class JointScores:
    """Scores of intents (episodes, queries, intents) and of tags (episodes, queries, words, tags); None: not asked."""

    intents: torch.Tensor | None
    tags: torch.Tensor | None


class JointPrototypes(Method):
    """Prototypes of intents over sentence vectors and of tags over word vectors.

    Args:
        part: "joint", or "intent" or "slots" for one of the two networks of SepProto.
        similarity: "l2" or "dot".
        temperature: what scores are divided by at the start; learned, one for intents and one for tags.
        dependency: adds to an intent's score the mean score of the slots seen with it in the support set, with a
            learned weight.
        transitions: "none", "rules" (no I tag without its slot before it) or "cdt" (learned on training domains).
        tapnet: compare tags after TapNet's projection.
        name_weight: share of the vector of its name in a prototype, and in TapNet's references; 0: names are not read.
    """

    model = "JointModel"
    representation = "words"

    def __init__(
        self,
        dim: int,
        *,
        part: str = "joint",
        similarity: str = "l2",
        temperature: float = 20.0,
        dependency: bool = False,
        transitions: str = "none",
        tapnet: bool = False,
        name_weight: float = 0.0,
    ) -> None:
        super().__init__(dim)
        if part not in PARTS:
            raise ValueError(f"part must be one of {', '.join(PARTS)}, but is {part!r}.")
        if transitions not in TRANSITIONS:
            raise ValueError(f"transitions must be one of {', '.join(TRANSITIONS)}, but is {transitions!r}.")
        if dependency and part != "joint":
            raise ValueError(f'dependency=True needs part="joint": with part={part!r} there is nothing to depend on.')
        if temperature <= 0 or not 0 <= name_weight <= 1:
            raise ValueError(
                f"Expected a positive temperature and a name_weight from 0 to 1, got {temperature} and {name_weight}."
            )
        self.part = part
        self.similarity = require_similarity(similarity)
        self.name_weight = name_weight
        self.transitions = TRANSITIONS[transitions]()
        self.projection = TaskProjection(dim) if tapnet else None
        self.log_temperature = nn.Parameter(torch.tensor([temperature, temperature]).log())
        self.dependency_weight = nn.Parameter(torch.tensor(DEPENDENCY_WEIGHT)) if dependency else None

    def forward(  # type: ignore[override]
        self, support: Sentences, query: Sentences, n_intents: int, n_tags: int, names: ClassNames | None = None
    ) -> JointScores:
        """Scores of the queries; a class without support has -inf."""
        tags = intents = None
        temperature = self.log_temperature.exp().to(query.words.dtype)
        tag_names, intent_names = (None, None) if names is None else (names.tags, names.intents)
        if self.part != "intent":
            words, labels, asked = (part.flatten(1, 2) for part in (support.words, support.tags, query.words))
            tags = self._scores(words, labels, asked, n_tags, temperature[1], tag_names, self.projection)
            tags = tags.reshape(*query.words.shape[:3], n_tags)
        if self.part != "slots":
            sentences = (support.means, support.intents, query.means)
            intents = self._scores(*sentences, n_intents, temperature[0], intent_names)
        if self.dependency_weight is not None and tags is not None and intents is not None:
            intents = intents + self.dependency_weight * slot_evidence(support, query, tags, n_intents)
        return JointScores(intents, tags)

    def _scores(
        self,
        support: torch.Tensor,
        labels: torch.Tensor,
        query: torch.Tensor,
        n_classes: int,
        temperature: torch.Tensor,
        names: torch.Tensor | None,
        projection: TaskProjection | None = None,
    ) -> torch.Tensor:
        means, present = prototypes(support, labels, n_classes)
        if names is not None:
            means = (1 - self.name_weight) * means + self.name_weight * names
        if projection is not None:
            means, query = projection(means, present, query, names, self.name_weight)
        # Infinities come last: the gradient of their quotient would be no number.
        scores = similarity(query, means, self.similarity) / temperature
        return scores.masked_fill(~present.unsqueeze(1), -torch.inf)

    def loss(self, scores: JointScores, query: Sentences) -> torch.Tensor:
        """The sum of the mean losses of intents and of tags; what has no score does not count."""
        parts = []
        if scores.intents is not None:
            parts.append(_cross_entropy(scores.intents, query.intents))
        if scores.tags is not None:
            learned = self.transitions.learned
            parts.append(
                self._sequence_loss(scores.tags, query) if learned else _cross_entropy(scores.tags, query.tags)
            )
        return torch.stack(parts).sum()

    def _sequence_loss(self, scores: torch.Tensor, query: Sentences) -> torch.Tensor:
        """The loss per word of whole sequences of tags; a sentence with an unknown tag does not count."""
        emissions = _finite(scores).flatten(0, 1)
        tags, lengths = query.tags.flatten(0, 1), query.lengths.flatten()
        known = _known(scores, query.tags).flatten(0, 1) | ~query.inside.flatten(0, 1)
        whole = known.all(1) & (lengths > 0)
        losses = sequence_losses(emissions, tags, lengths.clamp(min=1), self.unfolded(emissions))
        return (losses * whole).sum() / (lengths * whole).sum().clamp(min=1)

    def unfolded(self, emissions: torch.Tensor) -> Unfolded:
        """The transitions between the tags of emissions (..., tags)."""
        unfolded = self.transitions((emissions.shape[-1] - 1) // 2)
        return Unfolded(*(part.to(emissions) for part in unfolded))

    def decode_tags(self, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """The best tags (sentences, words) of scores (sentences, words, tags)."""
        emissions = tags.double().log_softmax(-1).masked_fill(tags.isinf(), FORBIDDEN)
        start, between, end = self.unfolded(emissions)
        return viterbi(emissions, lengths, start, between, end)


def slot_evidence(support: Sentences, query: Sentences, tags: torch.Tensor, n_intents: int) -> torch.Tensor:
    """(episodes, queries, intents): the mean score of the slots that the support set shows with each intent.

    A slot's score is the mean log probability of its tags over the query; an intent seen without slots has that of O.
    """
    n_tags = tags.shape[-1]
    shown = nn.functional.one_hot(support.tags.clamp(min=0), n_tags) * (support.tags != PADDING).unsqueeze(-1)
    by_intent = nn.functional.one_hot(support.intents.clamp(min=0), n_intents)
    by_intent = by_intent * (support.intents != PADDING).unsqueeze(-1)
    seen = torch.einsum("esi,est->eit", by_intent.float(), shown.amax(2).float()) > 0
    slots = seen.clone()
    slots[..., 0] = ~seen[..., 1:].any(-1)
    logs = tags.log_softmax(-1).clamp(min=NEVER) * query.inside.unsqueeze(-1)
    means = logs.sum(2) / query.lengths.clamp(min=1).unsqueeze(-1)
    weights = slots.to(means.dtype)
    return torch.einsum("eqt,eit->eqi", means, weights) / weights.sum(-1).clamp(min=1).unsqueeze(1)


def _finite(scores: torch.Tensor) -> torch.Tensor:
    return scores.masked_fill(scores.isinf(), NEVER)


def _known(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Where a label is there and has a score."""
    own = scores.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return (labels >= 0) & ~own.isinf()


def _cross_entropy(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    known = _known(scores, labels)
    targets = labels.masked_fill(~known, PADDING).flatten()
    total = nn.functional.cross_entropy(scores.flatten(0, -2), targets, ignore_index=PADDING, reduction="sum")
    return total / known.sum().clamp(min=1)
