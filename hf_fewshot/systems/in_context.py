"""In-context learning as a system: a language model of this machine or behind an endpoint."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from transformers import AutoModelForCausalLM

from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.endpoints.reach import Reach
from hf_fewshot.endpoints.thinking import Thinking
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.options import require_seed
from hf_fewshot.episodes.part import Part
from hf_fewshot.episodes.references import references
from hf_fewshot.in_context.backend import Backend
from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.causal_lm import CausalLM, require_causal
from hf_fewshot.in_context.prompt_format import PromptFormat, format_names, load_format
from hf_fewshot.in_context.report import Report
from hf_fewshot.in_context.requests import Requests
from hf_fewshot.systems.engine import Outcome, Worker, deal_out
from hf_fewshot.systems.model_outline import outline
from hf_fewshot.systems.system import Asked, Predictions, Setup, System
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import NOTA

logger = logging.getLogger(__name__)

CANNOT_CALIBRATE = "Calibration needs the likelihood of labels, which an endpoint does not give. Leave it out."


@dataclass(frozen=True)
class InContextOptions(Reach, Thinking):
    """How a language model is asked; how it is reached, if it is behind an endpoint, is in `Reach` and `Thinking`.

    Args:
        format: a prompt format by name, or a YAML file of one's own; none: that of the task.
        calibration: "none", or "content_free": compare with queries without content (Zhao et al. 2021).
        per_token: compare log-likelihoods per token.
        nota: offer none of the above as a label; none: where the episodes have it.
        shuffle_seed: put the demonstrations of each episode into random order; none: as they are.
        chat: use the chat template of a model of this machine.
    """

    format: str | None = None
    calibration: str = "none"
    per_token: bool = False
    nota: bool | None = None
    shuffle_seed: int | None = None
    chat: bool = False

    def __post_init__(self) -> None:
        Reach.__post_init__(self)
        Thinking.__post_init__(self)
        self.refuse_of_endpoint(Thinking)
        calibrated = Calibration(self.calibration, self.per_token) != Calibration()
        if self.format is not None:
            load_format(self.format)
        if self.shuffle_seed is not None:
            require_seed(self.shuffle_seed)
        if self.is_remote and calibrated:
            raise ValueError(CANNOT_CALIBRATE)
        if self.is_remote and self.chat:
            raise ValueError("chat=True is for a model of this machine; an endpoint has its own form. Leave it out.")


class InContextSystem(System):
    """Answers every query after the support set of its episode as demonstrations.

    Where the answer is one label, the backend says how likely each is; what it cannot score it generates, and the text
    is parsed strictly. An answer that cannot be parsed, or is refused, is counted and never right. If an endpoint left
    queries without an answer, that is an `EndpointError` in all processes: there are no scores of a part.

    Args:
        backend: the language model.
        prompt_format: a format, its name, or the path of a YAML file (see `load_format`).
        calibration: "none" or "content_free" (see `Calibration`).
        per_token: compare log-likelihoods per token.
        nota: offer none of the above as a label; None: where the episodes have it.
        shuffle_seed: put the demonstrations of each episode into random order; None: as they are.

    Attributes:
        report: on how the last predictions came about.
    """

    zero_shot = True
    Options = InContextOptions
    # Before, demonstrations and query were tokenized apart.
    version = 2
    keeps = "answered"

    def __init__(
        self,
        backend: Backend,
        prompt_format: PromptFormat | str | Path,
        *,
        calibration: str = "none",
        per_token: bool = False,
        nota: bool | None = False,
        shuffle_seed: int | None = None,
    ) -> None:
        self.backend = backend
        self.format = prompt_format if isinstance(prompt_format, PromptFormat) else load_format(prompt_format)
        self.calibration = Calibration(calibration, per_token)
        self.nota = nota
        self.shuffle_seed = shuffle_seed
        self.report = Report()
        if self.calibration != Calibration() and not backend.scores_options:
            raise ValueError(CANNOT_CALIBRATE)

    @classmethod
    def check(cls, asked: Asked) -> None:
        task = asked.benchmark.TASK
        chosen = load_format(asked.options.format or _usual_format(task, asked.benchmark.NAME, asked.config.name))
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
        return cls(
            _backend(work, options),
            options.format or _usual_format(work.data.task, work.data.benchmark, work.data.config_name),
            calibration=options.calibration,
            per_token=options.per_token,
            nota=options.nota,
            shuffle_seed=options.shuffle_seed,
        )

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        if self.format.task != episodes.task:
            raise ValueError(
                f"The format is for task {self.format.task!r}, but the episodes are of task {episodes.task!r}."
            )
        outcome = deal_out(PromptWorker(self, episodes, setup), setup)
        missing = outcome.interruption or _unanswered(outcome)
        if missing:
            remedy = "Answers that came are kept: the same command asks only for the missing ones."
            lost = "Give output_dir to keep the answers that come, and ask again."
            raise EndpointError(f"{missing} {remedy if setup.folder is not None else lost}")
        rows = [outcome.rows[part.index] for part in outcome.parts]
        report = Report.of(answer for row in rows for answer in row["answers"])
        self.report = replace(report, cost=self.backend.cost(report.prompt_tokens, report.completion_tokens))
        self.counts = dict(self.report.counts)
        if self.report.trouble:
            logger.warning(f"In-context predictions: {self.report}")
        predictions: Predictions = [[] for _ in range(len(episodes))]
        for part, row in zip(outcome.parts, rows, strict=True):
            predictions[part.number] += row["predictions"]
        return predictions


class PromptWorker(Worker):
    """Asks for some queries of an episode at a time."""

    bar = ("in context", "query")
    interrupted_by = (EndpointError,)

    def __init__(self, system: InContextSystem, episodes: EpisodeSet, setup: Setup) -> None:
        self.system = system
        self.episodes = episodes
        self.accelerator = setup.accelerator
        self.nota = system.nota if system.nota is not None else _has_nota(episodes)
        self.requests = Requests(
            system.backend, episodes, system.format, system.calibration, self.nota, system.shuffle_seed
        )

    def parts(self) -> Iterable[Part]:
        return self.requests.parts()

    def identity(self) -> dict[str, Any]:
        system = self.system
        found = {
            "episodes": self.episodes.fingerprint,
            "n_episodes": len(self.episodes),
            "method": "in_context",
            "version": system.version,
        }
        found |= {"format": system.format.fingerprint, "nota": self.nota, "calibration": asdict(system.calibration)}
        found |= {"shuffle_seed": system.shuffle_seed, **system.backend.describe()}
        return found | {"unit": system.backend.queries_per_request}

    def begin(self, todo: Sequence[Part]) -> None:
        self.system.backend.prepare(self.accelerator.device)

    def size(self, part: Part) -> int:
        return len(part.queries)

    def conditions(self) -> AbstractContextManager[Any]:
        return self.accelerator.autocast()

    def rows(self, batches: Sequence[Sequence[Part]]) -> Iterator[list[dict[str, Any]]]:
        return ([row] for row in self.requests.rows([part for batch in batches for part in batch]))

    def is_final(self, row: dict[str, Any]) -> bool:
        # What an endpoint failed to answer is asked for again next time.
        return all(answer["problem"] != "failed" for answer in row["answers"])


def _usual_format(task: str, benchmark: str, config: str) -> str:
    """The name of the format of a benchmark's configuration, or of its task."""
    of_config = f"{benchmark}_{config}"
    return of_config if of_config in format_names() else task_of(task).prompt_format or task


def _has_nota(episodes: EpisodeSet) -> bool:
    """Whether a query may be none of the above; of other tasks it would be an answer as any."""
    return episodes.kind.has_none_of_the_above and any(NOTA in gold for gold in references(episodes))


def _unanswered(outcome: Outcome) -> str | None:
    """In words, how many queries an endpoint failed to answer; nothing if each was answered or refused."""
    answers = [answer for part in outcome.parts for answer in outcome.rows[part.index]["answers"]]
    failed = [answer for answer in answers if answer["problem"] == "failed"]
    if not failed:
        return None
    return f"{len(failed)} of {len(answers)} queries got no answer (last: {failed[-1]['reason']})."


def _backend(work: Work, options: InContextOptions) -> Backend:
    if not options.is_remote:
        return CausalLM.from_pretrained(work.model, chat=options.chat)
    reach = options.reach
    return Endpoint(reach.pop("endpoint"), work.model_name, **reach, **options.thinking)
