"""Shares of classes by rank, on a logarithmic scale."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hf_fewshot.analyses.charts import RankChart
from hf_fewshot.report.curves import legend
from hf_fewshot.report.theme import Colours, series_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class RankLines:
    """From the most frequent class on the left to the least frequent one."""

    chart: RankChart
    size: tuple[float, float] = (7.2, 4.2)

    @property
    def description(self) -> str:
        """The ends of each line in words."""
        parts = [
            f"{name}: {len(shares)} classes, from {shares[0]:.3g} to {shares[-1]:.3g}"
            for name, shares in self.chart.series.items()
        ]
        return f"Lines of the {self.chart.measure} by rank, on a logarithmic scale. {'; '.join(parts)}."

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws a line per series."""
        from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

        axes = figure.add_subplot()
        drawn = []
        for number, shares in enumerate(self.chart.series.values()):
            style = series_style(number, colours)
            drawn += axes.plot(range(1, len(shares) + 1), shares, markersize=4, linewidth=1.2, **style)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        low, high = axes.get_ylim()
        if high / low < 300:
            # So few powers of ten are hardly a scale.
            axes.set_ylim(low / 1.2, high * 1.2)
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.set_xlabel("rank")
        axes.set_ylabel(self.chart.measure)
        axes.grid(axis="x", visible=False)
        legend(figure, drawn, list(self.chart.series))
