"""Records side by side: settings, tables and overviews, as Markdown too."""

from hf_fewshot.tables.markdown import markdown_page, markdown_tables

__all__ = ["markdown_page", "markdown_tables"]
