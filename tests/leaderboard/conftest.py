import pytest

from tests.tables import records


@pytest.fixture(scope="session")
def make_record():
    """A record; any part of it can be given."""
    return records.make_record
