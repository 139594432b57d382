"""Bars in sections, such as F1 of each type by coarse type."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hf_fewshot.analyses.charts import BarChart
from hf_fewshot.report.theme import Colours
from hf_fewshot.tables.plain import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAP = 0.8  # between sections, in bars


@dataclass(frozen=True)
class SectionBars:
    """Horizontal bars below each other; a line through those of a section is their mean."""

    chart: BarChart

    @property
    def _sections(self) -> dict[str, dict[str, float]]:
        return {name: bars for name, bars in self.chart.sections.items() if bars}

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        rows = sum(map(len, self._sections.values())) + GAP * (len(self._sections) - 1)
        return 7.2, 1.0 + 0.23 * rows

    @property
    def description(self) -> str:
        """The numbers in words."""
        parts = []
        for section, bars in self._sections.items():
            values = ", ".join(f"{name} {value:.4g}" for name, value in bars.items())
            parts.append(f"{section}: {values}" if section else values)
        return f"Bars of {self.chart.measure}. {'; '.join(parts)}."

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws the bars of a section in its colour, its name at the right end."""
        axes = figure.add_subplot()
        place, places, names = 0.0, [], []
        several = len(self._sections) > 1
        for number, (section, bars) in enumerate(self._sections.items()):
            at = [place + offset for offset in range(len(bars))]
            colour = colours.series[number % len(colours.series)]
            axes.barh(at, list(bars.values()), 0.78, color=colour, linewidth=0)
            if several and len(bars) > 1:
                mean = sum(bars.values()) / len(bars)
                ends = (at[0] - 0.5, at[-1] + 0.5)
                axes.plot([mean, mean], ends, color=colours.ink, linewidth=1.4, linestyle=(0, (4, 2)))
            if several and section:
                middle = (at[0] + at[-1]) / 2
                axes.annotate(
                    shortened(section, 22),
                    (1.01, middle),
                    xycoords=("axes fraction", "data"),
                    va="center",
                    color=colour,
                    fontsize=9,
                    fontweight="bold",
                    annotation_clip=False,
                )
            places += at
            names += [shortened(_short_name(section, name), 34) for name in bars]
            place = at[-1] + 1 + GAP
        axes.set_yticks(places, names)
        axes.set_ylim(places[-1] + 0.7, -0.7)
        axes.tick_params(axis="y", length=0, labelsize=8.5)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="y", visible=False)
        means = "; dashed: means of sections" if several and any(len(b) > 1 for b in self._sections.values()) else ""
        axes.set_xlabel(shortened(self.chart.measure, 60) + means)
        axes.set_xlim(left=0)


def _short_name(section: str, name: str) -> str:
    """A fine type without its coarse one, which stands beside it."""
    return name.removeprefix(f"{section}-") if section else name
