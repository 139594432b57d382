"""The table of a setting: our systems, trivial baselines and published numbers, one line each."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.published import PublishedScore, published_beside
from hf_fewshot.registry import BENCHMARKS
from hf_fewshot.statistics import mean_and_std
from hf_fewshot.tables.few_rows import few_rows
from hf_fewshot.tables.interval_text import interval_text
from hf_fewshot.tables.measures import ERRORS, MEASURES, percent, shown
from hf_fewshot.tables.pairs import Comparisons, Standing
from hf_fewshot.tables.plain import one_line
from hf_fewshot.tables.settings import Setting, SystemRecords

# Where the median model is reported, a system has a second line, with the mean over all its models.
OURS, ALL_MODELS, BASELINE, PUBLISHED = "ours", "all_models", "baseline", "published"
MEDIAN_MODEL = (
    "Median model: of all trained models the one with the median score over all draws of episodes (of an even number "
    "the lower one of the middle two), mean ± standard deviation over its draws, as Sabo et al. (2021) report it."
)
MEAN_OF_MODELS = (
    "Mean ± standard deviation over all runs of all models: has the luck of training in it, and is not the number "
    "that Sabo et al. (2021) report."
)
# Of answers that were lost, by the names that records count them under.
LOST = {
    "unparsed": "got an answer that could not be parsed",
    "refused": "were refused",
    "too_long": "did not fit the context",
}


@dataclass(frozen=True)
class Value:
    """A score over repeats, in percent."""

    mean: float
    std: float | None = None

    def __str__(self) -> str:
        return shown(self.mean) if self.std is None else f"{shown(self.mean)} ± {shown(self.std)}"


@dataclass(frozen=True)
class TableLine:
    """A line of a table.

    Args:
        kind: "ours" (one line per system), "all_models", "baseline" or "published".
        system: its name.
        encoder: the encoder or language model.
        values: by measure.
        n: number of runs; None where it is not known.
        low: lower end of the confidence interval of the main measure, in percent; None where it says nothing.
        high: upper end.
        interval: the interval as text, or why it says nothing.
        over: what the interval accounts for.
        origin: of published numbers: their source and version of the data.
        remarks: what else a reader must know to compare.
    """

    kind: str
    system: str
    encoder: str
    values: dict[str, Value]
    n: int | None = None
    low: float | None = None
    high: float | None = None
    interval: str = ""
    over: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to compare."""
        return self.origin + self.remarks


