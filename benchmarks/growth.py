"""How time and memory of sampling and indexing grow: with episodes, classes, shots and sentences.

    python benchmarks/growth.py

CPU seconds in a few turns, and the bytes that are kept afterwards. Short ones are done often enough to take at least
a twentieth of a second. The exponent e of a quantity x is the slope in the plot: time grows like x ** e. Episodes:
natural none-of-the-above, 5-way 1-shot, gone through once. Classes and shots: 1,000 5-way episodes drawn from 100,000
examples. Sentences: the index of their entities, and 200 5-way 1~2-shot episodes from it. The plot is
docs/images/growth.svg.
"""

import argparse
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from measurement import Measurement, exponent, measured, write

from hf_fewshot.episodes.class_index import index_labels, index_tags
from hf_fewshot.episodes.episode_table import EpisodeTable
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.natural_nota import NaturalNota

PLOT = Path(__file__).resolve().parent.parent / "docs" / "images" / "growth.svg"
N_EXAMPLES, N_DRAWN, N_TYPES = 100_000, 1_000, 36
TEMPLATES = 2_000
LEAST_SECONDS = 0.05


class Growth(NamedTuple):
    """Something that is done with a number of things, the numbers, and whether memory is looked at."""

    what: str
    sizes: Sequence[int]
    prepare: Callable[[int], Callable[[], Any]]
    memory: bool = True


def of_episodes(number: int) -> Callable[[], Any]:
    sizes = (14_705, 346, 37, 132, 68, 55, 81, 18, 28, 9, 30)
    labels = [f"class {place}" for place, size in enumerate(sizes) for _ in range(size)]
    sampler = NaturalNota(5, 1, 3, nota_class="class 0").sampler(index_labels(labels))
    sampler(0)
    return lambda: EpisodeTable(map(sampler, range(number)))


def drawn(n_classes: int, shots: int) -> Callable[[], Any]:
    labels = [f"class {place % n_classes}" for place in range(N_EXAMPLES)]
    sampler = NWayKShot(5, shots, 1).sampler(index_labels(labels))
    sampler(0)
    return lambda: EpisodeTable(map(sampler, range(N_DRAWN)))


def sentences(number: int) -> list[list[str]]:
    """Tags of about 25 words with one or two entities; sentences that are alike are one object."""
    rng = np.random.default_rng(0)
    templates = []
    for kinds in rng.integers(N_TYPES, size=(TEMPLATES, 2)).tolist():
        tags = ["O"] * 25
        tags[3:5], tags[12:13] = [f"type {kinds[0]}"] * 2, [f"type {kinds[1]}"]
        templates.append(tags)
    return [templates[place] for place in rng.integers(TEMPLATES, size=number).tolist()]


def indexed(number: int) -> Callable[[], Any]:
    rows = sentences(number)
    return lambda: index_tags(rows)


def from_sentences(number: int) -> Callable[[], Any]:
    sampler = NWayK2K(5, 1).sampler(index_tags(sentences(number)))
    sampler(0)
    return lambda: EpisodeTable(map(sampler, range(200)))


GROWTHS = (
    Growth("episodes drawn", (500, 1_000, 2_000, 5_000, 10_000, 20_000), of_episodes),
    Growth("classes to draw from", (5, 15, 50, 150, 500), lambda number: drawn(number, 1), memory=False),
    Growth("shots", (1, 2, 5, 10, 20, 50), lambda number: drawn(20, number)),
    Growth("sentences indexed", (1_000, 10_000, 100_000, 1_000_000), indexed),
    Growth("sentences to draw from", (1_000, 10_000, 100_000, 1_000_000), from_sentences, memory=False),
)


def seconds_of(function: Callable[[], Any], repeats: int) -> list[float]:
    """CPU seconds of a call, in several turns."""
    start = time.process_time()
    function()  # warms up
    times = max(1, round(LEAST_SECONDS / max(time.process_time() - start, 1e-6)))
    found = []
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(times):
            function()
        found.append((time.process_time() - start) / times)
    return found


def kept_bytes(function: Callable[[], Any]) -> int:
    """What the result takes, and its peak is not asked."""
    tracemalloc.start()
    result = function()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del result
    return kept


def plotted(points: dict[str, tuple[Sequence[int], list[float]]], path: Path) -> None:
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "growth"  # the same plot is the same file
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for (what, (sizes, seconds)), marker in zip(points.items(), "os^Dv", strict=True):
        axes.loglog(sizes, seconds, marker=marker, markersize=4, linewidth=1.2, label=what)
    axes.set_xlabel("number")
    axes.set_ylabel("CPU seconds")
    axes.grid(visible=True, which="major", linewidth=0.4, alpha=0.6)
    axes.legend(frameon=False, fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="turns (default: 3)")
    parser.add_argument("--largest", type=int, default=1_000_000, help="number that is tried (default: 1,000,000)")
    parser.add_argument("--plot", type=Path, default=PLOT)
    options = parser.parse_args()
    table, points, plot = [], [], {}
    for growth in GROWTHS:
        sizes = [size for size in growth.sizes if size <= options.largest]
        functions = {size: growth.prepare(size) for size in sizes}
        taken = {size: seconds_of(function, options.repeats) for size, function in functions.items()}
        for size, own in taken.items():
            points.append(measured(growth.what, f"{size:,}", own, "s"))
            print(f"{growth.what}, {size:,}: {min(own):.4f} s", flush=True)
        plot[growth.what] = (sizes, [min(own) for own in taken.values()])
        slopes = [exponent(sizes, [own[turn] for own in taken.values()]) for turn in range(options.repeats)]
        table += [
            Measurement(growth.what, "from", sizes[0]),
            Measurement(growth.what, "to", sizes[-1]),
            measured(growth.what, "CPU at the smallest", taken[sizes[0]], "s"),
            measured(growth.what, "CPU at the largest", taken[sizes[-1]], "s"),
            measured(growth.what, "exponent of time", slopes),
        ]
        if growth.memory:
            kept = [kept_bytes(functions[size]) for size in sizes]
            table += [
                Measurement(growth.what, "kept at the largest", kept[-1] / 1e6, "MB"),
                Measurement(growth.what, "exponent of memory", round(exponent(sizes, kept), 3)),
            ]
    plotted(plot, options.plot)
    write("growth", table)
    write("growth_points", points)


if __name__ == "__main__":
    main()
