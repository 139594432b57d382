"""From parts of episodes to requests of a language model, and from its answers to predictions."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.part import Part
from hf_fewshot.in_context.backend import Answer, Backend, Request
from hf_fewshot.in_context.calibration import CONTENT_FREE, Calibration
from hf_fewshot.in_context.prompt_format import PromptFormat
from hf_fewshot.in_context.tasks import TaskPrompts


class Requests:
    """Turns parts into requests, and answers into rows."""

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
        # Parts of one episode follow each other.
        self.task = lru_cache(maxsize=32)(self._task)

    def parts(self) -> Iterator[Part]:
        """All queries of all episodes, cut into what is answered together."""
        index, size = 0, self.backend.queries_per_request
        for number, episode in enumerate(self.episodes):
            for start in range(0, len(episode.query), size):
                yield Part(index, number, episode.query[start : start + size])
                index += 1

    def rows(self, parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
        """The rows of some parts as they are finished."""
        if self.backend.concurrency == 1:
            yield from map(self.row, parts)
            return
        waiting = iter(parts)
        with ThreadPoolExecutor(self.backend.concurrency) as pool:
            running: set[Future[dict[str, Any]]] = set()
            failure: BaseException | None = None
            try:
                while True:
                    while failure is None and len(running) < 2 * self.backend.concurrency:
                        part = next(waiting, None)
                        if part is None:
                            break
                        running.add(pool.submit(self.row, part))
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

    def row(self, part: Part) -> dict[str, Any]:
        """The answers and predictions of a part."""
        task = self.task(part.number)
        queries = [self.examples[row] for row in part.queries]
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
            "index": part.index,
            "episode": part.number,
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

    def _task(self, number: int) -> TaskPrompts:
        episode = self.episodes[number]
        support = [self.examples[row] for row in episode.support]
        if self.shuffle_seed is not None:
            order = np.random.default_rng([self.shuffle_seed, number]).permutation(len(support))
            support = [support[place] for place in order]
        return TaskPrompts(self.format, episode, support, self.nota)
