"""Few-shot episodes with the class frequencies of real text (Few-Shot TACRED, Sabo et al., 2021, Section 4)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.options import listed, require_classes, require_whole


@dataclass(frozen=True)
class NaturalNota:
    """N target classes drawn uniformly, K examples each; queries drawn as they come in the data.

    A query's class follows the frequencies of all examples, `nota_class` and the classes that are no target included;
    a query is never a support example. Classes with K or fewer examples are dropped, as in the original.
    """

    n_way: int
    n_shot: int
    n_query: int = 3
    nota_class: str = "no_relation"

    def __post_init__(self) -> None:
        require_whole(n_way=self.n_way, n_shot=self.n_shot, n_query=self.n_query)

    def sampler(self, index: ClassIndex, seed: int = 0) -> "NaturalNotaSampler":
        """The sampler over an index with one class per example."""
        return NaturalNotaSampler(self, index, seed)

    def usable(self, index: ClassIndex) -> np.ndarray:
        """Classes with more than K examples, and `nota_class`; an error if fewer than N can be targets."""
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
    def targets(self) -> np.ndarray:
        """Classes that can be a target."""
        return np.array([c for c in self.spec.usable(self.index) if self.index.classes[c] != self.spec.nota_class])

    @cached_property
    def pool(self) -> tuple[np.ndarray, np.ndarray]:
        """All rows a query can be, and the class of each."""
        usable = self.spec.usable(self.index)
        rows = np.concatenate([self.index.members[c] for c in usable])
        return rows, np.repeat(usable, [len(self.index.members[c]) for c in usable])

    def __call__(self, number: int) -> Episode:
        spec = self.spec
        rng = np.random.default_rng([self.seed, number])
        targets = rng.choice(self.targets, spec.n_way, replace=False)
        support = [rng.choice(self.index.members[c], spec.n_shot, replace=False).tolist() for c in targets]
        members = {int(c): set(rows) for c, rows in zip(targets, support, strict=True)}
        rows, classes = self.pool
        query = []
        for position in rng.integers(len(rows), size=spec.n_query):
            row, label = int(rows[position]), int(classes[position])
            # A support example stands for its class: draw another one of that class, so that class frequencies stay as
            # they are.
            while row in members.get(label, ()):
                row = int(rng.choice(self.index.members[label]))
            query.append(row)
        flat = tuple(row for rows in support for row in rows)
        return Episode(tuple(self.index.classes[c] for c in targets), flat, tuple(query))
