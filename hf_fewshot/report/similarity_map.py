"""Similarities of types as a heat map, ordered by coarse type."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hf_fewshot.analyses.charts import SimilarityChart
from hf_fewshot.report.theme import Colours
from hf_fewshot.tables.plain import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path

MANY = 20  # types, from which on their names are small
NAME, SECTION = 22, 20  # letters of types and coarse types that are shown
STEPS = 12  # depths of colour: few enough for a small page


@dataclass(frozen=True)
class SimilarityMap:
    """The deeper the colour, the more similar; between the smallest and the largest value."""

    chart: SimilarityChart

    @property
    def _names(self) -> list[str]:
        pairs = [(coarse, name) for coarse, names in self.chart.sections.items() for name in names]
        return [name.removeprefix(f"{coarse}-") if coarse else name for coarse, name in pairs]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        is_large = len(self._names) > MANY
        side = max(2.6, (0.17 if is_large else 0.3) * len(self._names))
        # A letter is about half as wide as its size.
        names = min(max(map(len, self._names)), NAME) * (0.06 if is_large else 0.085)
        sections = min(max(map(len, self.chart.sections)), SECTION) * 0.09
        return side + names + sections + 0.5, side + names + 1.0

    @property
    def description(self) -> str:
        """Range and the most similar types in words."""
        values, names = np.array(self.chart.values), self._names
        span = f"from {values.min():.3g} to {values.max():.3g}"
        text = f"Heat map of the {self.chart.measure} of {len(names)} types, {span}."
        if len(names) < 2:
            return text
        others = np.where(np.tri(len(names), dtype=bool), -np.inf, values)
        pairs = np.argsort(-others, axis=None)[: min(5, len(names) * (len(names) - 1) // 2)]
        rows, columns = np.unravel_index(pairs, others.shape)
        most = ", ".join(f"{names[one]} and {names[two]}" for one, two in zip(rows, columns, strict=True))
        return f"{text} Most similar: {most}."

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws a square per pair, a line between coarse types, and their names at the right."""
        from matplotlib.colors import to_rgba
        from matplotlib.patches import PathPatch

        axes = figure.add_subplot()
        values = np.array(self.chart.values)
        low, high = values.min(), values.max()
        depths = np.floor((values - low) / (high - low) * (STEPS - 1e-9)) if high > low else np.zeros_like(values)
        size = len(values)
        for depth in np.unique(depths):
            face = to_rgba(colours.series[0], round(0.02 + 0.93 * float(depth) / (STEPS - 1), 3))
            drawn = PathPatch(_squares(depths == depth), facecolor=face, linewidth=0, snap=True)
            axes.add_artist(drawn).set_in_layout(False)
        names = [shortened(name, NAME) for name in self._names]
        axes.set_xticks(
            range(size), names, rotation=90 if size > MANY else 45, ha="center" if size > MANY else "right"
        )
        axes.set_yticks(range(size), names)
        axes.tick_params(length=0, labelsize=7 if size > MANY else 9)
        axes.set(xlim=(-0.5, size - 0.5), ylim=(size - 0.5, -0.5), aspect="equal")
        axes.spines[["left", "bottom"]].set_color(colours.rule)
        axes.grid(visible=False)
        if len(self.chart.sections) > 1:
            self._mark_sections(axes, colours, size)
        self._scale(figure, axes, colours, low, high)

    def _mark_sections(self, axes: "Axes", colours: Colours, size: int) -> None:
        begin = 0
        for section, names in self.chart.sections.items():
            end = begin + len(names)
            if begin:
                for draw in (axes.axhline, axes.axvline):
                    draw(begin - 0.5, color=colours.ink, linewidth=0.8)
            axes.annotate(
                shortened(section, SECTION),
                (1.01, (begin + end - 1) / 2),
                xycoords=("axes fraction", "data"),
                va="center",
                fontsize=8.5,
                fontweight="bold",
                annotation_clip=False,
            )
            begin = end

    def _scale(self, figure: "Figure", axes: "Axes", colours: Colours, low: float, high: float) -> None:
        """What the lightest and the deepest colour stand for."""
        from matplotlib.colors import to_rgba
        from matplotlib.patches import Patch

        shown = [(low, 0), ((low + high) / 2, STEPS // 2), (high, STEPS - 1)]
        patches = [
            Patch(facecolor=to_rgba(colours.series[0], 0.02 + 0.93 * depth / (STEPS - 1)), edgecolor=colours.rule)
            for _, depth in shown
        ]
        labels = [f"{value:.3g}" for value, _ in shown]
        figure.legend(patches, labels, loc="outside lower left", ncols=3, fontsize=9, title=self.chart.measure)


def _squares(where: np.ndarray) -> "Path":
    """One path around all squares of a colour, neighbours in a row as one: thousands of paths make a heavy page."""
    from matplotlib.path import Path

    edges = np.diff(np.pad(where.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    (rows, begins), (_, ends) = np.nonzero(edges == 1), np.nonzero(edges == -1)
    left, right, top, bottom = begins - 0.5, ends - 0.5, rows - 0.5, rows + 0.5
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    vertices = np.stack([np.stack(corner, axis=1) for corner in corners], axis=1).reshape(-1, 2)
    codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(rows))
    return Path(vertices, codes)
