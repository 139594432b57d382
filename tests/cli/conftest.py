"""The tiny encoder of tests/experiments."""

from tests.experiments.conftest import encoder

__all__ = ["encoder"]
