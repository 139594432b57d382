"""What charts show, as plain values: `report` draws them."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar


@dataclass(frozen=True)
class BarChart:
    """Bars in sections, with the mean of each section where there are several.

    Args:
        measure: what is measured, with its unit.
        sections: by name of a section ("" for the only one) and of a bar, its value.
    """

    kind: ClassVar[str] = "bars"

    title: str
    measure: str
    sections: dict[str, dict[str, float]]

    def __post_init__(self) -> None:
        if not any(self.sections.values()):
            raise ValueError("a chart without bars")


@dataclass(frozen=True)
class RingChart:
    """Counts of classes in two rings: coarse ones inside, fine ones outside.

    Args:
        counts: by coarse and by fine class.
    """

    kind: ClassVar[str] = "rings"

    title: str
    counts: dict[str, dict[str, int]]

    def __post_init__(self) -> None:
        values = [count for fine in self.counts.values() for count in fine.values()]
        if not values or min(values) < 0 or not any(values):
            raise ValueError("expected counts, at least one of them above 0")


@dataclass(frozen=True)
class RankChart:
    """Shares of classes from the most to the least frequent, on a logarithmic scale.

    Args:
        measure: what is counted.
        series: by name, the share of each class in percent; above 0, descending.
    """

    kind: ClassVar[str] = "ranks"

    title: str
    measure: str
    series: dict[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        for name, shares in self.series.items():
            if not shares or min(shares) <= 0 or any(left < right for left, right in pairwise(shares)):
                raise ValueError(f"series {name!r} must have shares above 0, descending")


@dataclass(frozen=True)
class Histogram:
    """Distributions side by side.

    Args:
        measure: what the horizontal axis is.
        edges: of the bins.
        series: by name, the share of each bin in percent.
    """

    kind: ClassVar[str] = "histogram"

    title: str
    measure: str
    edges: tuple[float, ...]
    series: dict[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        if any(len(shares) != len(self.edges) - 1 for shares in self.series.values()):
            raise ValueError(f"expected {len(self.edges) - 1} shares between {len(self.edges)} edges")


@dataclass(frozen=True)
class SimilarityChart:
    """A square of similarities, ordered by coarse class.

    Args:
        measure: what a number is.
        sections: by coarse class, its fine classes in the order of rows and columns.
        values: `values[row][column]`.
    """

    kind: ClassVar[str] = "similarity"

    title: str
    measure: str
    sections: dict[str, tuple[str, ...]]
    values: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        size = sum(map(len, self.sections.values()))
        if not size or len(self.values) != size or any(len(row) != size for row in self.values):
            raise ValueError(f"expected {size} rows of {size} values, at least one")


Chart = BarChart | RingChart | RankChart | Histogram | SimilarityChart
KINDS: dict[str, type[Chart]] = {
    kind.kind: kind for kind in (BarChart, RingChart, RankChart, Histogram, SimilarityChart)
}
