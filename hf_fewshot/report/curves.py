"""Curves of scores over shots or over NOTA rates."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hf_fewshot.report.theme import MARKERS, Colours, series_style
from hf_fewshot.tables.plain import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Points = Mapping[float, tuple[float, float, float]]


@dataclass(frozen=True)
class Curves:
    """Lines over one option of the data.

    Args:
        option: label of the horizontal axis.
        measure: label of the vertical axis.
        lines: by system, and by value of the option: score, low and high end of its interval, in percent.
        baselines: by trivial baseline, and by value of the option: score in percent.
        styles: by system, the number of its colour and marker.
        published: by published system, and by value of the option: score in percent.
        n_left_out: published systems that are not among them.
        top: where the vertical axis ends; None: as the lines need it.
    """

    option: str
    measure: str
    lines: Mapping[str, Points]
    baselines: Mapping[str, Mapping[float, float]]
    styles: Mapping[str, int]
    published: Mapping[str, Mapping[float, float]] = field(default_factory=dict)
    n_left_out: int = 0
    top: float | None = None

    @property
    def values(self) -> list[float]:
        """All values of the option."""
        return sorted({value for points in self.lines.values() for value in points})

    @property
    def highest(self) -> float:
        """The upper end of the highest point."""
        ours = [high for points in self.lines.values() for _, _, high in points.values()]
        known = [score for points in (*self.baselines.values(), *self.published.values()) for score in points.values()]
        return max([*ours, *known])

    def up_to(self, top: float) -> "Curves":
        """The same on an axis that other curves have too."""
        return replace(self, top=top)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches: the legend takes its room."""
        names = [*self.lines, *self.baselines, *self._published_names]
        return 7.2, 3.4 + 0.2 * math.ceil(len(names) / legend_columns(names))

    @property
    def _published_names(self) -> list[str]:
        return [f"{name}, published" for name in self.published]

    @property
    def left_out(self) -> str:
        """What is not drawn, in words."""
        if not self.n_left_out:
            return ""
        n = len(self.published)
        return f" (of {n + self.n_left_out} published systems the {n} with the highest scores)"

    @property
    def description(self) -> str:
        """The numbers in words."""
        parts = [
            f"{system}: " + ", ".join(f"{points[value][0]:.1f} at {value:g}" for value in sorted(points))
            for system, points in self.lines.items()
        ]
        parts += [
            f"{system}: " + ", ".join(f"{points[value]:.1f} at {value:g}" for value in sorted(points))
            for system, points in zip(self._published_names, self.published.values(), strict=True)
        ]
        return f"Lines of {self.measure} in percent over {self.option}. {'; '.join(parts)}."

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws lines with error bars; systems stand a little apart where their bars would cover each other."""
        axes = figure.add_subplot()
        values = self.values
        drawn: list[Any] = []
        step = (values[-1] - values[0]) / 80
        for position, (system, points) in enumerate(self.lines.items()):
            at = sorted(points)
            middle = [points[value][0] for value in at]
            below = [max(0.0, points[value][0] - points[value][1]) for value in at]
            above = [max(0.0, points[value][2] - points[value][0]) for value in at]
            shift = step * (position - (len(self.lines) - 1) / 2)
            style = series_style(self.styles[system], colours)
            drawn.append(axes.errorbar([value + shift for value in at], middle, [below, above], label=system, **style))
        for number, (name, scores) in enumerate(self.baselines.items()):
            at = sorted(scores)
            dashes = (0, (1 + 2 * number, 2))
            line = [scores[value] for value in at]
            drawn += axes.plot(at, line, color=colours.ink, linewidth=1, alpha=0.6, linestyle=dashes, label=name)
        for number, scores in enumerate(self.published.values()):
            at = sorted(scores)
            line = [scores[value] for value in at]
            style = {"marker": MARKERS[number % len(MARKERS)], "markerfacecolor": colours.ground, "markersize": 5}
            drawn += axes.plot(at, line, color=colours.ink, linewidth=0.8, alpha=0.55, linestyle="--", **style)
        axes.set_ylim(0, 1.04 * self.top if self.top else None)
        axes.set_xticks(values, [f"{value:g}" for value in values])
        axes.set_xlabel(self.option)
        axes.set_ylabel(f"{shortened(self.measure, 40)} (%)")
        axes.grid(axis="x", visible=False)
        legend(figure, drawn, [*self.lines, *self.baselines, *self._published_names])


def legend(figure: "Figure", handles: Sequence[Any], labels: Sequence[str], place: Any = "outside lower left") -> None:
    """The names of series below the plot, or above it."""
    labels = [shortened(label, 80) for label in labels]
    figure.legend(handles, labels, loc=place, ncols=legend_columns(labels), fontsize=9.5)


def legend_columns(labels: Sequence[str]) -> int:
    """How many names fit side by side."""
    longest = max(map(len, labels))
    return 3 if longest < 24 else 2 if longest < 40 else 1
