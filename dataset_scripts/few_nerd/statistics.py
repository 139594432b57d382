"""Tables 2 and 3 and Figure 1 of Few-NERD (Ding et al., 2021), of any data in its formats."""

from collections.abc import Sequence

from hf_fewshot.analyses.charts import Chart, RingChart
from hf_fewshot.analyses.data_statistics import ALL, Splits
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.tasks.tags import by_coarse_type


def statistics(found: Sequence[Splits]) -> tuple[list[Sheet], list[Chart]]:
    """Coarse and fine types and how often each occurs."""
    rows: list[list[Cell]] = []
    charts: list[Chart] = []
    types: list[list[Cell]] = []
    for splits in found:
        by_split = {split: counts[0].totals for split, counts in splits.counts.items()}
        totals = splits.totals(0)
        for split, own in {**by_split, ALL: totals}.items():
            rows.append([splits.config, split, len(by_coarse_type(own)), len(own), sum(own.values())])
        grouped = by_coarse_type(totals)
        for coarse, names in grouped.items():
            for name in names:
                types.append([splits.config, coarse, name, *(by_split[split].get(name, 0) for split in by_split)])
        counts = {coarse: {name: totals[name] for name in names} for coarse, names in grouped.items()}
        charts.append(RingChart(f"Entities of each type, {splits.config}", counts))
    splits_named = list(dict.fromkeys(split for splits in found for split in splits.examples))
    sheets = [
        Sheet.of("Types and entities (Tables 2 and 3)", ["configuration", "split", "coarse types", "fine types", "entities"], rows),
        Sheet.of("Entities of each type (Figure 1)", ["configuration", "coarse type", "type", *splits_named], types),
    ]
    return sheets, charts
