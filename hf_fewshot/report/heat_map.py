"""Confusions of classes as a heat map."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hf_fewshot.report.theme import Colours, text_width
from hf_fewshot.tables.plain import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# More classes do not fit on a page; the rarest ones are counted together.
MAX_LABELS = 30

_CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


@dataclass(frozen=True)
class HeatMap:
    """How often a class was predicted as which.

    Args:
        labels: of the classes.
        counts: `counts[gold][predicted]`.
    """

    labels: list[str]
    counts: list[list[int]]

    @classmethod
    def of(cls, confusions: Iterable[dict[str, Any]]) -> "HeatMap":
        """The sum of several confusions, whose labels may differ."""
        sums: dict[tuple[str, str], int] = {}
        labels: dict[str, int] = {}
        for confusion in confusions:
            for gold, row in zip(confusion["labels"], confusion["counts"], strict=True):
                labels[gold] = labels.get(gold, 0) + sum(row)
                for predicted, count in zip(confusion["labels"], row, strict=True):
                    labels.setdefault(predicted, 0)
                    sums[gold, predicted] = sums.get((gold, predicted), 0) + count
        kept = list(labels)
        if len(kept) > MAX_LABELS:
            frequent = set(sorted(labels, key=lambda label: -labels[label])[: MAX_LABELS - 1])
            rest = f"{len(labels) - len(frequent)} others"
            kept = [label for label in labels if label in frequent] + [rest]
            merged: dict[tuple[str, str], int] = {}
            for pair, count in sums.items():
                gold, predicted = (label if label in frequent else rest for label in pair)
                merged[gold, predicted] = merged.get((gold, predicted), 0) + count
            sums = merged
        return cls(kept, [[sums.get((gold, predicted), 0) for predicted in kept] for gold in kept])

    @property
    def _has_numbers(self) -> bool:
        return len(self.labels) <= 12

    @property
    def _side(self) -> float:
        return max(2.2, (0.5 if self._has_numbers else 0.27) * len(self.labels))

    @property
    def _names(self) -> list[str]:
        return [shortened(label) for label in self.labels]

    @property
    def _room(self) -> tuple[float, float]:
        """What the names take at the left and, slanted, below."""
        longest = max(map(text_width, self._names)) * (9 if self._has_numbers else 8) / 72
        return longest + 0.45, 0.75 * longest + 0.5

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        left, below = self._room
        return self._side + left + 0.15, self._side + below + 0.1

    @property
    def description(self) -> str:
        """The most frequent confusions in words."""
        pairs = [
            (count, f"{gold} as {predicted} {count}")
            for gold, row in zip(self.labels, self.counts, strict=True)
            for predicted, count in zip(self.labels, row, strict=True)
            if gold != predicted and count
        ]
        right = sum(row[place] for place, row in enumerate(self.counts))
        most = [text for _, text in sorted(pairs, key=lambda pair: -pair[0])[:5]]
        wrong = f"Most frequent confusions: {', '.join(most)}." if most else "No confusions."
        return f"Heat map of {sum(map(sum, self.counts))} predictions, {right} of them right. {wrong}"

    def paint(self, figure: "Figure", colours: Colours) -> None:
        """Draws gold classes as rows: the deeper the colour, the larger the share of the row."""
        from matplotlib.collections import PolyCollection
        from matplotlib.colors import to_rgba

        (width, height), (left, below) = self.size, self._room
        axes = figure.add_axes((left / width, below / height, self._side / width, self._side / height))
        squares, faces = [], []
        for gold, row in enumerate(self.counts):
            for predicted, count in enumerate(row):
                if not count:
                    continue
                share = count / sum(row)
                squares.append([(predicted + x, gold + y) for x, y in _CORNERS])
                # Never so deep that the number in it is hard to read, on a light or a dark ground.
                depth = round(0.05 + 0.55 * share, 3)
                faces.append(to_rgba(colours.series[0 if gold == predicted else 1], depth))
                if self._has_numbers:
                    axes.text(predicted, gold, f"{100 * share:.0f}", ha="center", va="center", fontsize=9)
        axes.add_collection(PolyCollection(squares, facecolors=faces, linewidths=0), autolim=False)
        names = self._names
        # Texts of our own, since ticks are several times as dear.
        style: dict[str, Any] = {"fontsize": 9 if self._has_numbers else 8, "clip_on": False}
        gap = 0.06 * len(names) / self._side
        for place, name in enumerate(names):
            axes.text(-0.5 - gap, place, name, ha="right", va="center", **style)
            axes.text(
                place, len(names) - 0.5 + gap, name, ha="right", va="top", rotation=45, rotation_mode="anchor", **style
            )
        axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(names) - 0.5, -0.5), xticks=(), yticks=())
        figure.text((left + self._side / 2) / width, 0.02, "predicted", ha="center", va="bottom")
        figure.text(0.02, (below + self._side / 2) / height, "gold", ha="left", va="center", rotation=90)
        axes.spines[["left", "bottom"]].set_color(colours.rule)
        axes.grid(visible=False)
