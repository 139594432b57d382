"""Names of measures for readers, and scores in percent."""

from hf_fewshot.tables.plain import one_line

# In the order of the columns. Counts, rates per class and ends of intervals in `Record.scores` are no columns.
MEASURES = {
    "f1": "F1",
    "s1": "S1",
    "accuracy": "Accuracy",
    "precision": "Precision",
    "recall": "Recall",
    "intent_accuracy": "Intent accuracy",
    "slot_f1": "Slot F1",
    "slot_precision": "Slot precision",
    "slot_recall": "Slot recall",
    "sentence_accuracy": "Sentence accuracy",
    "nota_precision": "NOTA precision",
    "nota_recall": "NOTA recall",
}

# The error analysis of Few-NERD (Table 7 of its paper): lower is better.
ERRORS = {
    "fp_error": "False positive tokens",
    "fn_error": "False negative tokens",
    "within_error": "Wrong fine type",
    "outer_error": "Wrong coarse type",
}


def measure_label(name: str) -> str:
    """The name of a measure for readers."""
    return MEASURES.get(name) or ERRORS.get(name) or one_line(name.replace("_", " "))


def percent(fraction: float) -> float:
    """A score from 0 to 1 in percent."""
    return 100 * fraction


def shown(value: float | None, digits: int = 2) -> str:
    """A number as tables show it; nothing where there is none. Minus is a minus sign, and zero has no sign."""
    if value is None:
        return ""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")
