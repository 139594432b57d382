"""Frequencies of several data sets in one chart."""

from collections.abc import Sequence
from dataclasses import replace

from hf_fewshot.analyses.charts import RankChart
from hf_fewshot.analyses.findings import Findings


def beside(findings: Findings, others: Sequence[Findings]) -> Findings:
    """The findings with the lines of others in each chart of ranks that measures the same."""
    if not others:
        return findings
    charts = [_joined(chart, findings, others) if isinstance(chart, RankChart) else chart for chart in findings.charts]
    if charts == list(findings.charts):
        titles = ", ".join(one.title for one in others)
        raise ValueError(
            f"{titles} has no frequencies to draw beside those of {findings.title}. Give the same kind of options to "
            "both, such as n_way and shots."
        )
    return replace(findings, charts=tuple(charts))


def _joined(chart: RankChart, findings: Findings, others: Sequence[Findings]) -> RankChart:
    series = dict(_named(chart, findings, others))
    for other in others:
        for one in other.charts:
            if isinstance(one, RankChart) and one.measure == chart.measure:
                series |= _named(one, other, [findings, *(third for third in others if third is not other)])
    return chart if len(series) == len(chart.series) else replace(chart, series=series)


def _named(chart: RankChart, findings: Findings, others: Sequence[Findings]) -> dict[str, tuple[float, ...]]:
    """Lines by benchmark and split; where another is of the same benchmark, with all options."""
    alone = all(other.benchmark != findings.benchmark for other in others)
    name = findings.benchmark if alone else findings.title
    return {f"{name}, {split}": shares for split, shares in chart.series.items()}
