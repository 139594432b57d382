"""Models without dropout."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def evaluation_mode(model: Any) -> Iterator[None]:
    """The model without dropout; afterwards it is back in the mode it was in, whatever happened."""
    was_training = model.training
    model.train(False)
    try:
        yield
    finally:
        model.train(was_training)
