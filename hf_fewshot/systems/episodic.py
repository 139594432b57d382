"""Episodic methods as systems: an encoder and a method, as they are or trained on episodes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, field, fields, make_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import torch
from transformers import PreTrainedTokenizerBase

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.encoding.vectors import evaluating, fingerprint
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.part import Part
from hf_fewshot.files.option_types import option_types
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.registry import method_class, resolve
from hf_fewshot.systems.engine import Worker, deal_out
from hf_fewshot.systems.episode_runner import EpisodeRunner
from hf_fewshot.systems.first_data import first_data
from hf_fewshot.systems.joint_runner import JointRunner
from hf_fewshot.systems.network_options import JointNetworkOptions, NetworkOptions, network_options
from hf_fewshot.systems.piece_runner import PieceRunner
from hf_fewshot.systems.runner import Runner
from hf_fewshot.systems.support_tuning import SupportTuning, TunedRunner
from hf_fewshot.systems.system import EPISODES, Asked, Predictions, Setup, System, TrainedBy
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import task_of

VECTORS = "vectors"  # beside the folders of runs; safe to delete
OPTIONS: dict[type, type] = {FewShotModel: NetworkOptions, JointModel: JointNetworkOptions}
TRAINED: dict[type, TrainedBy] = {
    FewShotModel: TrainedBy(
        "hf_fewshot.trainers.episodic_trainer:EpisodicTrainer",
        "hf_fewshot.trainers.episodic_trainer:EpisodicTrainingArguments",
        validated_on=EPISODES,
    ),
    JointModel: TrainedBy(
        "hf_fewshot.trainers.joint_trainer:JointTrainer",
        "hf_fewshot.trainers.joint_trainer:JointTrainingArguments",
        validated_on=EPISODES,
        pretrainer="hf_fewshot.trainers.joint_pretrainer:JointPretrainer",
        pretraining_arguments="hf_fewshot.trainers.joint_pretrainer:JointPretrainingArguments",
    ),
}


def model_class(method: str) -> Any:
    """The class of model that a method works in."""
    return resolve(method_class(method).model)


def _by_kind(table: Mapping[type, Any], model: type) -> Any:
    """What a table says of a class of model or of its parent."""
    for kind, found in table.items():
        if issubclass(model, kind):
            return found
    known = " or ".join(kind.__name__ for kind in table)
    raise TypeError(f"Expected a method of a {known}, or of a subclass of them, got one of a {model.__name__}.")


@cache
def _options(method: type, model: type) -> type:
    return network_options(own_options(_by_kind(OPTIONS, model), model), method)


def own_options(base: type, model: Any) -> type:
    """The options of a kind of model, and those that a subclass of one's own adds to its configuration."""
    types = option_types(model.config_class)
    known = {one.name for one in fields(base)}
    added: list[Any] = [
        (name, types[name], field(default=getattr(model.config_class, name), kw_only=True))
        for name in model.config_class.OWN_OPTIONS
        if name not in known
    ]
    return make_dataclass(f"{model.__name__}Options", added, bases=(base,), frozen=True) if added else base


def require_support(asked: Asked) -> None:
    """Refuses what has no support sets to compare with."""
    if not asked.config.makes_episodes:
        raise ValueError(
            f"Method {asked.name!r} compares queries with a support set, but {asked.benchmark.NAME}/"
            f"{asked.config.name} makes no episodes with these options. Say of which size they are to be, such as "
            "n_way and shots, or take a method that is trained on examples."
        )


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
        return _options(method_class(name), model_class(name))

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return _by_kind(TRAINED, model_class(name))

    @classmethod
    def check(cls, asked: Asked) -> None:
        require_support(asked)

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
        model, tokenizer = _ready(work, name, method, options)
        # Runs with the same encoder share the vectors; those of a trained one are used once.
        shared = work.training is None and tuning is None
        return cls(
            model,
            tokenizer,
            tuning=tuning,
            cache_dir=work.folder.parent / VECTORS if shared else None,
        )

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        outcome = deal_out(EpisodeWorker(self, episodes, setup), setup)
        return [outcome.rows[part.index]["predictions"] for part in outcome.parts]


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


def _ready(work: Work, name: str, method: str, options: dict[str, Any]) -> tuple[Any, Any]:
    """A model and its tokenizer: as they are, begun with data, or trained."""
    kind = model_class(method)

    def start() -> tuple[Any, Any]:
        return kind.from_encoder(work.model, method, **options)

    plan = work.training
    if plan is None:
        # A method may have weights of its own: they are the run's, whatever was run before in this process.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(work.seed)
            model, tokenizer = start()
        if method_class(method).begins_with_data():
            model.method.begin(first_data(work, model, tokenizer))
        return model, tokenizer
    data = {**work.data.options, **plan.data}
    what = {"method": method, "options": options, "data": {k: v for k, v in data.items() if k not in DRAWS}}
    episodes = work.data.training_episodes(**plan.data)
    validation = None if plan.validation is None else work.data.validation_episodes(**plan.validation)
    return trained(
        work,
        name,
        what,
        lambda folder: (kind.from_pretrained(folder), load_tokenizer(folder)),
        lambda checkpoints: _train(work, kind, *start(), episodes, validation, checkpoints),
    )


def _train(
    work: Work,
    kind: Any,
    model: Any,
    tokenizer: Any,
    episodes: EpisodeSet,
    validation: EpisodeSet | None,
    checkpoints: Path,
) -> tuple[Any, Any]:
    by, plan = _by_kind(TRAINED, kind), work.training
    assert plan is not None
    if plan.pretraining is not None and by.pretrainer is not None and by.pretraining_arguments is not None:
        first = arguments(
            work, by.pretraining_arguments, checkpoints / "pretraining", plan.pretraining, save_strategy="no"
        )
        pretrainer = resolve(by.pretrainer)
        train_to_end(pretrainer(model, first, processing_class=tokenizer, train_dataset=episodes.examples))
        if not plan.arguments:
            return model, tokenizer
    given = plan.arguments
    if validation is not None:
        # Checkpoints are chosen among those that were evaluated.
        when = given.get("eval_strategy", "steps")
        given = {"eval_strategy": when, "save_strategy": when, "load_best_model_at_end": True, **given}
    chosen = arguments(work, by.arguments, checkpoints, given)
    train_to_end(
        resolve(by.trainer)(model, chosen, processing_class=tokenizer, train_dataset=episodes, eval_dataset=validation)
    )
    return model, tokenizer
