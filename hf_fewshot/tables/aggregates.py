"""Overviews of a benchmark: its settings side by side, and one score over its configurations where it defines one."""

from collections.abc import Iterable

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.registry import BENCHMARKS, resolve
from hf_fewshot.tables.family import Family
from hf_fewshot.tables.overview import Overview


def aggregates(families: Iterable[Family]) -> list[Overview]:
    """Overviews over the configurations of each benchmark, as its own AGGREGATE makes them."""
    together: dict[str, list[Family]] = {}
    for family in families:
        # Records of strangers may be of any benchmark.
        if family.benchmark in BENCHMARKS:
            together.setdefault(family.benchmark, []).append(family)
    references = {name: builder_of(name).AGGREGATE for name in together}
    return [one for name, reference in references.items() if reference for one in resolve(reference)(together[name])]


def overviews(families: Iterable[Family]) -> list[Overview]:
    """The aggregates, then settings side by side where there are several."""
    families = list(families)
    return [*aggregates(families), *(family.overview for family in families if len(family.tables) > 1)]
