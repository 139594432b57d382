"""Distributions side by side."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hf_fewshot.analyses.charts import Histogram
from hf_fewshot.report.curves import legend
from hf_fewshot.report.theme import LINES, Colours

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class StepHistogram:
    """Outlines of histograms, filled lightly."""

    chart: Histogram
    size: tuple[float, float] = (7.2, 3.6)

    @property
    def description(self) -> str:
        """The largest bin of each series in words."""
        edges, parts = self.chart.edges, []
        for name, shares in self.chart.series.items():
            top = int(np.argmax(shares))
            parts.append(f"{name}: most, {shares[top]:.1f} percent, from {edges[top]:g} to {edges[top + 1]:g}")
        return f"Histograms of {self.chart.measure}. {'; '.join(parts)}."

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws the part of the axis that has something in it."""
        axes = figure.add_subplot()
        drawn = []
        last = 1
        for number, shares in enumerate(self.chart.series.values()):
            colour = colours.series[number % len(colours.series)]
            axes.stairs(shares, self.chart.edges, fill=True, color=colour, alpha=0.18, linewidth=0)
            line = LINES[number % len(LINES)]
            drawn.append(axes.stairs(shares, self.chart.edges, color=colour, linewidth=1.6, linestyle=line))
            last = max(last, 1 + max((place for place, share in enumerate(shares) if share), default=0))
        axes.set_xlim(self.chart.edges[0], self.chart.edges[min(last + 1, len(self.chart.edges) - 1)])
        axes.set_ylim(bottom=0)
        axes.set_xlabel(self.chart.measure)
        axes.set_ylabel("share (%)")
        axes.grid(axis="x", visible=False)
        legend(figure, drawn, list(self.chart.series))
