"""A small study that is served."""

from contextlib import contextmanager

import pytest

from tests.running_study import running_study
from tests.small_study import text_file, text_plan


@pytest.fixture
def served(tmp_path):
    """Serves the texts in a folder of the test; again and again in the same one."""

    @contextmanager
    def serve(folder="study", key=None, **changes):
        source = {"data_dir": str(text_file(tmp_path))}
        with running_study(tmp_path / folder, text_plan(**changes), key=key, source=source) as running:
            yield running

    return serve
