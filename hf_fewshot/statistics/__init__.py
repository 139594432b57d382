"""What scores say beyond their value: spread over repeats, confidence intervals, paired comparisons."""

from hf_fewshot.statistics.comparisons import Comparison, compare
from hf_fewshot.statistics.intervals import has_no_width
from hf_fewshot.statistics.median_models import MedianComparison, MedianModel, compare_medians, median_of
from hf_fewshot.statistics.repeats import mean_and_std, median_model, summed_std
from hf_fewshot.statistics.summaries import Summary, summary

__all__ = [
    "Comparison",
    "MedianComparison",
    "MedianModel",
    "Summary",
    "compare",
    "compare_medians",
    "has_no_width",
    "mean_and_std",
    "median_model",
    "median_of",
    "summary",
    "summed_std",
]
