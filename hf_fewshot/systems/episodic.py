"""Episodic methods as systems: an encoder and a method, as they are or trained on episodes."""

from pathlib import Path
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.registry import METHODS, resolve
from hf_fewshot.runs.run import DRAWS
from hf_fewshot.systems.engine import predict_episodes
from hf_fewshot.systems.initialisation import BEGIN_WITH_DATA, initialise_from_data
from hf_fewshot.systems.joint_runner import merge_parts
from hf_fewshot.systems.support_tuning import SupportTuning
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import task_of

TRAINERS = {
    FewShotModel: ("hf_fewshot.trainers.episodic_trainer", "EpisodicTrainer", "EpisodicTrainingArguments"),
    JointModel: ("hf_fewshot.trainers.joint_trainer", "JointTrainer", "JointTrainingArguments"),
}
MODELS = {kind.__name__: kind for kind in TRAINERS}
VECTORS = "vectors"  # beside the folders of runs; safe to delete
PRETRAINER = ("hf_fewshot.trainers.joint_pretrainer", "JointPretrainer", "JointPretrainingArguments")


def predict(work: Work) -> list[list[Any]]:
    """Predictions of one network."""
    return _network_predictions(work, "model", work.run.method)


def predict_separately(work: Work) -> list[list[Any]]:
    """SepProto: one network for intents, one for slots."""
    parts = [_network_predictions(work, f"model-{part}", "joint_proto", part=part) for part in ("intent", "slots")]
    return merge_parts(*parts)


def _network_predictions(work: Work, name: str, method: str, **fixed: Any) -> list[list[Any]]:
    options = {**work.run.options, **fixed}
    tuning = options.pop("tuning", None)
    model, tokenizer = _network(work, name, method, options)
    episodes = work.data.episodes
    with work.timed("predict"):
        return predict_episodes(
            model,
            tokenizer,
            episodes,
            output_dir=work.folder / f"predicted-{name}-{work.read_so_far}",
            # Runs with the same encoder share the vectors; those of a trained one are used once.
            cache_dir=work.folder.parent / VECTORS if work.run.training is None and tuning is None else None,
            accelerator=work.accelerator,
            tuning=None if tuning is None else SupportTuning(**tuning),
            progress=work.progress,
        )


def _network(work: Work, name: str, method: str, options: dict[str, Any]) -> tuple[Any, Any]:
    of_method = resolve(METHODS[method])
    kind = MODELS[of_method.model]
    fitting = task_of(work.data.task).representations
    if fitting and of_method.representation == "any":
        options.setdefault("representation", fitting[0])

    def start() -> tuple[Any, Any]:
        return kind.from_encoder(work.model, method, **options)

    if work.run.training is None:
        model, tokenizer = start()
        if method in BEGIN_WITH_DATA:
            initialise_from_data(model, tokenizer, work.data.rows("train"), work.run.seed, work.accelerator)
        return model, tokenizer
    own, _ = work.training("data", "validation")
    data = {**work.run.data, **own.get("data", {})}
    what = {"method": method, "options": options, "data": {k: v for k, v in data.items() if k not in DRAWS}}
    episodes = work.data.training_episodes(**own.get("data", {}))
    validation = work.data.validation_episodes(**own["validation"]) if "validation" in own else None
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
    own, given = work.training("data", "validation", "pretraining")
    if "pretraining" in own:
        module, trainer, kind_of_arguments = PRETRAINER
        first = arguments(
            work, f"{module}:{kind_of_arguments}", checkpoints / "pretraining", own["pretraining"], save_strategy="no"
        )
        pretrainer = resolve(f"{module}:{trainer}")
        train_to_end(pretrainer(model, first, processing_class=tokenizer, train_dataset=episodes.examples))
        if not given:
            return model, tokenizer
    module, trainer, kind_of_arguments = TRAINERS[kind]
    if validation is not None:
        given = {"eval_strategy": "steps", "load_best_model_at_end": True, **given}
    chosen = arguments(work, f"{module}:{kind_of_arguments}", checkpoints, given)
    train_to_end(
        resolve(f"{module}:{trainer}")(
            model, chosen, processing_class=tokenizer, train_dataset=episodes, eval_dataset=validation
        )
    )
    return model, tokenizer
