"""Precision, recall and F1 from counts."""

from collections.abc import Sequence

import numpy as np

RATES_HELP = "precision, recall, f1 (float): between 0 and 1; a rate with nothing to divide by is 0."


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, and 0 where there is nothing to divide by, as conlleval does."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def rates(counts: np.ndarray) -> dict[str, np.ndarray]:
    """Rates of rows of counts (correct, predicted, gold). Shape (n, 3) -> three arrays of shape (n,)."""
    correct, predicted, gold = counts[:, :3].T
    return {
        "precision": ratio(correct, predicted),
        "recall": ratio(correct, gold),
        "f1": ratio(2 * correct, predicted + gold),
    }


def tally(correct: np.ndarray, predicted: np.ndarray, gold: np.ndarray, size: int) -> np.ndarray:
    """How often each of `size` codes is correct, predicted and gold. Shape (size, 3)."""
    return np.stack([np.bincount(codes, minlength=size) for codes in (correct, predicted, gold)], axis=1)


def numbers(counts: np.ndarray) -> dict[str, np.ndarray]:
    """The counts behind the rates of rows (correct, predicted, gold), named."""
    correct, predicted, gold = counts[:, :3].T
    return {"n_correct": correct, "n_predictions": predicted, "n_references": gold}


def numbered(counts: np.ndarray) -> dict[str, int]:
    """The counts behind the rates of one row."""
    return {name: int(values[0]) for name, values in numbers(counts[None]).items()}


def by_name(section: str, names: Sequence[str], counts: np.ndarray) -> dict[str, float]:
    """Flat results `<section>/<name>/<measure>` for each name with any prediction or reference, sorted by name."""
    table = {measure: values.tolist() for measure, values in rates(counts).items()}
    results: dict[str, float] = {}
    for name, row in sorted(zip(names, range(len(names)), strict=True)):
        if counts[row].any():
            results |= {f"{section}/{name}/{measure}": values[row] for measure, values in table.items()}
            results |= {f"{section}/{name}/{measure}": value for measure, value in numbered(counts[row]).items()}
    return results
