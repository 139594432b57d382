"""From parts of episodes to requests of a language model, and from its answers to predictions."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.part import Part
from hf_fewshot.in_context.asking import Asking
from hf_fewshot.in_context.backend import Backend, Request
from hf_fewshot.in_context.calibration import CONTENT_FREE
from hf_fewshot.in_context.demonstrations import Demonstrations
from hf_fewshot.in_context.prompt_format import PromptFormat
from hf_fewshot.in_context.reading import read_answer
from hf_fewshot.in_context.tasks import TaskPrompts


class Requests:
    """Turns parts into requests, and answers into rows.

    Args:
        seed: of what is drawn.
    """

    def __init__(
        self,
        backend: Backend,
        episodes: EpisodeSet,
        prompt_format: PromptFormat,
        asking: Asking,
        nota: bool,
        seed: int,
    ) -> None:
        self.backend = backend
        self.episodes = episodes
        self.format = prompt_format
        self.asking = asking
        self.sampling = asking.sampling(seed)
        self.nota = nota
        self.examples = episodes.examples.to_list()
        self.choice = asking.choice(seed)
        self.demonstrations = Demonstrations(self.choice, episodes, self.examples)
        # Parts of one episode follow each other.
        self.task = lru_cache(maxsize=32)(self._task)

    @property
    def drawn(self) -> dict[str, Any]:
        """What answers depend on that is drawn or chosen."""
        return {"sampling": asdict(self.sampling), "demonstrations": self.demonstrations.describe()}

    def parts(self) -> Iterator[Part]:
        """All queries of all episodes, cut into what is answered together."""
        index, size = 0, self.backend.queries_per_request if self.choice.is_shared else 1
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
        scored = task.words is not None and self.asking.by_likelihood(self.backend.scores_options)
        calibration = self.asking.calibrated
        request = Request(
            task.prompts_with(self._shown(part, task)),
            tuple(task.query(example) for example in queries),
            tuple((task.words or {}).values()) if scored else None,
            self.format.max_new_tokens,
            calibration,
            tuple(task.content_free(queries[0], content) for content in CONTENT_FREE)
            if calibration.kind == "content_free" and scored
            else (),
            self.sampling,
            task.schema if self.asking.structured else None,
        )
        answers = self.backend.answer(request)
        results = [
            read_answer(task, example, answer, keep_thoughts=self.asking.keep_thoughts)
            for example, answer in zip(queries, answers, strict=True)
        ]
        return {
            "index": part.index,
            "episode": part.number,
            "ids": [example["id"] for example in queries],
            "predictions": [prediction for prediction, _ in results],
            "answers": [answer for _, answer in results],
        }

    def _shown(self, part: Part, task: TaskPrompts) -> Sequence[int]:
        """The demonstrations of a part, as places in the support set of its episode."""
        support = self.episodes[part.number].support
        if self.asking.shuffle_seed is not None:
            return np.random.default_rng([self.asking.shuffle_seed, part.number]).permutation(len(support)).tolist()
        labels = [one.label for one in task.prompts.demonstrations]
        return self.demonstrations.chosen(part.number, support, labels, part.queries[0])

    def _task(self, number: int) -> TaskPrompts:
        episode = self.episodes[number]
        return TaskPrompts(self.format, episode, [self.examples[row] for row in episode.support], self.nota)
