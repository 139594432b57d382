"""Minimum-including sampling (FewJoint, Hou et al., 2020, Algorithm 1): support sets of multi-label utterances."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from datasets.utils import logging

from hf_fewshot.episodes.class_index import ClassIndex
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.options import listed, require_whole

logger = logging.get_logger("hf_fewshot")


Scarce = Literal["error", "skip", "fewer"]


@dataclass(frozen=True)
class MinimumIncluding:
    """Every label at least `n_shot` times in the support set, and no utterance that could be left out.

    Episode i belongs to the group (domain) i modulo the number of groups. The query set is `n_query` other utterances
    of the group, or all others for None. Groups of fewer than `min_group_size` utterances are left out (50 in the
    released data). `scarce` says what to do with a label that fewer than `n_shot` utterances hold: "error", or "skip"
    the label together with the utterances that hold it, or take "fewer". With `spare` so many more must hold it, to be
    asked.
    """

    n_shot: int
    n_query: int | None = 4
    min_group_size: int = 1
    scarce: Scarce = "error"
    spare: int = 0

    def __post_init__(self) -> None:
        require_whole(n_shot=self.n_shot, min_group_size=self.min_group_size)
        if self.n_query is not None:
            require_whole(n_query=self.n_query)
        if self.scarce not in get_args(Scarce):
            raise ValueError(f'scarce must be "error", "skip" or "fewer", but is {self.scarce!r}.')

    @property
    def needed(self) -> int:
        """How many utterances must hold a label."""
        return self.n_shot + self.spare

    def sampler(self, index: ClassIndex, seed: int = 0, groups: list[str] | None = None) -> "MinimumIncludingSampler":
        """The sampler over an index of utterances; `groups` names the group of each (default: one group)."""
        return MinimumIncludingSampler(self, index, seed, tuple(groups or [""] * len(index)))


@dataclass(frozen=True)
class Group:
    """The utterances of one domain and the labels they hold."""

    name: str
    rows: np.ndarray  # (utterances,) row numbers
    classes: tuple[str, ...]
    holds: np.ndarray  # (utterances, classes) bool


@dataclass(frozen=True)
class MinimumIncludingSampler:
    """A pure function from episode number to episode."""

    spec: MinimumIncluding
    index: ClassIndex
    seed: int
    group_names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.group_names) != len(self.index):
            raise ValueError(f"{len(self.group_names)} group names for {len(self.index)} examples; give one for each.")
        if not self.groups:
            raise ValueError(
                f"No group has min_group_size={self.spec.min_group_size} examples whose labels are each held by "
                f"{self.spec.needed}. Lower it or shots."
            )

    @cached_property
    def groups(self) -> list[Group]:
        """The groups large enough to sample from, by name."""
        names = np.array(self.group_names)
        members = [(str(name), np.flatnonzero(names == name)) for name in np.unique(names)]
        groups = [self._group(name, rows) for name, rows in members if len(rows) >= self.spec.min_group_size]
        # Of a group whose labels are all scarce nothing is left.
        return [group for group in groups if group.classes]

    def _group(self, name: str, rows: np.ndarray) -> Group:
        holds = self.index.table(rows) > 0
        held = holds.sum(0)
        scarce = (held > 0) & (held < self.spec.needed)
        while scarce.any() and self.spec.scarce != "fewer":
            if self.spec.scarce == "error":
                counts = {self.index.classes[c]: int(held[c]) for c in np.flatnonzero(scarce)}
                asked = f" and {self.spec.spare} to be asked" if self.spec.spare else ""
                raise ValueError(
                    f"shots={self.spec.n_shot}{asked}, but in {name or 'the data'!r} these labels are held by fewer "
                    f'examples: {listed(counts)}. Lower shots, or use scarce="skip" to leave them out or '
                    '"fewer" to take what there is.'
                )
            keep = ~holds[:, scarce].any(1)
            left_out = {self.index.classes[c]: int(held[c]) for c in np.flatnonzero(scarce)}
            logger.warning(
                f"{name or 'the data'!r}: fewer than {self.spec.needed} examples hold {listed(left_out)}; these "
                f"labels and {len(rows) - int(keep.sum())} of {len(rows)} examples are left out."
            )
            rows, holds = rows[keep], holds[keep]
            held = holds.sum(0)
            scarce = (held > 0) & (held < self.spec.needed)
        used = np.flatnonzero(held)
        return Group(name, rows, tuple(self.index.classes[c] for c in used), holds[:, used])

    def support(self, group: Group, number: int) -> np.ndarray:
        """The support set of an episode of a group, as places in the group."""
        return self._support(np.random.default_rng([self.seed, number]), group)

    def __call__(self, number: int) -> Episode:
        group = self.groups[number % len(self.groups)]
        rng = np.random.default_rng([self.seed, number])
        support = self._support(rng, group)
        others = np.setdiff1d(np.arange(len(group.rows)), support)
        if self.spec.n_query is not None:
            if len(others) < self.spec.n_query:
                raise ValueError(
                    f"n_query={self.spec.n_query}, but {group.name!r} has {len(others)} utterances beside a support "
                    f"set of {len(support)}. Lower n_query or shots."
                )
            others = rng.choice(others, self.spec.n_query, replace=False)
        elif not len(others):
            raise ValueError(
                f"n_query=None means all utterances beside the support set, but with shots={self.spec.n_shot} all "
                f"{len(support)} of {group.name or 'the data'!r} are in it. Lower shots."
            )
        return Episode(
            group.classes, tuple(group.rows[support].tolist()), tuple(group.rows[others].tolist()), group.name
        )

    def _support(self, rng: np.random.Generator, group: Group) -> np.ndarray:
        # A label that is scarce is learnt from what there is but for what is to be asked, and from one at least.
        held = group.holds.sum(0)
        needed = np.minimum(self.spec.n_shot, np.maximum(held - self.spec.spare, 1))
        drawn = np.zeros(len(group.rows), dtype=bool)
        counts = np.zeros(len(group.classes), dtype=np.int64)
        for label in range(len(group.classes)):
            missing = needed[label] - counts[label]
            if missing > 0:
                picks = rng.choice(np.flatnonzero(group.holds[:, label] & ~drawn), missing, replace=False)
                drawn[picks] = True
                counts += group.holds[picks].sum(0)
        # Counts only fall, so an utterance that is needed once stays needed: one pass leaves a minimal set.
        for utterance in rng.permutation(np.flatnonzero(drawn)):
            if (counts - group.holds[utterance] >= needed).all():
                drawn[utterance] = False
                counts -= group.holds[utterance]
        return np.flatnonzero(drawn)
