"""Groups of examples (episodes, domains): scores over them, and confidence intervals from resampling them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .inputs import one_of

GROUPS_HELP = """\
    groups (list, optional): the id of the episode or domain of each example.
    per_group (bool or "columns"): also return the scores of each group and the numbers behind rates, as
        `per_group/<id>/<measure>`; "columns": as one entry `per_group` with the ids as `group`, and an array of each
        measure, which takes far less memory. Default: False.
    confidence_level (float, optional): for example 0.95; adds `<measure>_ci_low` and `<measure>_ci_high`, the
        percentile bootstrap interval over groups, or over examples where no groups are given.
    n_bootstrap (int): how many times to resample. Default: 1000.
    seed (int): of the resampling; the order of the examples does not matter. Default: 0."""

Measures = Callable[[np.ndarray], dict[str, np.ndarray]]
PerGroup = bool | Literal["columns"]


def group_ids(groups: Sequence[Any], n_examples: int) -> list[str]:
    """The id of the group of each example, as strings."""
    if isinstance(groups, str) or not hasattr(groups, "__len__"):
        raise TypeError(f"groups must be a list with one id per example, got {type(groups).__name__} {groups!r}.")
    if len(groups) != n_examples:
        raise ValueError(f"{len(groups)} groups for {n_examples} examples. Give the id of the group of each example.")
    return list(map(str, groups.tolist() if hasattr(groups, "tolist") else groups))


@dataclass(frozen=True)
class Groups:
    """Which group each example is of. Without given groups, each example stands for itself."""

    codes: np.ndarray  # (n_examples,)
    names: list[str]
    given: bool

    @classmethod
    def of(cls, groups: Sequence[Any] | None, n_examples: int) -> "Groups":
        """Sorts the groups by name, so that results do not depend on the order of the examples."""
        if groups is None:
            return cls(np.arange(n_examples, dtype=np.int32), [], given=False)
        if isinstance(groups, np.ndarray) and groups.dtype.kind in "iu" and len(groups) == n_examples:
            # Without a string for every example.
            numbers, codes = np.unique(groups, return_inverse=True)
            named = cls.of(list(map(str, numbers.tolist())), len(numbers))
            return cls(named.codes[codes], named.names, given=True)
        ids = group_ids(groups, n_examples)
        names = sorted(set(ids))
        position = {name: code for code, name in enumerate(names)}
        return cls(np.fromiter(map(position.__getitem__, ids), dtype=np.int32, count=n_examples), names, given=True)

    def __len__(self) -> int:
        return len(self.names) if self.given else len(self.codes)

    def require(self, reason: str) -> None:
        """Raises unless groups were given."""
        if not self.given:
            raise ValueError(f"{reason} needs groups. Give groups=[...], the id of the group of each example.")

    def results(self, rows: np.ndarray, measures: Measures, form: PerGroup = True) -> dict[str, Any]:
        """Results of each group, in one of the forms of `per_group`. `rows` has shape (n_groups, n_columns)."""
        if not form:
            return {}
        one_of("per_group", form, (True, "columns"))
        self.require(f"per_group={form!r}")
        if form == "columns":
            return {"per_group": {"group": self.names, **measures(rows)}}
        table = {measure: values.tolist() for measure, values in measures(rows).items()}
        return {
            f"per_group/{name}/{measure}": values[row]
            for row, name in enumerate(self.names)
            for measure, values in table.items()
        }


@dataclass(frozen=True)
class Bootstrap:
    """How confidence intervals are made; none without a level."""

    confidence_level: float | None = None
    n_bootstrap: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.confidence_level is not None and not 0 < self.confidence_level < 1:
            raise ValueError(
                f"confidence_level={self.confidence_level!r} is no level. Give one between 0 and 1, such as 0.95."
            )
        if not isinstance(self.n_bootstrap, int) or self.n_bootstrap < 1:
            raise ValueError(
                f"n_bootstrap={self.n_bootstrap!r} is no number of resamples. Give a whole number, such as 1000."
            )

    def intervals(self, rows: np.ndarray, measures: Measures) -> dict[str, float]:
        """Percentile intervals of measures of the mean row: ratios of sums over groups, or means over groups."""
        if self.confidence_level is None:
            return {}
        if len(rows) < 2:
            raise ValueError(
                f"A confidence interval needs at least 2 groups to resample, got {len(rows)}. "
                "Give more groups, or leave out confidence_level."
            )
        tail = (1 - self.confidence_level) / 2
        results: dict[str, float] = {}
        for measure, values in measures(self._resampled_means(rows)).items():
            low, high = np.quantile(values, [tail, 1 - tail]).tolist()
            results |= {f"{measure}_ci_low": low, f"{measure}_ci_high": high}
        return results

    def _resampled_means(self, rows: np.ndarray) -> np.ndarray:
        """Means of rows drawn with replacement. Shape (n_bootstrap, n_columns)."""
        # How often each distinct row is drawn is multinomial. Sorted distinct rows make the draw blind to the order of
        # the groups (several processes deliver them in another order), and few where a group is a single example.
        distinct, repeats = distinct_rows(rows)
        rng = np.random.default_rng(self.seed)
        means = np.empty((self.n_bootstrap, rows.shape[1]))
        for draw in range(self.n_bootstrap):  # one draw at a time: memory stays linear in the number of groups
            means[draw] = rng.multinomial(len(rows), repeats / len(rows)) @ distinct / len(rows)
        return means


def pooled(rows: np.ndarray, measures: Measures, bootstrap: Bootstrap) -> dict[str, float]:
    """Measures of the sum over all groups, with their intervals. `rows` has shape (n_groups, n_columns)."""
    return _point(rows.sum(axis=0, keepdims=True), measures) | bootstrap.intervals(rows, measures)


def group_means(rows: np.ndarray, measures: Measures, bootstrap: Bootstrap, suffix: str = "") -> dict[str, float]:
    """Means over groups of the measures of each group, with their intervals; their names get the suffix."""
    by_group = measures(rows)
    values = np.stack(list(by_group.values()), axis=1)  # (n_groups, n_measures)

    def named(means: np.ndarray) -> dict[str, np.ndarray]:
        return {measure + suffix: column for measure, column in zip(by_group, means.T, strict=True)}

    return _point(values.mean(axis=0, keepdims=True), named) | bootstrap.intervals(values, named)


def distinct_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct rows in order, and how often each comes: `np.unique(axis=0)`, which is much slower."""
    ordered = rows[np.lexsort(rows.T[::-1])]
    first = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    starts = np.flatnonzero(first)
    return ordered[starts], np.diff(starts, append=len(rows))


def _point(row: np.ndarray, measures: Measures) -> dict[str, float]:
    return {measure: float(value[0]) for measure, value in measures(row).items()}
