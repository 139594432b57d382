"""From what a backend answered to a prediction, and to what is kept of the answer."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from hf_fewshot.in_context.backend import Answer
from hf_fewshot.in_context.tasks import TaskPrompts
from hf_fewshot.in_context.thoughts import split_thoughts
from hf_fewshot.in_context.vote import vote
from hf_fewshot.tasks.parsed import Parsed


def read_answer(
    task: TaskPrompts, example: Mapping[str, Any], answer: Answer, *, keep_thoughts: bool = False
) -> tuple[Any, dict[str, Any]]:
    """The prediction of an answer, and the answer as it is kept, with its part of all that a `Report` counts.

    Args:
        keep_thoughts: keep what the model thought before it answered; otherwise it is only counted.
    """
    if answer.scores is not None and task.words is not None:
        label = list(task.words)[int(np.argmax(answer.scores))]
        return task.prediction(label), _kept(answer, Parsed(None))
    if answer.text is None:
        # A query without an answer is counted as such, not among what cannot be read.
        return task.failed(example).prediction, _kept(answer, Parsed(None))
    written = [split_thoughts(_storable(text)) for text in answer.samples or [answer.text]]
    parsed = vote([task.parse(one.answer, example) for one in written])
    thoughts = [_storable(answer.thought)] if answer.thought else [one.thought for one in written if one.thought]
    cut_off_thinking = any(one.unfinished for one in written) or (
        answer.cut_off and bool(answer.thought) and not written[0].answer.strip()
    )
    kept = _kept(answer, parsed)
    kept["text"] = written[0].answer
    kept["samples"] = None if answer.samples is None else [one.answer for one in written]
    kept["thought"] = "\n".join(thoughts) if thoughts and keep_thoughts else None
    return parsed.prediction, {**kept, "thinking": int(bool(thoughts)), "cut_off_thinking": int(cut_off_thinking)}


def _kept(answer: Answer, parsed: Parsed) -> dict[str, Any]:
    counts = {"unparsed": not parsed.parsed, "unplaced": parsed.unplaced, "loosely_read": parsed.loose}
    counts |= {"thinking": 0, "cut_off_thinking": 0}
    return {**asdict(answer), "thought": None, **{name: int(value) for name, value in counts.items()}}


def _storable(text: str) -> str:
    """An endpoint can answer with half a character, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
