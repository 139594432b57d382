"""Confidence intervals as text."""

from hf_fewshot.statistics import Comparison, Summary
from hf_fewshot.tables.measures import percent, shown


def interval_text(found: Summary | Comparison, units: str) -> str:
    """The interval in percent; nothing where there is none, and words where it says nothing.

    Args:
        found: whose interval it is.
        units: what was drawn, such as "episodes".
    """
    if found.low is None or found.high is None:
        return ""
    if found.says_nothing:
        return f"none: {reason_for_no_interval(found.n_units, units)}"
    return f"{shown(percent(found.low))} to {shown(percent(found.high))}"


def reason_for_no_interval(n_units: int, units: str) -> str:
    """Why there is no interval to speak of."""
    return f"all {n_units} {units} alike"
