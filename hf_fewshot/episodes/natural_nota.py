"""Few-shot episodes with the class frequencies of real text (Few-Shot TACRED, Sabo et al., 2021, Section 4)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex
from hf_fewshot.episodes.draws import distinct
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.options import listed, require_classes, require_whole
from hf_fewshot.registry import suggestion


@dataclass(frozen=True)
class NaturalNota:
    """N target classes drawn uniformly, K examples each; queries drawn as they come in the data.

    A query's class follows the frequencies of all examples, `nota_class` and the classes that are no target included;
    a query is never a support example. As in the original, queries are drawn one by one, so that one may come twice,
    and classes with K or fewer examples are dropped.
    """

    n_way: int
    n_shot: int
    n_query: int = 3
    nota_class: str | None = "no_relation"

    def __post_init__(self) -> None:
        require_whole(n_way=self.n_way, n_shot=self.n_shot, n_query=self.n_query)

    def sampler(self, index: ClassIndex, seed: int = 0) -> "NaturalNotaSampler":
        """The sampler over an index with one class per example."""
        return NaturalNotaSampler(self, index, seed)

    def usable(self, index: ClassIndex) -> np.ndarray:
        """Classes with more than K examples, and `nota_class`; an error if fewer than N can be targets."""
        if self.nota_class is not None and self.nota_class not in index.classes:
            raise ValueError(
                f"nota_class={self.nota_class!r} is no class of the data. "
                f"{suggestion(self.nota_class, index.classes)} Give nota_class=None for data without such a class."
            )
        sizes = np.array([len(rows) for rows in index.members])
        names = np.array(index.classes)
        require_classes(self.n_way, int((names != self.nota_class).sum()), "classes beside none-of-the-above")
        usable = np.flatnonzero((sizes > self.n_shot) | (names == self.nota_class) & (sizes > 0))
        if (names[usable] != self.nota_class).sum() < self.n_way:
            scarce = {name: int(size) for name, size in zip(names, sizes, strict=True) if size <= self.n_shot}
            raise ValueError(
                f"n_way={self.n_way}, but only {int((names[usable] != self.nota_class).sum())} classes have more than "
                f"shots={self.n_shot} examples; too few have: {listed(scarce)}. Lower n_way or shots."
            )
        return usable


@dataclass(frozen=True)
class NaturalNotaSampler:
    """A pure function from episode number to episode."""

    spec: NaturalNota
    index: ClassIndex
    seed: int

    def __post_init__(self) -> None:
        self.spec.usable(self.index)

    @cached_property
    def targets(self) -> list[int]:
        """Classes that can be a target."""
        return [c for c in self.spec.usable(self.index).tolist() if self.index.classes[c] != self.spec.nota_class]

    @cached_property
    def members(self) -> list[list[int]]:
        """The rows of each class."""
        return [rows.tolist() for rows in self.index.members]

    @cached_property
    def pool(self) -> tuple[list[int], list[int]]:
        """All rows a query can be, and the class of each."""
        usable = self.spec.usable(self.index).tolist()
        rows = [row for c in usable for row in self.members[c]]
        return rows, [c for c in usable for _ in self.members[c]]

    def __call__(self, number: int) -> Episode:
        spec, members = self.spec, self.members
        rng = np.random.default_rng([self.seed, number])
        uniform = iter(rng.random(spec.n_way * (1 + spec.n_shot) + spec.n_query).tolist())
        targets = [self.targets[i] for i in distinct(uniform, len(self.targets), spec.n_way)]
        support = {c: [members[c][i] for i in distinct(uniform, len(members[c]), spec.n_shot)] for c in targets}
        rows, classes = self.pool
        query = []
        for position in (int(value * len(rows)) for value in uniform):
            row, label = rows[position], classes[position]
            # A support example stands for its class: another one of the class comes instead, so that the frequencies
            # of the classes stay as they are.
            while row in support.get(label, ()):
                row = members[label][int(rng.integers(len(members[label])))]
            query.append(row)
        flat = tuple(row for c in targets for row in support[c])
        return Episode(tuple(self.index.classes[c] for c in targets), flat, tuple(query))
