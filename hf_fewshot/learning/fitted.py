"""What a learner has learned: classes, heads, what is none of them, and the examples it learned them from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import torch

from hf_fewshot.learning.features import Features
from hf_fewshot.learning.heads import class_means, fitted_head
from hf_fewshot.learning.none_threshold import choose_threshold
from hf_fewshot.learning.options import LearnerOptions
from hf_fewshot.learning.parts import Part
from hf_fewshot.methods.logistic import LinearHead


@dataclass(frozen=True)
class Support:
    """Labelled examples and their vectors."""

    examples: list[dict[str, Any]]
    features: Features


@dataclass(frozen=True)
class NoneRule:
    """None of the above: what is less like all classes, whose means (classes, dim) are given, than a threshold."""

    means: torch.Tensor
    threshold: float

    def applies(self, vectors: torch.Tensor) -> torch.Tensor:
        """Whether each of the vectors (n, dim) of length 1 is none of the above."""
        return (vectors @ self.means.T).amax(1) < self.threshold


@dataclass(frozen=True)
class Fitted:
    """What answers take: the parts, a head for each, and for labels perhaps a rule for none of the above.

    `support` is None where the examples were left out when the learner was saved.
    """

    parts: tuple[Part, ...]
    heads: list[LinearHead]
    none: list[NoneRule | None]
    support: Support | None

    def to(self, device: torch.device) -> Self:
        """The same on a device."""
        if self.heads[0].weight.device == device:
            return self
        heads = [LinearHead(*(part.to(device) for part in head)) for head in self.heads]
        none = [rule and replace(rule, means=rule.means.to(device)) for rule in self.none]
        support = self.support and replace(self.support, features=self.support.features.to(device))
        return replace(self, heads=heads, none=none, support=support)

    def required_support(self, what: str) -> Support:
        """The examples, which `what` takes."""
        if self.support is None:
            raise ValueError(f"This learner was saved without its examples, but {what} takes them. Fit it again.")
        return self.support


def fit_heads(
    parts: tuple[Part, ...],
    examples: Sequence[dict[str, Any]],
    features: Features,
    n_own: int,
    options: LearnerOptions,
) -> Fitted:
    """Heads, and what is none of the above, from examples; only the first `n_own` of them are kept as such."""
    heads, rules = [], []
    for part in parts:
        vectors = features.of(part.column)
        labels = torch.from_numpy(part.targets(examples)).to(vectors.device)
        heads.append(fitted_head(vectors, labels, len(part.classes), options))
        rule = None
        if options.none_of_the_above and not part.column.is_tags:
            threshold = choose_threshold(vectors, labels, len(part.classes))
            rule = NoneRule(class_means(vectors, labels, len(part.classes)), threshold)
        rules.append(rule)
    return Fitted(parts, heads, rules, Support(list(examples[:n_own]), features.first(n_own)))
