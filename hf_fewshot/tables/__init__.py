"""Records side by side: settings, tables and overviews, as Markdown too."""

from hf_fewshot.tables.markdown import markdown_page, markdown_tables
from hf_fewshot.tables.order import in_order

__all__ = ["in_order", "markdown_page", "markdown_tables"]
