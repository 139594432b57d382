"""Labelled data of one's own: lists, tables and files as rows of a task; texts as words."""

from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.labelled.reading import read_labelled

__all__ = ["LabelledError", "read_labelled"]
