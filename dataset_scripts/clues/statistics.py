"""The rows of CLUES (Mukherjee et al., 2021) by task and split, and how many have no answer."""

from collections.abc import Sequence

import numpy as np

from hf_fewshot.analyses.charts import BarChart, Chart
from hf_fewshot.analyses.data_statistics import Splits
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.data.splits import TEST, TRAIN
from hf_fewshot.dataset_scripts.clues.clues import FOLDS, SHOTS
from hf_fewshot.files.sources import RawFilesNotFoundError


def statistics(found: Sequence[Splits]) -> tuple[list[Sheet], list[Chart]]:
    """Test rows, and the training rows of all shots and folds that are at hand."""
    rows: list[list[Cell]] = []
    bars: dict[str, float] = {}
    for splits in found:
        if TEST in splits.examples:
            answers = _answers(splits.examples[TEST]["answers"])
            rows.append([splits.config, TEST, 1, len(answers), *_shares(answers)])
            bars[splits.config] = _shares(answers)[0]
        if splits.data.options.get("all_rows") and TRAIN in splits.examples:
            answers = _answers(splits.examples[TRAIN]["answers"])
            rows.append([splits.config, f"{TRAIN}, all rows", 1, len(answers), *_shares(answers)])
        for shots in SHOTS:
            folds = [fold for number in FOLDS if (fold := _fold(splits, shots, number)) is not None]
            if folds:
                sizes = {len(fold) for fold in folds}
                size: Cell = sizes.pop() if len(sizes) == 1 else float(np.mean([len(fold) for fold in folds]))
                together = np.concatenate(folds)
                rows.append([splits.config, f"{TRAIN}, {shots} shots", len(folds), size, *_shares(together)])
    heads = ["task", "split", "folds", "rows", "without answer (%)", "answers of the others"]
    note = "Of training splits, rows of one fold and means over all folds."
    charts: list[Chart] = [BarChart("Test rows without an answer", "rows (%)", {"": bars})] if bars else []
    return [Sheet.of("Rows by task and split", heads, rows, note)], charts


def _fold(splits: Splits, shots: int, fold: int) -> np.ndarray | None:
    try:
        return _answers(splits.data.builder(shots=shots, fold=fold, all_rows=None).read_alone(TRAIN)["answers"])
    except RawFilesNotFoundError:
        return None


def _answers(column: Sequence[Sequence[str]]) -> np.ndarray:
    """How many answers each row has."""
    return np.array([len(answers) for answers in column], dtype=np.int64)


def _shares(answers: np.ndarray) -> tuple[float, float]:
    """The share of rows without answers in percent, and the mean number of answers of the others."""
    has_some = answers > 0
    return float(100 * (1 - has_some.mean())), float(answers[has_some].mean()) if has_some.any() else 0.0
