"""How fast episodes are sampled, as ratios to a plain implementation of the original algorithm in the same run.

    python benchmarks/samplers.py

N-way K~2K: 130,000 sentences with 36 types, as Few-NERD INTER train has them, generated at random. Natural
none-of-the-above: three queries an episode over the class sizes of the Few-Shot TACRED test split.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
from measurement import Measurement, in_turns, measured, ratio, write

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


def each(work: Callable[[int], object], times: int) -> Callable[[], None]:
    """Calls of a function with the numbers from 0 on."""

    def run() -> None:
        for number in range(times):
            work(number)

    return run


def compare_k2k(repeats: int, times: int) -> list[Measurement]:
    rows = sentences()
    start = time.process_time()
    index = index_tags(rows)
    found = [Measurement(f"index of {len(index):,} sentences", "CPU", time.process_time() - start, "s")]
    for way, k in ((5, 1), (10, 1), (5, 5), (10, 5)):
        sampler = NWayK2K(way, k).sampler(index)
        sampler(0)
        plain, lean = (PlainK2K(rows, way, k, lean) for lean in (False, True))
        taken = in_turns(
            {
                "ours": each(sampler, 10 * times),
                "plain": each(lambda _, plain=plain: plain.episode(), times),
                "lean plain": each(lambda _, lean=lean: lean.episode(), times),
            },
            repeats,
        )
        taken = {
            name: [1e3 * seconds / (times * (10 if name == "ours" else 1)) for seconds in own]
            for name, own in taken.items()
        }
        name = f"{way}-way {k}~{2 * k}-shot"
        ratios = {peer: ratio(taken[peer], taken["ours"]) for peer in ("plain", "lean plain")}
        found.append(measured(name, "ours, an episode", taken["ours"], "ms", ratios))
        found += [measured(name, peer, taken[peer], "ms") for peer in ratios]
        print(f"{name}: {ratios['plain']:.0f} x plain, {ratios['lean plain']:.0f} x lean plain", flush=True)
    return found


def time_natural(repeats: int, length: int) -> list[Measurement]:
    labels = [f"class {number}" for number, size in enumerate(TACRED_TEST_SIZES) for _ in range(size)]
    found = []
    for k in (1, 5):
        sampler = NaturalNota(5, k, 3, nota_class="class 0").sampler(index_labels(labels))
        sampler(0)
        (taken,) = in_turns({"": each(sampler, length)}, repeats).values()
        each_one = [1e3 * seconds / length for seconds in taken]
        found.append(measured(f"natural none-of-the-above, 5-way {k}-shot", "ours, an episode", each_one, "ms"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="turns (default: 5)")
    parser.add_argument("--times", type=int, default=8, help="plain episodes of a turn (default: 8)")
    options = parser.parse_args()
    found = compare_k2k(options.repeats, options.times)
    write("samplers", found + time_natural(options.repeats, 500 * options.times))


if __name__ == "__main__":
    main()
