"""In-context learning as a system: a language model of this machine or behind an endpoint."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

from transformers import AutoModelForCausalLM

from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import has_none_of_the_above
from hf_fewshot.in_context.asking import Asking
from hf_fewshot.in_context.backend import Backend
from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.causal_lm import CausalLM, require_causal
from hf_fewshot.in_context.prompt_format import PromptFormat, format_names, load_format
from hf_fewshot.in_context.report import Report
from hf_fewshot.in_context.requests import Requests
from hf_fewshot.model_names import require_model
from hf_fewshot.systems.engine import deal_out
from hf_fewshot.systems.in_context_options import CANNOT_CALIBRATE, InContextOptions
from hf_fewshot.systems.model_outline import outline
from hf_fewshot.systems.prompt_worker import PromptWorker, unanswered
from hf_fewshot.systems.system import IN_CONTEXT, Asked, Predictions, Setup, System, count_parameters
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import task_of

logger = logging.getLogger(__name__)

CANNOT_SCORE = "labels='likelihood', but this backend cannot say how likely a label is. Use labels='written'."


class InContextSystem(System):
    """Answers every query after support examples of its episode as demonstrations.

    Where the answer is one label, the backend says how likely each is; what it cannot score it writes, and the text is
    read. An answer that cannot be read, or is refused, is counted and never right. If an endpoint left queries without
    an answer, that is an `EndpointError` in all processes: there are no scores of a part.

    Args:
        backend: the language model.
        prompt_format: a format, its name, or the path of a YAML file (see `load_format`).
        seed: of what is drawn.
        options: how it is asked, see `Asking`, such as `calibration="content_free"`, `demonstrations="bm25"`.

    Attributes:
        report: on how the last predictions came about.
    """

    zero_shot = True
    Options: ClassVar[type] = InContextOptions
    # Before, demonstrations and query were tokenized apart.
    version = 2
    keeps = "answered"

    def __init__(
        self, backend: Backend, prompt_format: PromptFormat | str | Path, *, seed: int = 0, **options: Any
    ) -> None:
        options.setdefault("nota", False)
        self.backend = backend
        self.asking = Asking(**options)
        form = prompt_format if isinstance(prompt_format, PromptFormat) else load_format(prompt_format)
        self.format = self.asking.changed(form)
        self.seed = seed
        self.report = Report()
        if not backend.scores_options and self.asking.calibrated != Calibration():
            raise ValueError(CANNOT_CALIBRATE)
        if not backend.scores_options and self.asking.labels == "likelihood":
            raise ValueError(CANNOT_SCORE)

    @classmethod
    def way_of_learning(cls, options: Mapping[str, Any], is_trained: bool) -> str:
        return IN_CONTEXT

    @property
    def n_parameters(self) -> int | None:
        # A model behind an endpoint is nowhere near.
        return count_parameters([getattr(self.backend, "model", None)])

    @classmethod
    def check(cls, asked: Asked) -> None:
        task = asked.benchmark.TASK
        usual = usual_format(task, asked.benchmark.NAME, asked.config.name)
        chosen = Asking(**asked.options.asking).changed(load_format(asked.options.format or usual))
        if chosen.task != task:
            raise ValueError(
                f"The format is for task {chosen.task!r}, but {asked.benchmark.NAME} is of task {task!r}."
            )

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        require_causal(outline(AutoModelForCausalLM, folder, "a causal language model").config)

    @classmethod
    def fit(cls, work: Work) -> Self:
        options = work.options
        if options.encoder is not None:
            require_model(options.encoder, "encoder")  # before the language model is loaded, which takes long
        form = options.format or usual_format(work.data.task, work.data.benchmark, work.data.config_name)
        return cls(_backend(work, options), form, seed=work.seed, **options.asking)

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        if self.format.task != episodes.task:
            raise ValueError(
                f"The format is for task {self.format.task!r}, but the episodes are of task {episodes.task!r}."
            )
        outcome = deal_out(self.worker(episodes, setup), setup)
        missing = outcome.interruption or unanswered(outcome)
        if missing:
            remedy = "Answers that came are kept: the same command asks only for the missing ones."
            lost = "Give output_dir to keep the answers that come, and ask again."
            raise EndpointError(f"{missing} {remedy if setup.folder is not None else lost}")
        report = Report.of(outcome.answers)
        self.report = replace(report, cost=self.backend.cost(report.prompt_tokens, report.completion_tokens))
        self.counts = dict(self.report.counts)
        if self.report.trouble:
            logger.warning(f"In-context predictions: {self.report}. {self.report.examples}".rstrip())
        return outcome.predictions(len(episodes))

    def worker(self, episodes: EpisodeSet, setup: Setup) -> PromptWorker:
        """Who asks the queries of these episodes."""
        nota = self.asking.nota if self.asking.nota is not None else has_none_of_the_above(episodes)
        requests = Requests(self.backend, episodes, self.format, self.asking, nota, self.seed)
        asked = {"method": "in_context", "version": self.version, "format": self.format.fingerprint, "nota": nota}
        return PromptWorker(requests, self.backend, episodes, {**asked, **self.asking.decisive}, setup)


def usual_format(task: str, benchmark: str, config: str) -> str:
    """The name of the format of a benchmark's configuration, or of its task."""
    of_config = f"{benchmark}_{config}"
    return of_config if of_config in format_names() else task_of(task).prompt_format or task


def _backend(work: Work, options: InContextOptions) -> Backend:
    if not options.is_remote:
        return CausalLM.shared(work.model, chat=options.chat)
    reach = options.reach
    likelihoods = options.labels == "likelihood"
    return Endpoint(reach.pop("endpoint"), work.model_name, likelihoods=likelihoods, **reach, **options.thinking)
