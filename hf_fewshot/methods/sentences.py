"""The sentences of joint episodes as vectors, and what a support set of them adds up to."""

from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import nn

from hf_fewshot.methods.method import PADDING
from hf_fewshot.methods.prototypes import class_sums, means_of


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


class SentenceLabels(Protocol):
    """What is known of sentences without their words (see `Sentences`)."""

    @property
    def lengths(self) -> torch.Tensor: ...
    @property
    def tags(self) -> torch.Tensor: ...
    @property
    def intents(self) -> torch.Tensor: ...


@dataclass(frozen=True)
class ClassNames:
    """Vectors of the names of tags (episodes, tags, dim) and of intents (episodes, intents, dim)."""

    tags: torch.Tensor
    intents: torch.Tensor


@dataclass(frozen=True)
class ClassSums:
    """Sums of the vectors of each class (episodes, classes, dim), and how many they are (episodes, classes)."""

    sums: torch.Tensor
    counts: torch.Tensor

    def __add__(self, other: "ClassSums") -> "ClassSums":
        return ClassSums(self.sums + other.sums, self.counts + other.counts)

    @property
    def prototypes(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The means, and which classes there are."""
        return means_of(self.sums, self.counts)


@dataclass(frozen=True)
class SupportSums:
    """All that prototypes need of a support set; what its parts give adds up to what the whole would give.

    `shown` is how many sentences of an intent show a tag (episodes, intents, tags). None: not asked for.
    """

    tags: ClassSums | None
    intents: ClassSums | None
    shown: torch.Tensor | None

    def __add__(self, other: "SupportSums") -> "SupportSums":
        return SupportSums(
            _added(self.tags, other.tags), _added(self.intents, other.intents), _added(self.shown, other.shown)
        )


def _added(one: Any, other: Any) -> Any:
    return None if one is None else one + other


def tag_sums(support: Sentences, n_tags: int) -> ClassSums:
    """The words of each tag."""
    return ClassSums(*class_sums(support.words.flatten(1, 2), support.tags.flatten(1, 2), n_tags))


def intent_sums(support: Sentences, n_intents: int) -> ClassSums:
    """The sentences of each intent."""
    return ClassSums(*class_sums(support.means, support.intents, n_intents))


def shown_tags(support: Sentences, n_intents: int, n_tags: int) -> torch.Tensor:
    """How many sentences of an intent show a tag (episodes, intents, tags)."""
    tags = nn.functional.one_hot(support.tags.clamp(min=0), n_tags) * (support.tags != PADDING).unsqueeze(-1)
    intents = nn.functional.one_hot(support.intents.clamp(min=0), n_intents)
    intents = intents * (support.intents != PADDING).unsqueeze(-1)
    return torch.einsum("esi,est->eit", intents.float(), tags.amax(2).float())
