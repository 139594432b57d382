"""Statistics of a benchmark's data: what all benchmarks have, and what its builder adds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import datasets
import numpy as np

from hf_fewshot.analyses.charts import Chart, RankChart
from hf_fewshot.analyses.class_counts import ClassCounts, class_counts, lengths, noun, shares
from hf_fewshot.analyses.episode_counts import EpisodeCounts, episode_counts
from hf_fewshot.analyses.findings import Cell, Findings, Sheet
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.registry import resolve
from hf_fewshot.tasks import task_of

ALL = "all"
CONFIG = "configuration"


@dataclass(frozen=True)
class Splits:
    """The examples of all splits of a configuration that are at hand, and its episodes where options ask for some."""

    data: Data
    config: str
    examples: dict[str, datasets.Dataset] = field(default_factory=dict)
    episodes: dict[str, EpisodeSet] = field(default_factory=dict)

    @cached_property
    def counts(self) -> dict[str, list[ClassCounts]]:
        """The classes of each split, by column."""
        task, none = task_of(self.data.task), self.data.nota_class
        return {split: class_counts(task, rows, none) for split, rows in self.examples.items()}

    @cached_property
    def lengths(self) -> dict[str, np.ndarray]:
        """The number of words of each example."""
        return {split: lengths(task_of(self.data.task), rows) for split, rows in self.examples.items()}

    def totals(self, place: int) -> dict[str, int]:
        """How often each class of one column occurs in all splits together."""
        found: dict[str, int] = {}
        for counts in self.counts.values():
            for name, count in counts[place].totals.items():
                found[name] = found.get(name, 0) + count
        return found


def read_splits(data: Data) -> Splits:
    """Reads all splits whose raw files are at hand."""
    builder = data.builder()
    episodes: dict[str, EpisodeSet] = {}
    if builder.config.makes_episodes:
        episodes = {split: builder.episode_set(split) for split in builder.files}
        try:
            tables = builder.example_builder()
        except RawFilesNotFoundError:
            # Released episodes without the sentences that they were drawn from.
            return Splits(data, builder.config.name, {s: one.examples for s, one in episodes.items()}, episodes)
    else:
        tables = builder
        tables.download_and_prepare()
    examples = {split: tables.as_dataset(split=split) for split in tables.files}
    return Splits(data, builder.config.name, examples, episodes)


def data_statistics(benchmark: str, config: str | None, options: Mapping[str, Any], **source: Any) -> Findings:
    """Tables and charts of a benchmark's data.

    Args:
        config: None: the default one, or all that are at hand where there is none.
        options: of the benchmark.
        source: where raw files are, such as `data_dir`.
    """
    builder = builder_of(benchmark)
    several = config is None and builder.DEFAULT_CONFIG_NAME is None
    found: list[Splits] = []
    missing: list[Exception] = []
    for name in builder.builder_configs if several else (config,):
        try:
            found.append(read_splits(Data(benchmark, name, dict(options), source=source)))
        except RawFilesNotFoundError as error:
            missing.append(error)
    if not found:
        raise missing[0]
    sheets: list[Sheet] = [_examples_sheet(found)]
    charts: list[Chart] = [chart for splits in found for chart in _class_charts(splits)]
    counted = {splits.config: {s: episode_counts(e) for s, e in splits.episodes.items()} for splits in found}
    if any(counted.values()):
        sheets.append(without_only_config(episodes_sheet(counted), found))
        charts = [*_query_charts(counted), *charts]  # what was asked for stands first
    if builder.STATISTICS is not None:
        own_sheets, own_charts = resolve(builder.STATISTICS)(found)
        sheets, charts = [*own_sheets, *sheets], [*own_charts, *charts]
    return Findings(benchmark, _title(benchmark, config, options), tuple(sheets), tuple(charts))


def _title(benchmark: str, config: str | None, options: Mapping[str, Any]) -> str:
    said = {name: value for name, value in options.items() if name != "sample" and not isinstance(value, Mapping)}
    given = [f"{name}={value}" for name, value in said.items()]
    whose = ["sample data"] if options.get("sample") else []
    return ", ".join([f"{benchmark}/{config}" if config else benchmark, *given, *whose])


def _examples_sheet(found: Sequence[Splits]) -> Sheet:
    columns = task_of(found[0].data.task).class_columns
    has_none = found[0].data.nota_class is not None
    heads = [CONFIG, "split", "examples", "words", "words per example"]
    for column in columns:
        heads += [f"{noun(column)} types", f"{noun(column)} mentions"] if column.is_tags else [f"{noun(column)}s"]
    heads += ["none of them (%)"] if has_none else []
    rows: list[list[Cell]] = []
    for splits in found:
        own = [[split, *_row(splits, [split], has_none)] for split in splits.examples]
        rows += [[splits.config, *row] for row in own]
        if len(own) > 1:
            rows.append([splits.config, ALL, *_row(splits, list(splits.examples), has_none)])
    return without_only_config(Sheet.of("Examples", heads, rows), found)


def without_only_config(sheet: Sheet, found: Sequence[Splits]) -> Sheet:
    """The table without its column of configurations, where there is one."""
    return sheet.without(CONFIG) if len(found) == 1 else sheet


def _row(splits: Splits, names: Sequence[str], with_none: bool) -> list[Cell]:
    words = np.concatenate([splits.lengths[name] for name in names])
    row: list[Cell] = [len(words), int(words.sum()), float(words.mean()) if len(words) else 0.0]
    labelled = 0
    for place, column in enumerate(task_of(splits.data.task).class_columns):
        counts = [splits.counts[name][place] for name in names]
        totals: dict[str, int] = {}
        for one in counts:
            totals |= one.totals
        mentions = sum(int(one.index.totals.sum()) for one in counts)
        row += [len(totals), mentions] if column.is_tags else [len(totals)]
        labelled = mentions
    return [*row, 100 * (1 - labelled / len(words))] if with_none else row


def episodes_sheet(
    counted: Mapping[str, Mapping[str, EpisodeCounts]], title: str = "Episodes", head: str = CONFIG
) -> Sheet:
    """Support and query sets by configuration, or by what else `head` says, and split."""
    all_counts = [counts for splits in counted.values() for counts in splits.values()]
    nouns = list(all_counts[0].per_support)
    heads = [head, "split", "episodes", "support", "query", *(f"support per {one}" for one in nouns)]
    with_nota = any(counts.nota_share is not None for counts in all_counts)
    heads += ["none of the above (%)"] if with_nota else []
    rows: list[list[Cell]] = []
    for name, splits in counted.items():
        for split, counts in splits.items():
            means = [counts.per_support[one] for one in nouns]
            row: list[Cell] = [name, split, counts.n_episodes, counts.n_support, counts.n_query, *means]
            rows.append([*row, counts.nota_share] if with_nota else row)
    note = "Support per class: how often a class that a support set holds occurs in it, over all sets and classes."
    return Sheet.of(title, heads, rows, note)


def _class_charts(splits: Splits) -> list[Chart]:
    charts: list[Chart] = []
    for place, column in enumerate(task_of(splits.data.task).class_columns):
        series = {split: shares(counts[place].totals) for split, counts in splits.counts.items()}
        series = {split: values for split, values in series.items() if values}
        if series:
            what = "mentions" if column.is_tags else "examples"
            title = f"How frequent each {noun(column)}{' type' if column.is_tags else ''} is, {splits.config}"
            charts.append(RankChart(title, f"share of {what} (%)", series))
    return charts


def _query_charts(counted: Mapping[str, Mapping[str, EpisodeCounts]]) -> list[Chart]:
    """The relations of queries that their episode has, as shares of all queries."""
    charts: list[Chart] = []
    for config, splits in counted.items():
        series = {split: counts.query_shares for split, counts in splits.items() if counts.query_shares}
        if series:
            title = f"How frequent each class is among queries, {config}"
            charts.append(RankChart(title, "share of queries (%)", series))
    return charts
