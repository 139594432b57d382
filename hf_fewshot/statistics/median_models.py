"""The median model: of several trained models the one that is reported, with its spread over draws of episodes.

Sabo et al. (2021) train five models of each system, report the one with the median score, give the mean and the
deviation of its score over five samples of episodes, and compare systems by a one-tailed t-test at 0.05. That
deviation has nothing of the luck of training in it: it is another number than the deviation over all runs.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from hf_fewshot.data.benchmark_data import EPISODES
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics.comparisons import matched
from hf_fewshot.statistics.paired import paired_t_test, require_alternative
from hf_fewshot.statistics.record_units import by_repeat, draw_of
from hf_fewshot.statistics.repeats import mean_and_std, median_model

# Of the paper's t-test.
LEVEL = 0.05


@dataclass(frozen=True)
class MedianModel:
    """The model with the median score of a system in a setting.

    Args:
        seed: of its training.
        n_models: that were trained.
        records: its own, one per draw of episodes.
    """

    seed: int
    n_models: int
    records: tuple[Record, ...]

    @property
    def by_draw(self) -> dict[Hashable, Record]:
        """Its records by their draws."""
        return {draw_of(record): record for record in self.records}


@dataclass(frozen=True)
class MedianComparison:
    """How far the median model of the first system is ahead of that of the second, over the same draws of episodes.

    Args:
        measure: its name.
        first: the median model of the first system.
        second: that of the second.
        difference: mean over draws of first minus second, from -1 to 1.
        p_t: of the paired t-test over draws; None of one draw, and of draws that all differ alike.
        alternative: "greater" (first is better), "less" or "two-sided".
    """

    measure: str
    first: MedianModel
    second: MedianModel
    difference: float
    p_t: float | None
    alternative: str

    @property
    def is_significant(self) -> bool:
        """Whether the paper would call it a difference."""
        return self.p_t is not None and self.p_t < LEVEL


def median_of(records: Sequence[Record]) -> MedianModel:
    """The median model among the records of a cell: models are told by their seeds, and score the mean over draws.

    Of an even number of models it is the lower one of the middle two, of equal ones that of the lowest seed. Models
    that were not all scored on the same draws cannot be ranked, and a seed that was trained anew for each draw is no
    one model: both are errors.
    """
    models: dict[int, dict[Hashable, Record]] = {}
    for record in by_repeat(records).values():
        models.setdefault(record.run.seed, {})[draw_of(record)] = record
    system = records[0].run.system
    draws = next(iter(models.values())).keys()
    for seed, own in models.items():
        if own.keys() != draws:
            raise ValueError(
                f"{system}: models must be scored on the same draws of episodes, but seed {next(iter(models))} has "
                f"{len(draws)} and seed {seed} has {len(own)}, or others. Run the missing ones."
            )
        if len({_trained_on(record) for record in own.values()}) > 1:
            raise ValueError(
                f"{system}: seed {seed} was trained on other data in each draw, so there is not one model to report. "
                "Give the training data options of its own that do not change with the draw."
            )
    seeds = sorted(models)
    chosen = seeds[median_model([mean_and_std([one.score for one in models[seed].values()])[0] for seed in seeds])]
    return MedianModel(chosen, len(seeds), tuple(models[chosen].values()))


def compare_medians(
    first: Sequence[Record], second: Sequence[Record], *, alternative: str = "greater"
) -> MedianComparison:
    """Compares the median models of two systems on the same draws: the one-tailed t-test of Sabo et al. (2021).

    It is paired, since both answer the same episodes, and asks whether these two models differ on other episodes, not
    whether the methods do: for that there is `compare`, over all models.
    """
    require_alternative(alternative)
    ours, theirs = median_of(first), median_of(second)
    pairs = matched(ours.by_draw, theirs.by_draw)
    scores = np.array([[one.score, other.score] for one, other in pairs])
    differences = scores[:, 0] - scores[:, 1]
    p_t = None
    if np.ptp(differences) > 1e-12:  # else a difference would be certain after two draws
        p_t = paired_t_test(scores[:, 0].tolist(), scores[:, 1].tolist(), alternative=alternative)
    return MedianComparison(ours.records[0].measure, ours, theirs, float(differences.mean()), p_t, alternative)


def _trained_on(record: Record) -> tuple[tuple[str, str], ...]:
    """Hashes of what was read beside the episodes that were predicted."""
    readings = record.depends_on.get("data", ())
    return tuple(sorted({(one["part"], one["content"]) for one in readings if one["part"] != EPISODES}))
