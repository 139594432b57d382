"""SepProto and JointProto of FewJoint (Hou et al., 2020b): prototypes of intents and of BIO tags."""

from typing import Any

import torch
from torch import nn

from hf_fewshot.methods.joint_method import JointMethod, JointScores
from hf_fewshot.methods.method import PADDING, is_supported, require_similarity, similarity
from hf_fewshot.methods.sentences import (
    ClassNames,
    ClassSums,
    SentenceLabels,
    Sentences,
    SupportSums,
    intent_sums,
    shown_tags,
    tag_sums,
)
from hf_fewshot.methods.task_projection import TaskProjection
from hf_fewshot.methods.transitions import FORBIDDEN, NEVER, TRANSITIONS, Unfolded, sequence_losses
from hf_fewshot.methods.viterbi import viterbi

PARTS = ("joint", "intent", "slots")
# Where the weight of the slots in an intent's score begins.
DEPENDENCY_WEIGHT = 0.2


class JointPrototypes(JointMethod):
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
        self.similarity = require_similarity(similarity, ("l2", "dot"))
        self.name_weight = name_weight
        self.transitions = TRANSITIONS[transitions]()
        self.projection = TaskProjection(dim) if tapnet else None
        self.log_temperature = nn.Parameter(torch.tensor([temperature, temperature]).log())
        self.dependency_weight = nn.Parameter(torch.tensor(DEPENDENCY_WEIGHT)) if dependency else None

    def forward(
        self, support: Sentences, query: Sentences, n_intents: int, n_tags: int, names: ClassNames | None = None
    ) -> JointScores:
        return self.score(self.read(support, n_intents, n_tags), query, names)

    def read(self, support: Sentences, n_intents: int, n_tags: int) -> SupportSums:
        """What a support set, or a part of it, adds up to."""
        return SupportSums(
            None if self.part == "intent" else tag_sums(support, n_tags),
            None if self.part == "slots" else intent_sums(support, n_intents),
            None if self.dependency_weight is None else shown_tags(support, n_intents, n_tags),
        )

    def score(self, support: SupportSums, query: Sentences, names: ClassNames | None = None) -> JointScores:
        """Scores of the queries from what the support set adds up to."""
        tags: Any = None
        intents: Any = None
        temperature = self.log_temperature.exp().to(query.words.dtype)
        tag_names, intent_names = (None, None) if names is None else (names.tags, names.intents)
        if support.tags is not None:
            words = query.words.flatten(1, 2)
            tags = self._scores(support.tags, words, temperature[1], tag_names, self.projection)
            tags = tags.reshape(*query.words.shape[:3], tags.shape[-1])
        if support.intents is not None:
            intents = self._scores(support.intents, query.means, temperature[0], intent_names)
        if self.dependency_weight is not None and support.shown is not None:
            intents = intents + self.dependency_weight * slot_evidence(support.shown, query, tags)
        return JointScores(intents, tags)

    def _scores(
        self,
        support: ClassSums,
        query: torch.Tensor,
        temperature: torch.Tensor,
        names: torch.Tensor | None,
        projection: TaskProjection | None = None,
    ) -> torch.Tensor:
        means, present = support.prototypes
        if names is not None:
            means = (1 - self.name_weight) * means + self.name_weight * names
        if projection is not None:
            means, query = projection(means, present, query, names, self.name_weight)
        # Infinities come last: the gradient of their quotient would be no number.
        scores = similarity(query, means, self.similarity) / temperature
        return scores.masked_fill(~present.unsqueeze(1), -torch.inf)

    def loss(self, scores: JointScores, query: Sentences) -> torch.Tensor:
        """The sum of the mean losses of intents and of tags; what has no score does not count."""
        return self.losses(scores, query).sum()

    def losses(self, scores: JointScores, query: Sentences) -> torch.Tensor:
        return mean_losses(self.loss_totals(scores, query))

    def loss_counts(self, support: SentenceLabels, query: SentenceLabels) -> torch.Tensor:
        counts = []
        if self.part != "slots":
            counts.append(is_supported(query.intents, support.intents).sum())
        if self.part != "intent":
            known = is_supported(query.tags, support.tags)
            if self.transitions.learned:
                places = torch.arange(known.shape[2], device=known.device)
                whole = (known | (places >= query.lengths.unsqueeze(2))).all(2)
                counts.append((query.lengths * whole).sum())
            else:
                counts.append(known.sum())
        return torch.stack(counts)

    def loss_totals(self, scores: JointScores, query: Sentences) -> torch.Tensor:
        """The losses of intents and of tags in total, and over how many they are the sums (parts, 2)."""
        parts = []
        if scores.intents is not None:
            parts.append(_cross_entropy(scores.intents, query.intents))
        if scores.tags is not None:
            learned = self.transitions.learned
            parts.append(
                self._sequence_loss(scores.tags, query) if learned else _cross_entropy(scores.tags, query.tags)
            )
        return torch.stack(parts)

    def _sequence_loss(self, scores: torch.Tensor, query: Sentences) -> torch.Tensor:
        """The loss of whole sequences of tags and their words; a sentence with an unknown tag does not count."""
        emissions = _finite(scores).flatten(0, 1)
        tags, lengths = query.tags.flatten(0, 1), query.lengths.flatten()
        known = _known(scores, query.tags).flatten(0, 1) | ~query.inside.flatten(0, 1)
        whole = known.all(1) & (lengths > 0)
        losses = sequence_losses(emissions, tags, lengths.clamp(min=1), self.unfolded(emissions))
        return _total_and_count((losses * whole).sum(), (lengths * whole).sum())

    def unfolded(self, emissions: torch.Tensor) -> Unfolded:
        """The transitions between the tags of emissions (..., tags)."""
        unfolded = self.transitions((emissions.shape[-1] - 1) // 2)
        return Unfolded(*(part.to(emissions) for part in unfolded))

    def decode_tags(self, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """The best tags (sentences, words) of scores (sentences, words, tags)."""
        emissions = tags.double().log_softmax(-1).masked_fill(tags.isinf(), FORBIDDEN)
        start, between, end = self.unfolded(emissions)
        return viterbi(emissions, lengths, start, between, end)


def slot_evidence(shown: torch.Tensor, query: Sentences, tags: torch.Tensor) -> torch.Tensor:
    """(episodes, queries, intents): the mean score of the slots that the support set shows with each intent.

    A slot's score is the mean log probability of its tags over the query; an intent seen without slots has that of O.
    `shown` is how many support sentences of an intent show a tag (episodes, intents, tags).
    """
    seen = shown > 0
    slots = seen.clone()
    slots[..., 0] = ~seen[..., 1:].any(-1)
    logs = tags.log_softmax(-1).clamp(min=NEVER) * query.inside.unsqueeze(-1)
    means = logs.sum(2) / query.lengths.clamp(min=1).unsqueeze(-1)
    weights = slots.to(means.dtype)
    return torch.einsum("eqt,eit->eqi", means, weights) / weights.sum(-1).clamp(min=1).unsqueeze(1)


def mean_losses(totals: torch.Tensor) -> torch.Tensor:
    """The mean losses (parts,) from totals and counts (parts, 2)."""
    return totals[:, 0] / totals[:, 1].clamp(min=1)


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
    return _total_and_count(total, known.sum())


def _total_and_count(total: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
    return torch.stack([total, count.to(total.dtype)])
