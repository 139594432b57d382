"""N-way K-shot sampling with none-of-the-above queries (FewRel 2.0, Gao et al., 2019)."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.options import listed, require_classes, require_whole
from hf_fewshot.tasks.labels import NOTA


@dataclass(frozen=True)
class NWayKShot:
    """N classes, K support examples each, and queries of which some may belong to none of the N.

    Two definitions of the share of such queries are in use; give at most one.

    - `nota_rate`, the paper's: each of the `n_way * n_query` queries, or of `total_query` where that is given, is
      none-of-the-above with this probability, else it belongs to one of the N classes, drawn uniformly.
    - `na_rate`, the toolkit's: `n_query` queries of each class, and `int(na_rate * n_query)` others beside them. With
      n_query=1 and 5 ways its 1, 2 and 5, called "15, 30 and 50 %", make 1/6, 2/7 and 1/2 of the queries.

    None-of-the-above queries come from a uniformly drawn other class; `nota_class`, if the data has one, is never a
    target.
    """

    n_way: int
    n_shot: int
    n_query: int = 1
    nota_rate: float | None = None
    na_rate: float | None = None
    nota_class: str | None = None
    total_query: int | None = None

    def __post_init__(self) -> None:
        require_whole(n_way=self.n_way, n_shot=self.n_shot, n_query=self.n_query)
        if self.nota_rate is not None and self.na_rate is not None:
            raise ValueError(
                f"nota_rate={self.nota_rate} (the paper's probability) and na_rate={self.na_rate} (the toolkit's "
                "factor) exclude each other. Give one."
            )
        if self.total_query is not None:
            require_whole(total_query=self.total_query)
            if self.nota_rate is None or self.n_query != 1:
                raise ValueError(
                    f"total_query={self.total_query} needs nota_rate, by which all queries are drawn, and no n_query."
                )
        for name in ("nota_rate", "na_rate"):
            value = getattr(self, name)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (is_number and math.isfinite(value)):
                raise ValueError(f"{name} must be a number, but is {value!r}.")
        if self.nota_rate is not None and not 0 <= self.nota_rate <= 1:
            raise ValueError(
                f"nota_rate is a probability between 0 and 1, but is {self.nota_rate}. For the toolkit's use na_rate."
            )
        if self.na_rate is not None and self.na_rate < 0:
            raise ValueError(f"na_rate must not be negative, but is {self.na_rate}.")

    @property
    def n_drawn(self) -> int:
        """The queries of an episode by the paper's rate."""
        return self.total_query or self.n_way * self.n_query

    def sampler(self, index: ClassIndex, seed: int = 0) -> "NWayKShotSampler":
        """The sampler over an index with one class per example."""
        return NWayKShotSampler(self, index, seed)


@dataclass(frozen=True)
class NWayKShotSampler:
    """A pure function from episode number to episode."""

    spec: NWayKShot
    index: ClassIndex
    seed: int

    def __post_init__(self) -> None:
        spec = self.spec
        if spec.nota_class is None and NOTA in self.index.classes:
            raise ValueError(f"The data has a class {NOTA!r}, which would be a target. Say nota_class={NOTA!r}.")
        sizes = {name: len(rows) for name, rows in zip(self.index.classes, self.index.members, strict=True)}
        targets = {name: size for name, size in sizes.items() if name != spec.nota_class}
        require_classes(spec.n_way, len(targets))
        if len(self.targets) < spec.n_way:
            scarce = {name: size for name, size in targets.items() if size < self.needed}
            raise ValueError(
                f"n_way={spec.n_way}, but only {len(self.targets)} classes have the {self.needed} examples that "
                f"{spec.n_shot} shots and {self.needed - spec.n_shot} queries need; too few have: {listed(scarce)}. "
                "Lower n_way, shots or n_query."
            )
        if (spec.nota_rate or spec.na_rate) and len(self.index.classes) <= spec.n_way:
            raise ValueError(
                f"None-of-the-above queries need a class beside the n_way={spec.n_way}, but there are only "
                f"{len(self.index.classes)} classes. Lower n_way or leave out nota_rate / na_rate."
            )

        if int((spec.na_rate or 0) * spec.n_query) > len(self.index):
            raise ValueError(
                f"na_rate={spec.na_rate} and n_query={spec.n_query} ask for more none-of-the-above queries than the "
                f"{len(self.index)} examples there are. Lower one of them."
            )

    @property
    def needed(self) -> int:
        """Examples a target class must have. By the paper's rate one class may get all queries of an episode."""
        spec = self.spec
        return spec.n_shot + (spec.n_query if spec.nota_rate is None else spec.n_drawn)

    @cached_property
    def targets(self) -> np.ndarray:
        """Classes that can be a target."""
        usable = [
            c
            for c, (name, rows) in enumerate(zip(self.index.classes, self.index.members, strict=True))
            if name != self.spec.nota_class and len(rows) >= self.needed
        ]
        return np.array(usable, dtype=np.int64)

    def __call__(self, number: int) -> Episode:
        spec = self.spec
        rng = np.random.default_rng([self.seed, number])
        targets = rng.choice(self.targets, spec.n_way, replace=False)
        per_class, n_nota = self._query_counts(rng)
        support: list[int] = []
        query: list[int] = []
        for target, n_query in zip(targets, per_class, strict=True):
            rows = rng.choice(self.index.members[target], spec.n_shot + n_query, replace=False).tolist()
            support += rows[: spec.n_shot]
            query += rows[spec.n_shot :]
        if n_nota:
            others = np.setdiff1d(np.arange(len(self.index.classes)), targets)
            query += self._others(rng, others, n_nota)
        return Episode(tuple(self.index.classes[c] for c in targets), tuple(support), tuple(query))

    def _query_counts(self, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        spec = self.spec
        if spec.nota_rate is None:
            return np.full(spec.n_way, spec.n_query), int((spec.na_rate or 0) * spec.n_query)
        n_nota = int((rng.random(spec.n_drawn) < spec.nota_rate).sum())
        known = rng.integers(spec.n_way, size=spec.n_drawn - n_nota)
        return np.bincount(known, minlength=spec.n_way), n_nota

    def _others(self, rng: np.random.Generator, others: np.ndarray, number: int) -> list[int]:
        """Rows of other classes: class first, then an example of it that is not yet in the query set."""
        rows: list[int] = []
        available = {int(c): self.index.members[c] for c in others if len(self.index.members[c])}
        while len(rows) < number:
            if not available:
                raise ValueError(
                    f"{number} none-of-the-above queries, but the other classes have only {len(rows)} examples. "
                    "Lower n_query or the rate."
                )
            drawn = list(available)[int(rng.integers(len(available)))]
            free = np.setdiff1d(available[drawn], rows)
            if len(free):
                rows.append(int(rng.choice(free)))
            else:
                del available[drawn]
        return rows
