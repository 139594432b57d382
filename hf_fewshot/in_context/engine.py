"""Predicts the queries of an episode set in context, on the same episodes as all other methods."""

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from accelerate import Accelerator
from accelerate.utils import gather_object
from tqdm.auto import tqdm

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.in_context.backend import Answer, Backend, Request
from hf_fewshot.in_context.calibration import CONTENT_FREE, Calibration
from hf_fewshot.in_context.endpoint_error import EndpointError
from hf_fewshot.in_context.prompt_format import PromptFormat, load_format
from hf_fewshot.in_context.report import Report
from hf_fewshot.in_context.tasks import TaskPrompts
from hf_fewshot.systems.prediction_file import PredictionFile

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class InContextRun:
    """Predictions of every episode, in the form of `predict_episodes`, and the report on how they came about."""

    predictions: list[list[Any]]
    report: Report


@dataclass(frozen=True)
class Unit:
    """Queries of an episode that are answered together, and kept together on disk."""

    index: int
    number: int
    episode: Episode
    queries: tuple[int, ...]


def predict_in_context(
    backend: Backend,
    episodes: EpisodeSet,
    prompt_format: PromptFormat | str | Path,
    *,
    calibration: str = "none",
    per_token: bool = False,
    nota: bool = False,
    shuffle_seed: int | None = None,
    output_dir: str | Path | None = None,
    accelerator: Accelerator | None = None,
    progress: bool = True,
) -> InContextRun:
    """Answers every query after the support set of its episode as demonstrations.

    Where the answer is one label, the backend says how likely each is; what it cannot score it generates, and the text
    is parsed strictly. An answer that cannot be parsed, or is refused, is counted and never right. If an endpoint left
    queries without an answer, that is an `EndpointError` in all processes: there are no scores of a part.

    Args:
        prompt_format: a format, its name, or the path of a YAML file (see `load_format`).
        calibration: "none" or "content_free" (see `Calibration`).
        per_token: compare log-likelihoods per token.
        nota: offer none of the above as a label.
        shuffle_seed: put the demonstrations of each episode into random order; None: as they are.
        output_dir: answers are written there as they come; the same call after an interruption goes on from them.
        accelerator: the queries are dealt out to its processes; all get all predictions.
        progress: show a progress bar.
    """
    accelerator = accelerator or Accelerator()
    form = prompt_format if isinstance(prompt_format, PromptFormat) else load_format(prompt_format)
    calibrated = Calibration(calibration, per_token)
    if form.task != episodes.task:
        raise ValueError(f"The format is for task {form.task!r}, but the episodes are of task {episodes.task!r}.")
    if calibrated != Calibration() and not backend.scores_options:
        raise ValueError("Calibration needs the likelihood of labels, which an endpoint does not give. Leave it out.")
    options = {"nota": nota, "calibration": asdict(calibrated), "shuffle_seed": shuffle_seed}
    work = Work(backend, episodes, form, calibrated, nota, shuffle_seed)
    done: dict[int, dict[str, Any]] = {}
    file = None
    if output_dir is not None:
        run = {"episodes": episodes.fingerprint, "n_episodes": len(episodes), "method": "in_context"}
        run |= {"format": form.fingerprint, **options, **backend.describe(), "unit": backend.queries_per_request}
        file = PredictionFile(Path(output_dir) / f"predictions-{accelerator.process_index}.jsonl", run)
        for path in sorted(Path(output_dir).glob("predictions-*.jsonl")):
            done |= {row["index"]: row for row in PredictionFile(path, run).read_rows()}
    accelerator.wait_for_everyone()
    units = list(work.units())
    todo = [unit for unit in units if unit.index not in done]
    # Neighbours have the same demonstrations, so each process takes a stretch.
    first, last = (len(todo) * (accelerator.process_index + i) // accelerator.num_processes for i in (0, 1))
    mine = todo[first:last]
    backend.prepare(accelerator.device)
    rows: list[dict[str, Any]] = []
    errors: list[str] = []
    bar = tqdm(total=sum(len(unit.queries) for unit in mine), unit="query", desc="in context", disable=not progress)
    with bar, accelerator.autocast():
        try:
            for row in work.run(mine):
                # What an endpoint failed to answer is asked for again next time.
                if file is not None and all(answer["problem"] != "failed" for answer in row["answers"]):
                    file.append([row])
                rows.append(row)
                bar.update(len(row["predictions"]))
        except EndpointError as error:
            errors.append(str(error))
    if accelerator.num_processes > 1:
        # All processes end alike; one that raised alone would leave the others waiting for it.
        rows, errors = gather_object(rows), gather_object(errors)
    done |= {row["index"]: row for row in rows}
    missing = errors[:1] or _unanswered([done[unit.index] for unit in units])
    if missing:
        remedy = "Answers that came are kept: the same command asks only for the missing ones."
        lost = "Give output_dir to keep the answers that come, and ask again."
        raise EndpointError(f"{missing[0]} {remedy if output_dir is not None else lost}")
    return _collect(backend, units, done, len(episodes))


def _unanswered(rows: Sequence[dict[str, Any]]) -> list[str]:
    """In words, how many queries an endpoint failed to answer; nothing if each was answered or refused."""
    answers = [answer for row in rows for answer in row["answers"]]
    failed = [answer for answer in answers if answer["problem"] == "failed"]
    if not failed:
        return []
    return [f"{len(failed)} of {len(answers)} queries got no answer (last: {failed[-1]['reason']})."]


def _collect(backend: Backend, units: Sequence[Unit], done: dict[int, dict[str, Any]], length: int) -> InContextRun:
    predictions: list[list[Any]] = [[] for _ in range(length)]
    for unit in units:
        predictions[unit.number] += done[unit.index]["predictions"]
    report = Report.of(answer for unit in units for answer in done[unit.index]["answers"])
    report = replace(report, cost=backend.cost(report.prompt_tokens, report.completion_tokens))
    if report.trouble:
        logger.warning(f"In-context predictions: {report}")
    return InContextRun(predictions, report)


class Work:
    """Turns units into requests, and answers into rows."""

    def __init__(
        self,
        backend: Backend,
        episodes: EpisodeSet,
        prompt_format: PromptFormat,
        calibration: Calibration,
        nota: bool,
        shuffle_seed: int | None,
    ) -> None:
        self.backend = backend
        self.episodes = episodes
        self.format = prompt_format
        self.calibration = calibration
        self.nota = nota
        self.shuffle_seed = shuffle_seed
        self.examples = episodes.examples.to_list()
        # Units of one episode follow each other.
        self.task = lru_cache(maxsize=32)(self._task)

    def units(self) -> Iterator[Unit]:
        """All queries of all episodes, cut into what is answered together."""
        index, size = 0, self.backend.queries_per_request
        for number, episode in enumerate(self.episodes):
            for start in range(0, len(episode.query), size):
                yield Unit(index, number, episode, episode.query[start : start + size])
                index += 1

    def run(self, units: Sequence[Unit]) -> Iterator[dict[str, Any]]:
        """The rows of some units as they are finished."""
        if self.backend.concurrency == 1:
            yield from map(self.row, units)
            return
        waiting = iter(units)
        with ThreadPoolExecutor(self.backend.concurrency) as pool:
            running: set[Future[dict[str, Any]]] = set()
            failure: BaseException | None = None
            try:
                while True:
                    while failure is None and len(running) < 2 * self.backend.concurrency:
                        unit = next(waiting, None)
                        if unit is None:
                            break
                        running.add(pool.submit(self.row, unit))
                    if not running:
                        break
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        if future.exception() is None:
                            yield future.result()
                        elif failure is None:
                            # What is under way may still be answered, and is kept.
                            failure = future.exception()
                            running = {other for other in running if not other.cancel()}
            finally:
                # Interrupted: what has not begun is not asked for.
                for future in running:
                    future.cancel()
            if failure is not None:
                raise failure

    def row(self, unit: Unit) -> dict[str, Any]:
        """The answers and predictions of a unit."""
        task = self.task(unit.number, unit.episode)
        queries = [self.examples[row] for row in unit.queries]
        scored = task.words is not None and self.backend.scores_options
        request = Request(
            task.prompts,
            tuple(task.query(example) for example in queries),
            tuple((task.words or {}).values()) if scored else None,
            self.format.max_new_tokens,
            self.calibration,
            tuple(task.content_free(queries[0], content) for content in CONTENT_FREE)
            if self.calibration.kind == "content_free" and scored
            else (),
        )
        answers = self.backend.answer(request)
        results = [self._predict(task, *pair) for pair in zip(queries, answers, strict=True)]
        return {
            "index": unit.index,
            "episode": unit.number,
            "ids": [example["id"] for example in queries],
            "predictions": [prediction for prediction, _ in results],
            "answers": [answer for _, answer in results],
        }

    def _predict(self, task: TaskPrompts, example: dict[str, Any], answer: Answer) -> tuple[Any, dict[str, Any]]:
        kept = asdict(answer)
        if answer.scores is not None and task.words is not None:
            label = list(task.words)[int(np.argmax(answer.scores))]
            return task.prediction(label), {**kept, "unparsed": 0, "unplaced": 0}
        if answer.text is not None:
            # An endpoint can answer with half a character, which no file can hold.
            kept["text"] = answer.text.encode("utf-8", "replace").decode("utf-8")
        parsed = task.failed(example) if answer.text is None else task.parse(kept["text"], example)
        # A query without an answer is counted as such, not among what could not be parsed.
        unparsed = int(not parsed.parsed and answer.text is not None)
        return parsed.prediction, {**kept, "unparsed": unparsed, "unplaced": parsed.unplaced}

    def _task(self, number: int, episode: Episode) -> TaskPrompts:
        support = [self.examples[row] for row in episode.support]
        if self.shuffle_seed is not None:
            order = np.random.default_rng([self.shuffle_seed, number]).permutation(len(support))
            support = [support[place] for place in order]
        return TaskPrompts(self.format, episode, support, self.nota)
