"""Results in the forms that the Hub reads: `model-index` of a card, and files in `.eval_results`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from huggingface_hub import EvalResult, EvalResultEntry, constants

from hf_fewshot.cards.benchmark import benchmark_facts
from hf_fewshot.cards.benchmark_repository import benchmark_repository
from hf_fewshot.cards.setting_name import dataset_name, setting_name, task_id
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics import has_no_width, mean_and_std
from hf_fewshot.tables.interval_text import interval_text, reason_for_no_interval
from hf_fewshot.tables.measures import MEASURES, measure_label, percent
from hf_fewshot.tables.settings import Setting, SystemRecords, settings
from hf_fewshot.tasks import task_of
from hf_fewshot.text.redaction import redacted


def eval_results(records: Sequence[Record], datasets: Mapping[str, str] | None = None) -> list[EvalResult]:
    """Every measure of every system in every setting, in percent; the protocol stands in the dataset's arguments.

    Args:
        datasets: other dataset repositories, by name of the benchmark.
    """
    return [
        result
        for setting in settings(records)
        for system in setting.systems
        for result in _results(setting, system, _dataset(setting, datasets or {}))
    ]


def dataset_id(benchmark: str, is_sample: bool, datasets: Mapping[str, str]) -> str:
    """The repository of a benchmark: the one that is named, else that of all users."""
    shared = benchmark_repository(benchmark, is_sample)
    return shared if is_sample else datasets.get(benchmark, shared)


def _dataset(setting: Setting, datasets: Mapping[str, str]) -> str:
    """Its repository; other data in a benchmark's format have none, and a name of their own."""
    if setting.is_other:
        return f"{setting.benchmark}-other"
    return dataset_id(setting.benchmark, setting.is_sample, datasets)


def _results(setting: Setting, system: SystemRecords, dataset: str) -> list[EvalResult]:
    first = system.records[0]
    shared = [name for name in MEASURES if all(name in record.scores for record in system.records)]
    return [
        EvalResult(
            task_type=task_of(first.task).hub_task,
            task_name=f"few-shot {first.task}",
            dataset_type=dataset,
            dataset_name=_dataset_title(setting),
            dataset_config=setting_name(first.run.benchmark, first.run.config, first.run.data),
            dataset_split=first.run.split,
            dataset_args=protocol(system.records),
            metric_type=measure,
            metric_name=f"{measure_label(measure)} of {system.label}",
            metric_value=round(percent(_mean(system, measure)), 2),
            metric_args=_spread(setting, system, measure),
        )
        for measure in [first.measure, *(name for name in shared if name != first.measure)]
    ]


def _dataset_title(setting: Setting) -> str:
    title = benchmark_facts(setting.benchmark).pretty_name
    return f"{title}: {', '.join(setting.details(without=['n_episodes']))}"


def is_official(record: Record) -> bool:
    """Whether a run was on the benchmark's own data."""
    return bool(record.episodes["official"])


def protocol(records: Sequence[Record]) -> dict[str, Any]:
    """Options of the data, draws, seeds, and which episodes they were."""
    data = [dict(record.run.data) for record in records]
    names = sorted({name for one in data for name in one})
    values = {name: _distinct([one.get(name) for one in data]) for name in names}
    return {
        "config": records[0].run.config,
        **{name: found[0] if len(found) == 1 else found for name, found in values.items()},
        "run_seeds": _distinct([record.run.seed for record in records]),
        "n_queries": n_queries(records),
        "episode_fingerprints": _distinct([record.episodes["fingerprint"] for record in records]),
    }


def n_queries(records: Sequence[Record]) -> int:
    """How many different queries were asked: seeds ask the same again, and so do folds that share a test set."""
    if all(record.unit == "question" for record in records):
        return len({name for record in records for name in record.units})
    return sum({record.episodes["fingerprint"]: record.episodes["n_queries"] for record in records}.values())


def _distinct(values: list[Any]) -> list[Any]:
    return [value for place, value in enumerate(values) if value not in values[:place]]


def _mean(system: SystemRecords, measure: str) -> float:
    return mean_and_std([record.scores[measure] for record in system.counted])[0]


def _spread(setting: Setting, system: SystemRecords, measure: str) -> dict[str, Any]:
    """What is known of a score beside its mean, in percent."""
    std = mean_and_std([record.scores[measure] for record in system.counted])[1]
    known: dict[str, Any] = {"unit": "percent", "n_runs": len(system.counted)}
    if std is not None:
        known["std"] = round(percent(std), 2)
    found, first = system.summary, system.records[0]
    if measure == found.measure:
        ends, level, sources = (found.low, found.high), found.confidence_level, found.sources
    elif len(system.counted) == 1 and measure in first.intervals:
        ends, level, sources = first.intervals[measure], first.confidence_level, ("units",)
    else:
        return known
    low, high = ends
    if has_no_width(low, high):
        known["no_interval"] = reason_for_no_interval(found.n_units, setting.units)
    elif low is not None and high is not None:
        known["confidence_level"] = level
        known["confidence_interval"] = [round(percent(low), 2), round(percent(high), 2)]
        known["interval_over"] = list(sources)
    return known


def eval_entries(
    records: Sequence[Record],
    repo_id: str,
    datasets: Mapping[str, str] | None = None,
    revision_of: Callable[[str, Sequence[Record]], str | None] | None = None,
) -> dict[str, list[EvalResultEntry]]:
    """The content of `.eval_results/<name>.yaml` by name: the main measure of every system in every setting.

    Results on other data in a benchmark's format have no place on a leaderboard and are left out.

    A result belongs to the leaderboard of a dataset repository: of one organisation for all users, so that a board has
    all results (see `benchmark_repository`).

    Args:
        repo_id: the repository of the model, where the records are.
        datasets: other dataset repositories, by name of the benchmark.
        revision_of: which commit of a dataset repository has the episodes of records; None where none has.
    """
    entries: dict[str, list[EvalResultEntry]] = {}
    for setting in settings(record for record in records if is_official(record) or record.run.data.get("sample")):
        for system in setting.systems:
            run = system.records[0].run
            name = dataset_name(run.benchmark, setting.is_sample)
            dataset = dataset_id(run.benchmark, setting.is_sample, datasets or {})
            entry = EvalResultEntry(
                dataset_id=dataset,
                dataset_revision=revision_of(dataset, system.records) if revision_of is not None else None,
                task_id=task_id(run.benchmark, run.config, run.data, run.split),
                value=round(percent(system.summary.mean), 2),
                date=max(record.started for record in system.records)[:10],
                source_url=f"{redacted(constants.ENDPOINT)}/{repo_id}/tree/main/records",
                source_name="Records of the runs",
                notes=_notes(setting, system),
            )
            entries.setdefault(name, []).append(entry)
    return entries


def _notes(setting: Setting, system: SystemRecords) -> str:
    found = system.summary
    runs = "one run" if found.n == 1 else f"mean of {found.n} runs"
    parts = [system.label, f"{measure_label(found.measure)} in percent", runs]
    if interval := interval_text(found, setting.units):
        parts.append(f"{percent(found.confidence_level):g} % interval {interval}")
    return "; ".join(parts)
