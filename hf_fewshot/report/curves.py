"""Curves of scores over shots or over NOTA rates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hf_fewshot.report.theme import Colours, series_style
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
    """

    option: str
    measure: str
    lines: Mapping[str, Points]
    baselines: Mapping[str, Mapping[float, float]]
    styles: Mapping[str, int]

    @property
    def values(self) -> list[float]:
        """All values of the option."""
        return sorted({value for points in self.lines.values() for value in points})

    @property
    def description(self) -> str:
        """The numbers in words."""
        parts = [
            f"{system}: " + ", ".join(f"{points[value][0]:.1f} at {value:g}" for value in sorted(points))
            for system, points in self.lines.items()
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
        axes.set_xticks(values, [f"{value:g}" for value in values])
        axes.set_xlabel(self.option)
        axes.set_ylabel(f"{shortened(self.measure, 40)} (%)")
        axes.grid(axis="x", visible=False)
        legend(figure, drawn, [*self.lines, *self.baselines])


def legend(figure: "Figure", handles: Sequence[Any], labels: Sequence[str]) -> None:
    """The names of series below the plot."""
    labels = [shortened(label, 80) for label in labels]
    columns = 3 if max(map(len, labels)) < 24 else 2 if max(map(len, labels)) < 40 else 1
    figure.legend(handles, labels, loc="outside lower left", ncols=columns, fontsize=9)
