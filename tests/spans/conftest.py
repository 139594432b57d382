"""Tiny encoders for spans, and rows of each kind of task."""

from pathlib import Path

import pytest

from tests.models.conftest import WORDS, write_bert, write_roberta

SPAN_WORDS = [
    *WORDS,
    "who",
    "where",
    "?",
    "or",
    "positive",
    "negative",
    "entailment",
    "neutral",
    ",",
    "list",
    "people",
]
NAMES = {"id": "n", "question": "list people", "context": ["anna lives in paris . tom works at acme corp"]}


@pytest.fixture(scope="session")
def span_bert(tmp_path_factory) -> Path:
    """An uncased BERT that knows the words of the rows."""
    return write_bert(tmp_path_factory.mktemp("span_encoders") / "bert", SPAN_WORDS)


@pytest.fixture(scope="session")
def span_roberta(tmp_path_factory) -> Path:
    """A RoBERTa that knows the words of the rows."""
    return write_roberta(tmp_path_factory.mktemp("span_encoders") / "roberta", SPAN_WORDS)
