"""What became of the questions to a language model, and what they cost, in a line."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

# Counts of trouble, and how they are called.
TROUBLE = {
    "unparsed": "unparsed",
    "loosely_read": "read loosely",
    "unplaced": "entities not in their sentence",
    "refused": "refused",
    "too_long": "too long",
    "cut_off": "cut off",
    "cut_off_thinking": "cut off while thinking",
}


def answer_lines(records: Iterable[Any]) -> list[str]:
    """A line for each system that asked a language model, over all its records."""
    totals: dict[str, Counter[str]] = {}
    for record in records:
        if record.answers:
            totals.setdefault(record.run.system, Counter()).update(record.answers)
    return [f"{system}: {_told(counts)}" for system, counts in totals.items()]


def _told(counts: Counter[str]) -> str:
    n_queries = counts["n_queries"]
    trouble = [f"{counts[name]:,} {words}" for name, words in TROUBLE.items() if counts[name]]
    structured = [f"{counts['structured']:,} held to the schema"] if counts["structured"] else []
    thinking = f", {counts['reasoning_tokens']:,} of them thinking" if counts["reasoning_tokens"] else ""
    tokens = f"{counts['prompt_tokens']:,} prompt tokens, {counts['completion_tokens']:,} completion tokens{thinking}"
    cost = [f"cost {counts['cost']:.4g}"] if "cost" in counts else []
    answers = ", ".join([*structured, *(trouble or ["all read, none refused"])])
    return "; ".join([f"{n_queries:,} queries: {answers}", tokens, *cost])
