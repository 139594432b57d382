"""Charts of findings as plots."""

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any

from hf_fewshot.analyses.charts import BarChart, Chart, Histogram, RankChart, RingChart, SimilarityChart
from hf_fewshot.analyses.findings import Cell, Findings
from hf_fewshot.report.rank_lines import RankLines
from hf_fewshot.report.rings import Rings
from hf_fewshot.report.section_bars import SectionBars
from hf_fewshot.report.similarity_map import SimilarityMap
from hf_fewshot.report.step_histogram import StepHistogram
from hf_fewshot.report.theme import Plot

_DRAWN: dict[type[Chart], Callable[[Any], Any]] = {
    BarChart: SectionBars,
    RingChart: Rings,
    RankChart: RankLines,
    Histogram: StepHistogram,
    SimilarityChart: SimilarityMap,
}


def findings_plots(findings: Findings) -> list[Plot]:
    """A plot of each chart."""
    plots = []
    for number, chart in enumerate(findings.charts):
        drawn = _DRAWN[type(chart)](chart)
        readable = re.sub(r"[^\w=.+-]+", "-", f"{findings.title}_{chart.title}")[:120].strip("-")
        digest = hashlib.sha256(repr([findings.benchmark, findings.title, number, chart.title]).encode()).hexdigest()
        name = f"{readable.encode()[:200].decode(errors='ignore')}_{digest[:6]}"
        title = f"{chart.title}: {findings.title}"
        plots.append(Plot(name, title, chart.title, drawn.description, drawn.size, drawn.paint))
    return plots


def cell_text(cell: Cell) -> str:
    """A cell of a table as it is shown: whole numbers with commas, others with two places, small ones with digits."""
    if cell is None:
        return ""
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.2f}" if cell == 0 or abs(cell) >= 0.01 else f"{cell:.1g}"
    return cell


def numeric_columns(rows: Iterable[Iterable[Cell]], n_columns: int) -> list[bool]:
    """Which columns of a table have numbers and nothing else."""
    listed = [list(row) for row in rows]
    return [
        any(isinstance(row[place], int | float) for row in listed)
        and all(row[place] is None or isinstance(row[place], int | float) for row in listed)
        for place in range(n_columns)
    ]
