"""Table 1 of Few-Shot TACRED (Sabo et al., 2021): instances before and after the transformation."""

from collections.abc import Sequence

import numpy as np

from hf_fewshot.analyses.charts import Chart
from hf_fewshot.analyses.data_statistics import Splits
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.dataset_scripts.fs_tacred.relations import NO_RELATION

COLUMNS = {"before": "original_relation", "after": "relation"}


def statistics(found: Sequence[Splits]) -> tuple[list[Sheet], list[Chart]]:
    """Instances with a relation, and the share of the others."""
    (splits,) = found
    rows: list[list[Cell]] = []
    for when, column in COLUMNS.items():
        for split, table in splits.examples.items():
            labels = np.array(table[column])
            related = labels[labels != NO_RELATION]
            share = 100 * (1 - len(related) / len(labels))
            rows.append([when, split, len(labels), len(related), len(np.unique(related)), share])
    heads = ["transformation", "split", "instances", "with a relation", "relations", "NOTA (%)"]
    return [Sheet.of("Instances (Table 1)", heads, rows)], []
