"""A tiny encoder that knows the words of the sample data, and runs with it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hf_fewshot import load_episodes
from hf_fewshot.runs.run import Run
from tests.evaluation.conftest import free_port
from tests.models.conftest import joint_episodes, relation_episodes, tagging_episodes, text_episodes, write_bert

__all__ = ["free_port", "joint_episodes", "relation_episodes", "tagging_episodes", "text_episodes"]

FEWREL = {"n_way": 3, "shots": 1, "n_episodes": 6, "nota_rate": 0.5, "sample": True}


@pytest.fixture(scope="session")
def encoder(tmp_path_factory) -> Path:
    """A tiny BERT with the commonest words of FewRel's sample data."""
    rows = load_episodes("fewrel", split="validation", **FEWREL).examples["tokens"]
    words = [word for word, _ in Counter(word.lower() for row in rows for word in row).most_common(300)]
    return write_bert(tmp_path_factory.mktemp("encoders") / "sample", words)


@pytest.fixture
def relation_run(encoder) -> Callable[..., Run]:
    """A run on sample data of FewRel."""

    def make(method: str = "proto", **changes) -> Run:
        fields = {"data": FEWREL, "split": "validation", "model": str(encoder)} | changes
        return Run("fewrel", method, **fields)

    return make
