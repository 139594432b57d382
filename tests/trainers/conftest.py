"""Sample episodes, and tiny encoders that know their words."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from hf_fewshot import load_episodes
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments
from tests.small_episodes import first
from tests.tiny_models import write_bert


@pytest.fixture(scope="session")
def relations() -> Callable[..., EpisodeSet]:
    """Sample episodes of FewRel with a third of the queries none of the relations: `relations("train")`."""

    def load(split: str, length: int = 40, **options: Any) -> EpisodeSet:
        chosen = {"n_way": 3, "shots": 1, "n_query": 2, "nota_rate": 0.3} | options
        return first(load_episodes("fewrel", sample=True, split=split, **chosen), length)

    return load


@pytest.fixture(scope="session")
def entities() -> Callable[..., EpisodeSet]:
    """Sample episodes of Few-NERD: `entities("train")`."""

    def load(split: str, length: int = 40) -> EpisodeSet:
        return first(load_episodes("few_nerd", "inter", sample=True, n_way=3, shots=1, split=split), length)

    return load


@pytest.fixture(scope="session")
def encoder(tmp_path_factory, relations, entities) -> Path:
    """A BERT of one layer with the common words of the samples in its vocabulary."""
    counts: Counter[str] = Counter()
    for episodes in (relations("train"), entities("train")):
        counts.update(word.lower() for words in episodes.examples["tokens"] for word in words)
    words = [word for word, count in counts.most_common(1500) if count > 1]
    return write_bert(tmp_path_factory.mktemp("encoder"), words, num_hidden_layers=1, hidden_size=32)


@pytest.fixture
def arguments(tmp_path) -> Callable[..., Any]:
    """Arguments for a short training on the CPU."""

    def make(kind: Any = EpisodicTrainingArguments, **options: Any) -> Any:
        chosen = {
            "output_dir": str(tmp_path / "out"),
            "max_steps": 6,
            "learning_rate": 1e-3,
            "per_device_train_batch_size": 2,
            "use_cpu": True,
            "report_to": "none",
            "disable_tqdm": True,
            "save_strategy": "no",
            "logging_steps": 1,
            "seed": 7,
        }
        return kind(**(chosen | options))

    return make


@pytest.fixture
def trainer(encoder, arguments) -> Callable[..., EpisodicTrainer]:
    """A trainer of a new model: `trainer("mnav", train_episodes, eval_episodes, max_steps=3)`."""

    def make(
        method: str,
        train: EpisodeSet | None,
        evaluation: EpisodeSet | None = None,
        *,
        model_options: dict[str, Any] | None = None,
        model: Any = None,
        **options: Any,
    ) -> EpisodicTrainer:
        torch.manual_seed(0)
        own, tokenizer = model or FewShotModel.from_encoder(
            encoder, method, **({"max_length": 80} | (model_options or {}))
        )
        return EpisodicTrainer(
            own, arguments(**options), processing_class=tokenizer, train_dataset=train, eval_dataset=evaluation
        )

    return make
