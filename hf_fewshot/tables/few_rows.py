"""What a small test set can tell, in words."""

from collections.abc import Sequence

from hf_fewshot.tables.measures import percent
from hf_fewshot.tables.settings import Setting

# Points between the ends of an interval from which on it is worth a sentence.
WIDE = 5


def few_rows(setting: Setting) -> str:
    """How wide intervals are on data of one's own, and what that means; nothing where they are narrow."""
    records = setting.records
    if not setting.is_own or records[0].unit != "question":
        return ""
    found = [system.summary for system in setting.systems]
    widths = [percent(one.high - one.low) for one in found if one.low is not None and one.high is not None]
    if not widths or max(widths) < WIDE:
        return ""
    return (
        f"{_span([record.episodes['n_queries'] for record in records])} test rows: the interval is "
        f"{_span([round(width) for width in widths])} points wide. Differences below that say little, unless a paired "
        "comparison on the same rows shows them."
    )


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
