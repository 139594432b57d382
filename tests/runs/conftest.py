"""Runs on sample data, and records made by hand."""

from collections.abc import Callable

import pytest

from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run
from tests.runs import records
from tests.runs.fewrel import FEWREL


@pytest.fixture
def make_record() -> Callable[..., Record]:
    """A record with a score of 0.5 over two episodes; any field can be given."""
    return records.make_record


@pytest.fixture
def relation_run(encoder) -> Callable[..., Run]:
    """A run on sample data of FewRel."""

    def make(method: str = "proto", **changes) -> Run:
        fields = {"data": FEWREL, "split": "validation", "model": str(encoder)} | changes
        return Run("fewrel", method, **fields)

    return make