@dataclass(frozen=True)
class Table:
    """A setting with its lines; the main measure is the first one."""

    setting: Setting
    measures: list[str]
    lines: list[TableLine]
    errors: list[TableLine] = field(default_factory=list)

    @property
    def few_rows(self) -> str:
        """What a small test set can tell, in words; nothing where it is large."""
        return few_rows(self.setting)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Our systems against each other."""
        return Comparisons(self.setting)

    def standing(self, line: TableLine) -> Standing:
        """Whether the line is the best of ours, or cannot be told apart from it."""
        labels = {own.system: system.label for system, own in self.ours}
        return self.comparisons.standings.get(labels.get(line.system, ""), "") if line.kind == OURS else ""

    @property
    def encoder(self) -> str:
        """The encoder of all our systems; nothing where they differ."""
        different = {line.encoder for line in self.lines if line.kind == OURS}
        return different.pop() if len(different) == 1 else ""

    @property
    def ours(self) -> list[tuple[SystemRecords, TableLine]]:
        """Our systems with their lines."""
        return list(zip(self.setting.systems, (line for line in self.lines if line.kind == OURS), strict=True))

    def has_spread(self, name: str) -> bool:
        """Whether any line has a standard deviation of a measure."""
        values = [line.values[name] for line in [*self.lines, *self.errors] if name in line.values]
        return any(value.std is not None for value in values)

    @property
    def confidence(self) -> str:
        """The confidence level, such as "95 %"."""
        return f"{percent(self.setting.systems[0].summary.confidence_level):g} %"


def table(setting: Setting) -> Table:
    """All that is known about a setting: lines of scores, and lines of errors where they were analysed."""
    known = published_beside(setting.records[0]) if setting.benchmark in BENCHMARKS else []
    lines = [line for system in setting.systems for line in _ours(system, setting)]
    lines.sort(key=lambda line: line.kind == ALL_MODELS)
    lines += [*_baselines(setting), *(_published(score, MEASURES) for score in known)]
    lines = [line for line in lines if line.values]
    present = {name for line in lines for name in line.values}
    measures = [setting.measure, *(name for name in MEASURES if name in present and name != setting.measure)]
    errors = [TableLine(OURS, system.label, system.model, _means(system, ERRORS)) for system in setting.systems]
    errors = [line for line in errors if line.values]
    if errors:
        errors += [line for score in known if (line := _published(score, ERRORS)).values]
    return Table(setting, measures, lines, errors)


def _ours(system: SystemRecords, setting: Setting) -> list[TableLine]:
    """The line of a system; where its median model is reported, one of all its models too."""
    if not (setting.reports_median_model and system.n_models > 1):
        return [_line(OURS, system.label, system, setting)]
    mean = f"{system.label}, mean of {system.n_models} models"
    try:
        median = system.median
    except ValueError as error:
        return [_line(OURS, mean, system, setting, f"No median model. {one_line(error)}", MEAN_OF_MODELS)]
    chosen = f"Median model of {', '.join(filter(None, [system.label, setting.column]))}: seed {median.seed}."
    own = replace(system, records=median.records)
    name = f"{system.label}, median of {median.n_models} models"
    return [
        _line(OURS, name, own, setting, MEDIAN_MODEL, chosen),
        _line(ALL_MODELS, mean, system, setting, MEAN_OF_MODELS),
    ]


def _line(kind: str, label: str, system: SystemRecords, setting: Setting, *remarks: str) -> TableLine:
    found, measure = system.summary, setting.measure
    main = Value(percent(found.mean), None if found.std is None else percent(found.std))
    values = {measure: main, **_means(system, [name for name in MEASURES if name != measure])}
    line = TableLine(
        kind,
        label,
        system.model,
        values,
        found.n,
        interval=interval_text(found, setting.units),
        remarks=(*remarks, *_the_same_for_all_seeds(system), *_lost_answers(system)),
    )
    if found.low is None or found.high is None or found.says_nothing:
        return line
    return replace(line, low=percent(found.low), high=percent(found.high), over=setting.over(found.sources))


def _the_same_for_all_seeds(system: SystemRecords) -> tuple[str, ...]:
    """Why repeats are one run."""
    seeds = sorted({record.run.seed for record in system.records})
    if len(system.counted) == len(system.records):
        return ()
    return (f"Nothing in it is random: seeds {', '.join(map(str, seeds))} give the same, and count as one run.",)


def _lost_answers(system: SystemRecords) -> tuple[str, ...]:
    """How many answers of a language model are wrong because there is none."""
    counts = {name: sum(record.answers.get(name, 0) for record in system.counted) for name in ("n_queries", *LOST)}
    lost = [f"{counts[name]:,.0f} {words}" for name, words in LOST.items() if counts[name]]
    return (f"Of {counts['n_queries']:,.0f} queries, {', '.join(lost)}: never right.",) if lost else ()


def _means(system: SystemRecords, measures: Iterable[str]) -> dict[str, Value]:
    """Mean and deviation of those measures that all records have."""
    values = {}
    for name in measures:
        scores = [percent(record.scores[name]) for record in system.counted if name in record.scores]
        if len(scores) == len(system.counted):
            values[name] = Value(*mean_and_std(scores))
    return values


def _baselines(setting: Setting) -> list[TableLine]:
    """Each trivial baseline once, over the draws of the data: all systems share them. One that was run is a system."""
    run = {record.run.method for record in setting.records}
    scores: dict[str, dict[tuple[Any, ...], float]] = {}
    for record in setting.records:
        draw = tuple(record.run.data.get(name) for name in DRAWS)
        for name, score in record.baselines.items():
            if name in run:
                continue
            # Records of this machine come first: what others say of the same draw counts where there is none.
            scores.setdefault(name, {}).setdefault(draw, percent(score))
    return [
        TableLine(
            BASELINE,
            one_line(name.replace("_", " ")),
            "",
            {setting.measure: Value(*mean_and_std(list(draws.values())))},
            len(draws),
        )
        for name, draws in scores.items()
    ]


def _published(score: PublishedScore, measures: Iterable[str]) -> TableLine:
    values = {name: Value(score.scores[name], score.std.get(name)) for name in measures if name in score.scores}
    data = f"Data: {score.data_version}" if score.data_version else ""
    origin = tuple(note for note in (score.source, data) if note)
    return TableLine(PUBLISHED, score.system, score.encoder or "", values, origin=origin, remarks=tuple(score.remarks))
