"""Bars of systems side by side, for domains and kinds of errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hf_fewshot.report.curves import legend
from hf_fewshot.report.theme import Colours
from hf_fewshot.tables.plain import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Bars:
    """Groups of horizontal bars.

    Args:
        measure: label of the horizontal axis.
        groups: names of the groups, from top to bottom.
        series: by system, and for each group: the mean over repeats and its standard deviation, in percent; None where
            a system has no score.
        styles: by system, the number of its colour.
        top: where the axis ends; None: as the bars need it.
    """

    measure: str
    groups: Sequence[str]
    series: Mapping[str, Sequence[tuple[float, float] | None]]
    styles: Mapping[str, int]
    top: float | None = None

    @property
    def highest(self) -> float:
        """The end of the longest bar and its deviation."""
        return max((sum(value) for values in self.series.values() for value in values if value), default=0.0)

    def up_to(self, top: float) -> "Bars":
        """The same on an axis that other bars have too."""
        return replace(self, top=top)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        return 7.2, 1.3 + len(self.groups) * (0.2 + 0.19 * len(self.series))

    @property
    def description(self) -> str:
        """The numbers in words."""
        parts = [
            f"{group}: "
            + ", ".join(f"{system} {found[0]:.1f}" for system, values in self.series.items() if (found := values[i]))
            for i, group in enumerate(self.groups)
        ]
        return f"Bars of {self.measure} in percent. {'; '.join(parts)}."

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws the bars, with the standard deviation where there are several runs."""
        axes = figure.add_subplot()
        drawn = []
        height = 0.8 / len(self.series)
        for position, (system, values) in enumerate(self.series.items()):
            known = [(place, value) for place, value in enumerate(values) if value is not None]
            at = [place + (position - (len(self.series) - 1) / 2) * height for place, _ in known]
            number = self.styles[system]
            bars = axes.barh(
                at,
                [mean for _, (mean, _) in known],
                height * 0.86,
                color=colours.series[number % len(colours.series)],
                hatch=(None, "///", "...", "xxx")[number // len(colours.series) % 4],
                edgecolor=colours.ground,
                linewidth=0,
            )
            drawn.append(bars)
            spread = [(place, mean, std) for place, (_, (mean, std)) in zip(at, known, strict=True) if std > 0]
            if spread:
                places, means, deviations = zip(*spread, strict=True)
                axes.errorbar(means, places, xerr=deviations, fmt="none", ecolor=colours.ink, elinewidth=1, capsize=2)
        axes.set_yticks(range(len(self.groups)), [shortened(group) for group in self.groups])
        axes.set_ylim(len(self.groups) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(f"{shortened(self.measure, 60)} (%)")
        axes.set_xlim(0, 1.03 * self.top if self.top else None)
        # Above: bars of many groups are taller than a window.
        legend(figure, drawn, list(self.series), "outside upper left")
