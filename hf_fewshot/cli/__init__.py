"""The command line: `hf-fewshot`. One file per command; heavy libraries are imported when a command runs."""

from hf_fewshot.cli.main import main, parser

__all__ = ["main", "parser"]
