"""Whether the data that a run names can serve it: as much of it is read as shows that."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from hf_fewshot.data.benchmark_data import EPISODES, OTHER_FOLD, ROWS, TRAINING, VALIDATING, Data
from hf_fewshot.data.splits import TRAIN, VALIDATION
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scoring import score
from hf_fewshot.registry import METHODS, method_class, unknown
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.options import system_class
from hf_fewshot.systems.system import ANOTHER_FOLD, EXAMPLES
from hf_fewshot.systems.system import EPISODES as ON_EPISODES

# What a method begins with that is not trained.
BEGINNING = "beginning"


class Part(NamedTuple):
    """A part of the benchmark that a run reads, and what it needs of it.

    Args:
        name: of the part, as `Data` calls it, or BEGINNING.
        options: of the part.
        is_drawn: whether its episodes must be drawn, so that there are always more.
        measure: that its scores must have.
    """

    name: str
    options: dict[str, Any]
    is_drawn: bool = False
    measure: str | None = None


PREDICTED = Part(EPISODES, {})


def parts(run: Run) -> Iterator[Part]:
    """The parts of its benchmark that a run reads."""
    yield PREDICTED
    by, plan = system_class(run.method).trained_by(run.method), run.training
    if by is None:
        return
    if by.validated_on == EXAMPLES:
        yield Part(ROWS, {"split": TRAIN})
    elif by.validated_on == ON_EPISODES and plan is not None:
        yield Part(TRAINING, plan.data, is_drawn=bool(plan.arguments.get("fresh_episodes")))
    elif by.validated_on == ON_EPISODES and run.method in METHODS and method_class(run.method).begins_with_data():
        yield Part(BEGINNING, {})
    if plan is not None and plan.validation is not None:
        measure = plan.arguments.get("metric_for_best_model")
        if by.validated_on == ON_EPISODES:
            yield Part(VALIDATING, plan.validation, measure=measure)
        elif by.validated_on == EXAMPLES:
            yield Part(ROWS, {"split": VALIDATION})
        elif by.validated_on == ANOTHER_FOLD:
            yield Part(OTHER_FOLD, plan.validation)


def try_part(part: Part, data: Data) -> None:
    """Reads a part as far as it shows that there is one; the benchmark's own error says what is wrong."""
    if part.name == BEGINNING:
        part = Part(TRAINING, {}) if data.trains_on_released else Part(ROWS, {"split": TRAIN})
    found = data.try_out(part.name, part.options)
    if part.is_drawn and isinstance(found, EpisodeSet) and found.is_given:
        raise ValueError(
            "fresh_episodes=True, but the training episodes are given, not drawn: there are no more. Leave it out."
        )
    if part.measure is not None and isinstance(found, EpisodeSet):
        _require_measure(part.measure, found)


def _require_measure(measure: str, episodes: EpisodeSet) -> None:
    """The name of one of the scores that evaluation gives."""
    first = replace(episodes, length=1)
    known = [name for name in score(first, list(references(first))) if "/" not in name]
    if measure.removeprefix("eval_") not in known:
        raise unknown("metric_for_best_model", measure, known)
