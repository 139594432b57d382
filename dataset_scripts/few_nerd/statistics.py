"""Tables 2 and 3 and Figure 1 of Few-NERD (Ding et al., 2021), of any data in its formats."""

from collections.abc import Sequence

from hf_fewshot.analyses.charts import Chart, RingChart
from hf_fewshot.analyses.data_statistics import ALL, CONFIG, Splits, without_only_config
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.tasks.tags import by_coarse_type


def statistics(found: Sequence[Splits]) -> tuple[list[Sheet], list[Chart]]:
    """Coarse and fine types and how often each occurs."""
    rows: list[list[Cell]] = []
    charts: list[Chart] = []
    types: list[list[Cell]] = []
    named = list(dict.fromkeys(split for splits in found for split in splits.examples))
    for splits in found:
        by_split = {split: counts[0].totals for split, counts in splits.counts.items()}
        totals = splits.totals(0)
        for split, own in {**by_split, ALL: totals}.items():
            rows.append([splits.config, split, len(by_coarse_type(own)), len(own), sum(own.values())])
        grouped = by_coarse_type(totals)
        for name in (name for names in grouped.values() for name in names):
            types.append([splits.config, name, *(by_split.get(one, {}).get(name, 0) for one in named), totals[name]])
        counts = {coarse: {name: totals[name] for name in names} for coarse, names in grouped.items()}
        charts.append(RingChart(f"Entities of each type, {splits.config}", counts))
    heads = [CONFIG, "split", "coarse types", "fine types", "entities"]
    sheets = [
        Sheet.of("Types and entities (Tables 2 and 3)", heads, rows),
        Sheet.of("Entities of each type (Figure 1)", [CONFIG, "type", *named, ALL], types),
    ]
    return [without_only_config(sheet, found) for sheet in sheets], charts
