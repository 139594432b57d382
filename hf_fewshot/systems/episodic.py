"""Episodic methods as systems: an encoder and a method, as they are or trained on episodes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import torch
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.vectors import evaluating, fingerprint
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.part import Part
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.registry import method_class
from hf_fewshot.systems.engine import Worker, deal_out
from hf_fewshot.systems.episode_runner import EpisodeRunner
from hf_fewshot.systems.joint_runner import JointRunner
from hf_fewshot.systems.networks import check_encoder, model_class, options_of, ready_network, trained_by
from hf_fewshot.systems.own_parameters import check_own_parameters
from hf_fewshot.systems.piece_runner import PieceRunner
from hf_fewshot.systems.runner import Runner
from hf_fewshot.systems.support_tuning import SupportTuning, TunedRunner
from hf_fewshot.systems.system import Asked, Predictions, Setup, System, TrainedBy
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import task_of

VECTORS = "vectors"  # beside the folders of runs; safe to delete


def require_support(asked: Asked) -> None:
    """Refuses what has no support sets to compare with."""
    if not asked.config.makes_episodes:
        raise ValueError(
            f"Method {asked.name!r} compares queries with a support set, but {asked.benchmark.NAME}/"
            f"{asked.config.name} makes no episodes with these options. Say of which size they are to be, such as "
            "n_way and shots, or take a method that is trained on examples."
        )


def check_pretraining(asked: Asked) -> None:
    """Refuses a training on single utterances of what reads them in pairs."""
    pretrained = asked.training is not None and asked.training.pretraining is not None
    if pretrained and getattr(asked.options, "pairwise", False):
        raise ValueError("Pre-training on single utterances needs pairwise=False. Leave one of them out.")


class EpisodicSystem(System):
    """Predicts each episode from its support set, with one network.

    Args:
        model: a `FewShotModel` or `JointModel`.
        tokenizer: the model's.
        tuning: tune a joint model on the support set of each episode first.
        encode_once: encode every distinct example once before the episodes. Otherwise each episode encodes its own, as
            the original implementations do; methods that encode pairs always do.
        cache_dir: folder for vectors of examples (see `encode_examples`).
    """

    def __init__(
        self,
        model: Any,
        tokenizer: PreTrainedTokenizerBase,
        *,
        tuning: SupportTuning | None = None,
        encode_once: bool = True,
        cache_dir: str | Path | None = None,
    ) -> None:
        if tuning is not None and not isinstance(model, JointModel):
            raise ValueError(f"Tuning on support sets needs a JointModel, got a {type(model).__name__}.")
        self.model = model
        self.tokenizer = tokenizer
        self.tuning = tuning
        self.encode_once = encode_once
        self.cache_dir = cache_dir

    @classmethod
    def options(cls, name: str) -> type:
        return options_of(method_class(name), model_class(name))

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return trained_by(model_class(name))

    @classmethod
    def check(cls, asked: Asked) -> None:
        require_support(asked)
        check_pretraining(asked)
        check_own_parameters(asked, method_class(asked.name))

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        check_encoder(asked, folder)

    @classmethod
    def fit(cls, work: Work) -> Self:
        return cls.network(work, "model", work.name, work.given)

    @classmethod
    def network(cls, work: Work, name: str, method: str, given: Mapping[str, Any]) -> Self:
        """A network of a method with options; its model is linked from the run's folder by `name`."""
        options = {name: value for name, value in given.items() if name != "tuning"}
        tuning = getattr(work.options, "tuning", None)
        fitting = task_of(work.data.task).representations
        if fitting and method_class(method).representation == "any":
            options.setdefault("representation", fitting[0])
        model, tokenizer = ready_network(work, name, method, options, frozen=tuning is None)
        # Runs with the same encoder share the vectors; those of a trained one are used once.
        shared = work.training is None and tuning is None
        return cls(
            model,
            tokenizer,
            tuning=tuning,
            cache_dir=work.folder.parent / VECTORS if shared else None,
        )

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        return deal_out(EpisodeWorker(self, episodes, setup), setup).predictions(len(episodes))


class EpisodeWorker(Worker):
    """Predicts whole episodes, many at a time."""

    bar = ("predict", "episode")

    def __init__(self, system: EpisodicSystem, episodes: EpisodeSet, setup: Setup) -> None:
        self.system = system
        self.episodes = episodes
        self.setup = setup
        self.runner = self._runner()

    def _runner(self) -> EpisodeRunner:
        system, setup = self.system, self.setup
        given = (system.model, system.tokenizer, self.episodes, setup.accelerator, setup.progress)
        if system.tuning is not None:
            return TunedRunner(system.tuning, *given)
        if isinstance(system.model, JointModel):
            return JointRunner(*given)
        return (PieceRunner if system.model.method.by_piece else Runner)(*given)

    def parts(self) -> Iterable[Part]:
        return (Part(number, number) for number in range(len(self.episodes)))

    def identity(self) -> dict[str, Any]:
        model, config = self.system.model, self.system.model.config
        found = {"episodes": self.episodes.fingerprint, "n_episodes": len(self.episodes), "method": config.method}
        found["model"] = fingerprint(model, model, self.system.tokenizer)
        found["precision"] = self.setup.accelerator.mixed_precision
        # Options without weights change predictions too.
        found["options"] = {**(config.method_options or {})}
        found["options"] |= {name: getattr(config, name) for name in config.OWN_OPTIONS}
        if self.system.tuning is not None:
            found["tuning"] = asdict(self.system.tuning)
        return found

    def begin(self, todo: Sequence[Part]) -> None:
        if todo and self.system.encode_once and self.runner.encodes_once:
            # What is kept on disk is the same before and after an interruption: it must be found again.
            kept = self.system.cache_dir is not None or self.setup.accelerator.num_processes > 1
            numbers = range(len(self.episodes)) if kept else [part.number for part in todo]
            self.runner.encode_all(numbers, self.system.cache_dir)

    def batches(self, todo: Sequence[Part]) -> list[Sequence[Part]]:
        size = self.runner.episodes_per_batch
        return [todo[begin : begin + size] for begin in range(0, len(todo), size)]

    def conditions(self) -> ExitStack:
        stack = ExitStack()
        stack.enter_context(evaluating(self.system.model, self.setup.accelerator.device))
        stack.enter_context(torch.inference_mode())
        stack.enter_context(self.setup.accelerator.autocast())
        return stack

    def rows(self, batches: Sequence[Sequence[Part]]) -> Iterator[list[dict[str, Any]]]:
        ids = self.episodes.example_ids
        for batch in batches:
            drawn = [self.episodes[part.number] for part in batch]
            predicted = self.runner.predict(drawn)
            yield [
                {"index": part.index, "ids": [ids[row] for row in episode.query], "predictions": own}
                for part, episode, own in zip(batch, drawn, predicted, strict=True)
            ]
