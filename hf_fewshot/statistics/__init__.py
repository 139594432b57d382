"""What scores say beyond their value: spread over repeats, confidence intervals, paired comparisons."""

from hf_fewshot.statistics.comparisons import Comparison, compare
from hf_fewshot.statistics.intervals import has_no_width
from hf_fewshot.statistics.repeats import mean_and_std, median_model, summed_std
from hf_fewshot.statistics.summaries import Summary, summary

__all__ = [
    "Comparison",
    "Summary",
    "compare",
    "has_no_width",
    "mean_and_std",
    "median_model",
    "summary",
    "summed_std",
]
