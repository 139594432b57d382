"""Two rings: coarse classes inside, fine ones outside."""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING

from hf_fewshot.analyses.charts import RingChart
from hf_fewshot.report.theme import Colours
from hf_fewshot.tables.plain import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INNER, OUTER, RIM = 0.36, 0.78, 1.0  # radii: the hole, between the rings, the edge
ROOM = 16  # degrees of a coarse class that its name takes


@dataclass(frozen=True)
class Rings:
    """The angle of a class is its share of all counts."""

    chart: RingChart

    @property
    def _sections(self) -> dict[str, dict[str, int]]:
        """Coarse classes in their order, as in other plots; within each, from the largest to the smallest."""
        kept = {
            coarse: dict(sorted(((n, c) for n, c in fine.items() if c), key=lambda pair: (-pair[1], pair[0])))
            for coarse, fine in self.chart.counts.items()
        }
        return {coarse: fine for coarse, fine in kept.items() if fine}

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches: names of small classes need room around."""
        return (8.6, 8.6) if sum(map(len, self._sections.values())) > 30 else (7.2, 7.2)

    @property
    def description(self) -> str:
        """The numbers in words."""
        parts = [
            f"{coarse or 'all'} {sum(fine.values()):,}: "
            + ", ".join(f"{name} {count:,}" for name, count in fine.items())
            for coarse, fine in self._sections.items()
        ]
        return f"Two rings of counts. {'; '.join(parts)}."

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws wedges; names of fine classes stand around, turned outwards, moved apart where they are small."""
        from matplotlib.patches import Wedge

        axes = figure.add_subplot()
        total = sum(count for fine in self._sections.values() for count in fine.values())
        n_fine = sum(map(len, self._sections.values()))
        before = 0
        labels: list[tuple[float, str, str]] = []
        for number, (coarse, fine) in enumerate(self._sections.items()):
            colour = colours.series[number % len(colours.series)]
            own = sum(fine.values())
            begin, end = (90 - 360 * part / total for part in (before, before + own))
            inside = Wedge((0, 0), OUTER, end, begin, width=OUTER - INNER, facecolor=colour, edgecolor=colours.ground)
            axes.add_patch(inside)
            is_named = bool(coarse) and begin - end > ROOM
            if is_named:
                text = f"{shortened(coarse, 13)}\n{100 * own / total:.1f} %"
                place = _at((begin + end) / 2, (INNER + OUTER) / 2)
                axes.text(*place, text, ha="center", va="center", fontsize=8, color=colours.ground)
            for number_within, (name, count) in enumerate(fine.items()):
                first, last = (90 - 360 * part / total for part in (before, before + count))
                depth = 0.85 - 0.5 * number_within / len(fine)
                outside = Wedge((0, 0), RIM, last, first, width=RIM - OUTER - 0.01, facecolor=colour, alpha=depth)
                outside.set(edgecolor=colours.ground, linewidth=0.6)
                axes.add_patch(outside)
                # A coarse class too small for its name is told by those of its fine ones.
                short = name.removeprefix(f"{coarse}-") if is_named else name
                labels.append(((first + last) / 2, f"{shortened(short, 24)} {_count(count)}", colour))
                before += count
        self._name(axes, labels, 7 if n_fine > 45 else 8)
        axes.text(0, 0, f"{total:,}", ha="center", va="center", fontsize=13, fontweight="bold")
        axes.set(xlim=(-1.62, 1.62), ylim=(-1.62, 1.62), aspect="equal")
        axes.axis("off")

    @staticmethod
    def _name(axes: "Axes", labels: list[tuple[float, str, str]], size: float) -> None:
        """Writes names around the rim, at angles that leave each its room, with a line to its wedge."""
        angles = _apart([90 - angle for angle, _, _ in labels], min(360 / max(len(labels), 1), 0.31 * size))
        for (angle, text, colour), moved in zip(labels, angles, strict=True):
            turned = 90 - moved
            begin, bend = _at(angle, RIM + 0.01), _at(turned, RIM + 0.09)
            axes.plot([begin[0], bend[0]], [begin[1], bend[1]], color=colour, linewidth=0.7)
            on_left = cos(turned * pi / 180) < 0
            axes.text(
                *_at(turned, RIM + 0.11),
                text,
                rotation=turned + (180 if on_left else 0),
                rotation_mode="anchor",
                ha="right" if on_left else "left",
                va="center",
                fontsize=size,
            )


def _at(angle: float, radius: float) -> tuple[float, float]:
    return radius * cos(angle * pi / 180), radius * sin(angle * pi / 180)


def _count(count: int) -> str:
    return f"{count / 1000:.1f}k" if count >= 10_000 else f"{count:,}"


def _apart(wanted: list[float], room: float) -> list[float]:
    """Ascending angles from 0 to 360, at least `room` apart and as near to those wanted as can be (least squares).

    Less `room` for each angle before it, an angle must not fall: neighbours that would are pooled to their mean.
    """
    pools: list[tuple[float, int]] = []
    for place, angle in enumerate(wanted):
        total, number = angle - place * room, 1
        while pools and pools[-1][0] / pools[-1][1] > total / number:
            total, number = total + pools[-1][0], number + pools[-1][1]
            pools.pop()
        pools.append((total, number))
    highest = 360 - len(wanted) * room
    levels = [min(max(total / number, 0), highest) for total, number in pools for _ in range(number)]
    return [level + place * room for place, level in enumerate(levels)]
