"""Records made by hand."""

from collections.abc import Callable

import pytest

from hf_fewshot.runs.record import Record
from tests.tables import records


@pytest.fixture(scope="session")
def make_record() -> Callable[..., Record]:
    """A record; any part of it can be given."""
    return records.make_record
