"""What an exported task calls when lm-evaluation-harness runs it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from datasets import Dataset, DatasetDict

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.in_context.backend import Answer
from hf_fewshot.in_context.prompt_format import PromptFormat
from hf_fewshot.in_context.reading import read_answer
from hf_fewshot.in_context.tasks import TaskPrompts
from hf_fewshot.in_context.thoughts import split_thoughts
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import NOTA

DOCUMENTS, TASK = "test.jsonl", "task.json"


class LmEvalTask:
    """An exported task, whose files are in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def dataset(self, **metadata: Any) -> DatasetDict:
        """The documents: one for each query."""
        lines = (self.folder / DOCUMENTS).read_text(encoding="utf-8").splitlines()
        return DatasetDict({"test": Dataset.from_list([strict_json(line) for line in lines])})

    def judged(self, document: Mapping[str, Any], results: Sequence[Any]) -> dict[str, list[Any]]:
        """What was predicted, beside what would be right, for each measure.

        Args:
            results: of each choice its log-likelihood, and whether it is the likeliest text; or a written answer.
        """
        if document["choices"]:
            answer = Answer(scores=[likelihood for likelihood, _ in results])
        else:
            answer = Answer(text=first_line(results[0]))
        example = json.loads(document["example"])
        prediction, _ = read_answer(self._task(document), example, answer)
        item = [prediction, json.loads(document["reference"]), document["group"]]
        return dict.fromkeys(self.measures, item)

    def measured(self, measure: str, items: Sequence[Sequence[Any]]) -> float:
        """A score of the task over what was judged."""
        predictions, references, groups = (list(part) for part in zip(*items, strict=True))
        kind = task_of(self.format.task)
        return float(kind.score(predictions, references, groups, **self._content["scored_by"])[measure])

    @cached_property
    def measures(self) -> list[str]:
        """The names of its scores."""
        return list(self._content["measures"])

    @cached_property
    def format(self) -> PromptFormat:
        """How it is asked."""
        return from_mapping(PromptFormat, self._content["format"], str(self.folder / TASK))

    @cached_property
    def _content(self) -> dict[str, Any]:
        return strict_json((self.folder / TASK).read_bytes())

    def _task(self, document: Mapping[str, Any]) -> TaskPrompts:
        """The episode of a document, as far as answers are read by it."""
        words = dict(zip(document["labels"], document["choices"], strict=True))
        nota = words.pop(NOTA, None)
        form = replace(self.format, labels=words, nota=nota or self.format.nota)
        episode = Episode(tuple(document["classes"]), (), (), document["domain"])
        return TaskPrompts(form, episode, [], nota is not None)


def first_line(text: str) -> str:
    """An answer as it ends here: after its first line, whatever was thought or left empty before."""
    return next(iter(split_thoughts(text).answer.strip().splitlines()), "")
