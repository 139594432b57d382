"""Names of systems in tables and plots: as short as possible, and different for different systems."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from hf_fewshot.runs.run import Run
from hf_fewshot.tables.plain import one_line

Cell = tuple[Any, ...]

# Features that come first, and whose value says it all.
_BARE = ("model", "method", "trained")


def system_labels(runs: Iterable[Run]) -> dict[Cell, str]:
    """For each cell of a benchmark the name of its system, with what tells it from others of the same name.

    A system keeps its name over settings even where its options change with them (StructShot's temperature does with
    the shots): options are named only when two cells of one setting would be called the same.
    """
    cells = {run.cell: run for run in runs}
    labels: dict[Cell, str] = {}
    for system in dict.fromkeys(run.system for run in cells.values()):
        same = {cell: run for cell, run in cells.items() if run.system == system}
        names: list[str] = []
        while unnamed := _unnamed(same, names):
            names = sorted([*names, unnamed[0]], key=_rank)
        labels |= {cell: _label(run, names) for cell, run in same.items()}
    return _numbered(cells, labels)


def _features(run: Run) -> dict[str, Any]:
    """All that may tell a run from another of the same system in the same setting."""
    trained = "not trained" if run.training is None else "trained"
    training = run.training.written if run.training else {}
    return {"model": run.model, "method": run.method, "trained": trained, **run.options, **training}


def _label(run: Run, names: list[str]) -> str:
    features = _features(run)
    parts = [_short(name, features[name]) for name in names if features.get(name) is not None]
    validation = run.training.validation if run.training else None
    if isinstance(validation, dict) and "fold" in validation:
        # No true few-shot: it must not pass for a run that saw one fold.
        parts.insert(0, one_line(f"validated on fold {validation['fold']}"))
    system = one_line(run.system)
    return f"{system} ({', '.join(parts)})" if parts else system


def _short(name: str, value: Any) -> str:
    # Of a folder or a Hub id only the last part: the whole of it stands in the table and under provenance.
    return one_line(str(value).rstrip("/").rsplit("/", 1)[-1] if name in _BARE else f"{name}={value}")


def _rank(name: str) -> int:
    return _BARE.index(name) if name in _BARE else len(_BARE)


def _unnamed(cells: dict[Cell, Run], names: list[str]) -> list[str]:
    """Features that would tell apart two runs of one setting which are still called the same; the model first."""
    for one, other in combinations(cells.values(), 2):
        if one.setting == other.setting and _label(one, names) == _label(other, names):
            first, second = _features(one), _features(other)
            differ = [name for name in {**first, **second} if first.get(name) != second.get(name)]
            if found := [name for name in sorted(differ, key=_rank) if name not in names]:
                return found
    return []


def _numbered(cells: dict[Cell, Run], labels: dict[Cell, str]) -> dict[Cell, str]:
    """Numbers for those that no short name tells apart, such as models in two folders of the same name."""
    numbers: Counter[tuple[Any, ...]] = Counter()
    numbered = {}
    for cell, label in labels.items():
        place = (*cells[cell].setting, label)
        numbers[place] += 1
        numbered[cell] = f"{label} #{numbers[place]}" if numbers[place] > 1 else label
    return numbered
