"""Records as a page and plots: shows what records, published numbers and statistics hold, and nothing else."""

from hf_fewshot.report.files import write_csv, write_latex
from hf_fewshot.report.page import write_report
from hf_fewshot.report.plots import write_plots

__all__ = ["write_csv", "write_latex", "write_plots", "write_report"]
