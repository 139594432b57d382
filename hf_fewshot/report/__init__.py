"""Records as a page, plots and tables: shows what records, published numbers and statistics hold, and nothing else."""

from hf_fewshot.report.page import write_report
from hf_fewshot.report.plots import write_plots
from hf_fewshot.tables.markdown import markdown_page, markdown_tables

__all__ = ["markdown_page", "markdown_tables", "write_plots", "write_report"]
