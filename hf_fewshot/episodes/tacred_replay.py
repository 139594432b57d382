"""The published episodes of Few-Shot TACRED, drawn again exactly as the authors drew them.

The authors used the global generators of `random` and `numpy` one episode after the other, so this is the one sampler
that is no function of the index: it keeps private generators in the same state and makes all episodes in a row.
"""

import random
from collections.abc import Iterator, Sequence

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.natural_nota import NaturalNota

# Five test sets, each of 10,000 support sets with three queries.
PUBLISHED_SEEDS = (160290, 160291, 160292, 160293, 160294)
PUBLISHED_LENGTH = 10_000


def replay(spec: NaturalNota, index: ClassIndex, seed: int, length: int = PUBLISHED_LENGTH) -> Iterator[Episode]:
    """The first `length` episodes of the published test set with this seed.

    `index` must list the classes in the order of the authors' file (no_relation first, then as they first appear) and
    the examples of each class in the order of that file.
    """
    usable = spec.usable(index)
    positions = draw(spec, [len(index.members[c]) for c in usable], [index.classes[c] for c in usable], seed, length)
    for targets, support, queries in positions:
        rows = [index.members[usable[c]] for c in targets]
        flat = tuple(int(members[p]) for members, chosen in zip(rows, support, strict=True) for p in chosen)
        query = tuple(int(index.members[usable[c]][p]) for c, p in queries)
        yield Episode(tuple(index.classes[usable[c]] for c in targets), flat, query)


def draw(
    spec: NaturalNota, sizes: Sequence[int], names: Sequence[str], seed: int, length: int
) -> Iterator[tuple[list[int], list[list[int]], list[tuple[int, int]]]]:
    """Episodes as (target classes, support positions within each, (class, position) of each query).

    Everything follows from the class sizes alone: no example is needed.
    """
    python, numeric = random.Random(seed), np.random.RandomState(seed)
    frequencies = [size / sum(sizes) for size in sizes]
    n_targets = sum(name != spec.nota_class for name in names)
    uniform = [0.0 if name == spec.nota_class else 1 / n_targets for name in names]
    for _ in range(length):
        targets = numeric.choice(len(sizes), size=spec.n_way, replace=False, p=uniform).tolist()
        support = [python.sample(range(sizes[c]), spec.n_shot) for c in targets]
        queries = []
        for drawn in numeric.choice(len(sizes), size=spec.n_query, replace=True, p=frequencies).tolist():
            taken = sorted(support[targets.index(drawn)]) if drawn in targets else []
            position = python.choice(range(sizes[drawn] - len(taken)))
            for skipped in taken:
                position += position >= skipped
            queries.append((drawn, position))
        yield targets, support, queries
