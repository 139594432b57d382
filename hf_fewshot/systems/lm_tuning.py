"""Tuning of a language model as a system: it learns the answers to the prompts of a support set, or of a fold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from datasets import Dataset

from hf_fewshot.adapters.answered_prompts import AnsweredPrompt, answered_prompts
from hf_fewshot.adapters.lora import Lora, load_adapter, require_peft, save_adapter, with_adapter
from hf_fewshot.adapters.tuned_lm import TunedLM
from hf_fewshot.adapters.tuning import AdapterTuning, Tuner
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.part import Part
from hf_fewshot.in_context.asking import Asking
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.in_context.prompt_format import PromptFormat, load_format
from hf_fewshot.in_context.prompt_tokens import PromptTokens
from hf_fewshot.in_context.requests import Requests
from hf_fewshot.in_context.tasks import TaskPrompts
from hf_fewshot.registry import resolve
from hf_fewshot.systems.episodic import require_support
from hf_fewshot.systems.in_context import InContextSystem, usual_format
from hf_fewshot.systems.prompt_worker import PromptWorker
from hf_fewshot.systems.system import TUNED, Asked, Setup, TrainedBy
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.training_plan import trainer_arguments
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import task_of

TRAINER = "hf_fewshot.trainers.lm_trainer"
# What a trained adapter depends on; the other options are about how it is asked.
OF_TRAINING = ("format", "system", "chat", "demonstrations", "lora")


@dataclass(frozen=True)
class LmTuningOptions:
    """How a language model is tuned and asked.

    Args:
        format: a prompt format by name, or a YAML file of one's own; none: that of the task.
        system: a system message; none: that of the format.
        labels: "likelihood": the most likely label is the answer; "written": the model writes it; none: by likelihood.
        calibration: "none", or "content_free": compare with queries without content (Zhao et al. 2021).
        per_token: compare log-likelihoods per token.
        nota: offer none of the above as a label; none: where the episodes have it.
        chat: use the model's chat template.
        max_new_tokens: of a written answer; none: as many as the format says.
        demonstrations: show the examples before each query, and all others before each example that is learned.
        lora: rank and what else is said of the adapter (see `hf_fewshot.adapters.lora.Lora`); none: what is usual.
        tuning: epochs, rate and batch size on each support set (see `hf_fewshot.adapters.tuning.AdapterTuning`); of a
            benchmark with folds, `training` says them instead.
    """

    format: str | None = None
    system: str | None = None
    labels: str | None = None
    calibration: str = "none"
    per_token: bool = False
    nota: bool | None = None
    chat: bool = False
    max_new_tokens: int | None = None
    demonstrations: bool = False
    lora: Lora | None = None
    tuning: AdapterTuning | None = None

    def __post_init__(self) -> None:
        Asking(**self.asking)

    @property
    def asking(self) -> dict[str, Any]:
        """The options that in-context learning has as well, with the same meaning."""
        own = ("demonstrations", "lora", "tuning")
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name not in own}


class LmTuningSystem(InContextSystem):
    """Asks a tuned language model as in-context learning would; see there for `asking`.

    Args:
        backend: the tuned model; or one with a new adapter, which is tuned on the support set of each episode.
        prompt_format: a format, its name, or the path of a YAML file.
        tuner: of the backend's adapter; None: it is tuned already.
    """

    zero_shot = False
    Options = LmTuningOptions
    version = 1
    keeps = "predicted"

    def __init__(
        self, backend: TunedLM, prompt_format: PromptFormat | str | Path, *, tuner: Tuner | None = None, **asking: Any
    ) -> None:
        super().__init__(backend, prompt_format, **asking)
        self.tuned = backend
        self.tuner = tuner

    @classmethod
    def way_of_learning(cls, options: Mapping[str, Any], is_trained: bool) -> str:
        return TUNED

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return TrainedBy(f"{TRAINER}:LmTrainer", f"{TRAINER}:LmTrainingArguments")

    @classmethod
    def check(cls, asked: Asked) -> None:
        super().check(asked)
        if asked.benchmark.HAS_FOLDS:
            if asked.options.tuning is not None:
                raise ValueError(
                    f"tuning is of support sets, but {asked.benchmark.NAME} is trained on a fold. Say it as training, "
                    "such as training={'num_train_epochs': 10, 'learning_rate': 5e-4}."
                )
            return
        require_support(asked)
        if asked.training is not None:
            raise ValueError(
                f"Method {asked.name!r} is tuned on the support sets of {asked.benchmark.NAME}, but got a training. "
                "Say it as an option, such as tuning={'epochs': 10, 'learning_rate': 5e-4}."
            )

    @classmethod
    def fit(cls, work: Work) -> Self:
        require_peft()
        options: LmTuningOptions = work.options
        form = load_format(options.format or usual_format(work.data.task, work.data.benchmark, work.data.config_name))
        asked = {"chat": options.chat, "demonstrations": options.demonstrations}
        if work.data.has_folds:
            model, tokenizer = _trained_on_fold(work, Asking(**options.asking).changed(form))
            return cls(TunedLM(model, tokenizer, **asked), form, **options.asking)
        base = CausalLM.from_pretrained(work.model)
        model = with_adapter(base.model, options.lora or Lora(), seed=work.seed).get_base_model()
        tuner = Tuner(model, base.tokenizer, options.tuning or AdapterTuning(), work.seed)
        return cls(TunedLM(model, base.tokenizer, **asked), form, tuner=tuner, **options.asking)

    def worker(self, episodes: EpisodeSet, setup: Setup) -> PromptWorker:
        plain = super().worker(episodes, setup)
        if self.tuner is None:
            return plain
        return TuningWorker(self.tuner, plain.requests, self.tuned, episodes, plain.asked, setup)


class TuningWorker(PromptWorker):
    """Tunes the adapter on the support set of one episode after the other, and asks its queries."""

    bar = ("tune and ask", "query")

    def __init__(
        self,
        tuner: Tuner,
        requests: Requests,
        backend: TunedLM,
        episodes: EpisodeSet,
        asked: dict[str, Any],
        setup: Setup,
    ) -> None:
        tuned = {"method": "lm_tuning", "tuning": asdict(tuner.tuning), "tuning_seed": tuner.seed}
        super().__init__(requests, backend, episodes, {**asked, **tuned}, setup)
        self.tuner = tuner
        self.tuned = backend

    def batches(self, todo: Sequence[Part]) -> list[Sequence[Part]]:
        return [list(own) for _, own in groupby(todo, key=attrgetter("number"))]

    def rows(self, batches: Sequence[Sequence[Part]]) -> Iterator[list[dict[str, Any]]]:
        for batch in batches:
            number = batch[0].number
            task = self.requests.task(number)
            self.tuner.learn(_answered(task, self.tuned))
            # What the model has computed of a prefix is no longer true.
            self.tuned.prepare(self.accelerator.device)
            yield [self.requests.row(part) for part in batch]


def _trained_on_fold(work: Work, prompt_format: PromptFormat) -> tuple[Any, Any]:
    """A model with the adapter of the run's fold merged into it, and its tokenizer."""
    rows = work.data.train_rows()
    given = {name: value for name, value in work.given.items() if name in OF_TRAINING}
    what = {"method": work.name, "options": given, "data": dict(work.data.options)}

    def load(folder: Path) -> tuple[Any, Any]:
        base = CausalLM.from_pretrained(work.model)
        return load_adapter(base.model, folder), base.tokenizer

    def save(model: Any, folder: Path) -> None:
        save_adapter(model, folder, str(work.model_name))

    return trained(work, "model", what, load, lambda place: _train(work, rows, prompt_format, place), save)


def _train(work: Work, rows: Dataset, prompt_format: PromptFormat, checkpoints: Path) -> tuple[Any, Any]:
    options: LmTuningOptions = work.options
    base = TunedLM.from_pretrained(work.model, chat=options.chat, demonstrations=options.demonstrations)
    support = [{"id": str(number), **row} for number, row in enumerate(rows)]
    kind = task_of(work.data.task)
    classes = kind.classes_in(support) if kind.class_columns else ()
    prompts = _answered(TaskPrompts(prompt_format, Episode(classes, (), ()), support), base)
    model = with_adapter(base.model, options.lora or Lora(), seed=work.seed)
    by = LmTuningSystem.trained_by(work.name)
    assert by is not None
    own = arguments(work, by.arguments, checkpoints, trainer_arguments(by, work.training))
    train_to_end(
        work, resolve(by.trainer)(model=model, args=own, processing_class=base.tokenizer, train_dataset=prompts)
    )
    return model, base.tokenizer


def _answered(task: TaskPrompts, backend: TunedLM) -> list[AnsweredPrompt]:
    tokens = PromptTokens(backend.tokenizer, chat=backend.chat)
    return answered_prompts(task.prompts, tokens, max_length=backend.max_length, demonstrations=backend.demonstrations)
