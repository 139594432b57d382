"""Networks of an encoder and a method: their kinds, and how one is made ready."""

from collections.abc import Mapping
from dataclasses import field, fields, make_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.files.option_types import option_types
from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.methods.training_data import TrainingData
from hf_fewshot.models.encoder_model import check_positions
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.method_model import DEFAULT_LENGTH
from hf_fewshot.registry import method_class, resolve
from hf_fewshot.systems.model_outline import outline
from hf_fewshot.systems.network_options import JointNetworkOptions, NetworkOptions, network_options
from hf_fewshot.systems.system import EPISODES, Asked, TrainedBy
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.training_plan import trainer_arguments
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import task_of

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
def options_of(method: type, model: type) -> type:
    """The options of a network: those of its class of model, and those of its method."""
    return network_options(own_options(_by_kind(OPTIONS, model), model), method)


def trained_by(model: type) -> TrainedBy:
    """By what a class of model is trained."""
    return _by_kind(TRAINED, model)


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


def check_encoder(asked: Asked, folder: Path) -> None:
    """Refuses an encoder with fewer layers or positions than a network of these options needs."""
    encoder, options = outline(AutoModel, folder, "an encoder"), asked.options
    length = options.max_length
    read_as = options.representation or next(iter(task_of(asked.benchmark.TASK).representations), None)
    if length is None and read_as != "sentence":  # of whole texts it is one that fits
        length = DEFAULT_LENGTH
    if length is not None:
        check_positions(encoder, length)
    depth = getattr(encoder.config, "num_hidden_layers", options.layers)
    if options.layers > depth:
        raise ValueError(f"layers={options.layers}, but the encoder has {depth} layers to add up. Lower it.")
    groups = asked.training.arguments.get("unfreezing_groups") if asked.training is not None else None
    if groups:
        resolve("hf_fewshot.trainers.unfreezing:layer_groups")(encoder, groups)


def ready_network(
    work: Work, name: str, method: str, options: dict[str, Any], *, frozen: bool = False
) -> tuple[Any, Any]:
    """A model and its tokenizer: as they are, begun with data, or trained.

    `frozen` says that nobody will change the weights: without training, runs of one process then share the encoder.
    """
    kind = model_class(method)

    def start() -> tuple[Any, Any]:
        shared = {"shared": True} if frozen and work.training is None else {}
        return kind.from_encoder(work.model, method, **options, **shared)

    plan = work.training
    if plan is None:
        # A method may have weights of its own: they are the run's, whatever was run before in this process.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(work.seed)
            model, tokenizer = start()
        if method_class(method).begins_with_data():
            given = _released(work)
            rows = work.data.rows("train") if given is None else given.examples
            examples = TrainingData(
                rows, model, tokenizer, work.seed, work.accelerator, given, nota_class=work.data.nota_class
            )
            model.method.begin(examples)
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


def _released(work: Work) -> EpisodeSet | None:
    """The released training episodes, where those that are predicted are released too."""
    if not work.data.trains_on_released:
        return None
    try:
        return work.data.training_episodes()
    except RawFilesNotFoundError as error:
        raise RawFilesNotFoundError(
            f"Method {work.name!r} begins with the released training episodes. {error} To begin with the sentences of "
            'the train split, sample the episodes from them: episodes="sampled".'
        ) from error


def _train(
    work: Work,
    kind: Any,
    model: Any,
    tokenizer: Any,
    episodes: EpisodeSet,
    validation: EpisodeSet | None,
    checkpoints: Path,
) -> tuple[Any, Any]:
    by, plan = trained_by(kind), work.training
    assert plan is not None
    if plan.pretraining is not None and by.pretrainer is not None and by.pretraining_arguments is not None:
        first = arguments(
            work, by.pretraining_arguments, checkpoints / "pretraining", plan.pretraining, save_strategy="no"
        )
        pretrainer = resolve(by.pretrainer)
        train_to_end(work, pretrainer(model, first, processing_class=tokenizer, train_dataset=episodes.examples))
        if not plan.arguments:
            return model, tokenizer
    chosen = arguments(work, by.arguments, checkpoints, trainer_arguments(by, plan))
    trainer = resolve(by.trainer)
    train_to_end(
        work,
        trainer(model, chosen, processing_class=tokenizer, train_dataset=episodes, eval_dataset=validation),
    )
    return model, tokenizer
