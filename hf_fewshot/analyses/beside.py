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
    added = {
        f"{other.title}, {name}": shares
        for other in others
        for one in other.charts
        if isinstance(one, RankChart) and one.measure == chart.measure
        for name, shares in one.series.items()
    }
    if not added:
        return chart
    return replace(chart, series={**{f"{findings.title}, {n}": s for n, s in chart.series.items()}, **added})
