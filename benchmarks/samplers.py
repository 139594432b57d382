"""How fast episodes are sampled, as ratios to a plain implementation of the original algorithm in the same run.

    python benchmarks/samplers.py

N-way K~2K: 130,000 sentences with 36 types, as Few-NERD INTER train has them, generated at random. Natural
none-of-the-above: 150,000 queries over the class sizes of the Few-Shot TACRED test split.
"""

import random
import time
from collections import Counter

import numpy as np

from hf_fewshot.episodes.class_index import index_labels, index_tags
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.natural_nota import NaturalNota

N_SENTENCES, N_TYPES = 130_000, 36
TACRED_TEST_SIZES = (14705, 346, 37, 132, 68, 55, 81, 18, 28, 9, 30)


def sentences(seed: int = 0) -> list[list[str]]:
    """Tags of random sentences: one to five entities of unequally frequent types, about 25 tokens."""
    rng = np.random.default_rng(seed)
    types = [f"coarse{number % 8}-fine{number}" for number in range(N_TYPES)]
    share = rng.dirichlet(np.full(N_TYPES, 2.0))
    numbers = np.minimum(1 + rng.poisson(1.2, N_SENTENCES), 5)
    drawn = iter(rng.choice(N_TYPES, numbers.sum(), p=share).tolist())
    rows = []
    for number in numbers:
        tags = ["O"] * 6
        for _ in range(number):
            tags += [types[next(drawn)]] * 2 + ["O"] * 6
        rows.append(tags)
    return rows


class Sentence:
    """A sentence as the original keeps it: it counts its entities once and compares sets of types when asked."""

    def __init__(self, tags: list[str]) -> None:
        starts = (tag for before, tag in zip(["O", *tags], tags, strict=False) if tag not in ("O", before))
        self.counts = dict(Counter(starts))

    def fits(self, types: list[str]) -> bool:
        own = set(self.counts.keys())
        return bool(own.intersection(set(types))) and not own.difference(set(types))


class PlainK2K:
    """The original algorithm: every sentence is asked whether it is a candidate; then draws until one fits.

    `lean` asks with one comparison of sets instead of three new sets per sentence: the best a plain loop can do.
    """

    def __init__(self, rows: list[list[str]], n_way: int, k: int, lean: bool = False) -> None:
        self.sentences = [Sentence(tags) for tags in rows]
        self.types = sorted({name for sentence in self.sentences for name in sentence.counts})
        self.n_way, self.k, self.lean, self.random = n_way, k, lean, random.Random(0)

    def episode(self) -> tuple[list[str], list[int], list[int]]:
        types = self.random.sample(self.types, self.n_way)
        candidates = self.lean_candidates(set(types)) if self.lean else self.candidates(types)
        support = self.part(types, candidates, set())
        return types, support, self.part(types, candidates, set(support))

    def candidates(self, types: list[str]) -> list[int]:
        return [row for row, sentence in enumerate(self.sentences) if sentence.fits(types)]

    def lean_candidates(self, types: set[str]) -> list[int]:
        return [row for row, sentence in enumerate(self.sentences) if types.issuperset(sentence.counts)]

    def part(self, types: list[str], candidates: list[int], taken: set[int]) -> list[int]:
        have = dict.fromkeys(types, 0)
        rows: list[int] = []
        while min(have.values()) < self.k:
            row = self.random.choice(candidates)
            if row in taken or row in rows:
                continue
            counts = self.sentences[row].counts
            if any(have[name] + n > 2 * self.k for name, n in counts.items()):
                continue
            if all(have[name] >= self.k for name in counts):
                continue
            for name, n in counts.items():
                have[name] += n
            rows.append(row)
        return rows


def seconds(work, repetitions: int) -> float:
    """Mean time of one call."""
    start = time.perf_counter()
    for number in range(repetitions):
        work(number)
    return (time.perf_counter() - start) / repetitions


def main() -> None:
    rows = sentences()
    start = time.perf_counter()
    index = index_tags(rows)
    samplers = {(way, k): NWayK2K(way, k).sampler(index) for way, k in ((5, 1), (10, 1), (5, 5), (10, 5))}
    for sampler in samplers.values():
        sampler(0)
    print(f"index of {len(index):,} sentences, {len(index.classes)} types: {time.perf_counter() - start:.2f} s")
    for (way, k), sampler in samplers.items():
        ours = seconds(sampler, 500)
        times = {}
        for lean in (False, True):
            plain = PlainK2K(rows, way, k, lean)
            times[lean] = seconds(lambda _, plain=plain: plain.episode(), 8)
        print(
            f"{way}-way {k}~{2 * k}-shot: {1e3 * ours:.2f} ms an episode; plain {1e3 * times[False]:.0f} ms, "
            f"{times[False] / ours:.0f} x; lean plain {1e3 * times[True]:.0f} ms, {times[True] / ours:.0f} x"
        )

    labels = [f"class {number}" for number, size in enumerate(TACRED_TEST_SIZES) for _ in range(size)]
    for k in (1, 5):
        sampler = NaturalNota(5, k, 3, nota_class="class 0").sampler(index_labels(labels))
        total = 50_000 * seconds(sampler, 50_000)
        print(f"natural none-of-the-above, 5-way {k}-shot: 50,000 episodes with 150,000 queries in {total:.1f} s")


if __name__ == "__main__":
    main()
