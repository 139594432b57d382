"""What scores say beyond their value: spread over repeats, confidence intervals, paired comparisons."""

from hf_fewshot.statistics.comparisons import Comparison, compare
from hf_fewshot.statistics.intervals import has_no_width
from hf_fewshot.statistics.paired import PairedTest, paired_bootstrap, paired_permutation, paired_t_test
from hf_fewshot.statistics.ratios import bootstrap_interval, ratio_of_sums
from hf_fewshot.statistics.repeats import mean_and_std, median_model, summed_std
from hf_fewshot.statistics.summaries import Summary, summary

__all__ = [
    "Comparison",
    "PairedTest",
    "Summary",
    "bootstrap_interval",
    "compare",
    "has_no_width",
    "mean_and_std",
    "median_model",
    "paired_bootstrap",
    "paired_permutation",
    "paired_t_test",
    "ratio_of_sums",
    "summary",
    "summed_std",
]
