"""What the page says to examples and a sentence: an answer, what it has read, and errors as sentences."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hf_fewshot.demo.answer_view import answer_view, chips_of
from hf_fewshot.demo.episodes import Expected
from hf_fewshot.demo.trial import Answer, Learned, Trial
from hf_fewshot.report.html import html_templates
from hf_fewshot.tasks import Task

logger = logging.getLogger(__name__)

# The page takes HTML for templates of its own, in which these signs would mean something.
_SIGNS = str.maketrans({sign: f"&#{ord(sign)};" for sign in "{}$`\\"})


@dataclass(frozen=True)
class Kept:
    """What a page remembers of one who tries.

    Args:
        sheet: the last examples that could be read.
        sentence: that was asked last, and `answer` what was said to it before the examples were changed.
    """

    sheet: str
    sentence: str
    answer: Answer | None


class Reply(NamedTuple):
    """HTML of the answer and of what was read of the examples."""

    answer: str
    summary: str
    kept: Kept | None


def reply(
    trial: Trial,
    task: Task,
    sentence: str,
    sheet: str,
    none_of_the_above: bool,
    kept: Kept | None = None,
    expected: Mapping[str, Expected] | None = None,
) -> Reply:
    """The reply to a sentence; examples that cannot be read yet leave those before in use."""
    learned, problem = said_or_problem(lambda: trial.learned(task, sheet, none_of_the_above))
    if learned is None and kept is not None:
        sheet = kept.sheet
        learned, _ = said_or_problem(lambda: trial.learned(task, sheet, none_of_the_above))
    if learned is None:
        return Reply(refused("No answer without examples."), summary_html(None, problem), None)
    summary = summary_html(learned, problem)
    answer, refusal = said_or_problem(lambda: trial.answer(task, sheet, sentence, none_of_the_above))
    if answer is None:
        return Reply(refused(refusal), summary, Kept(sheet, sentence, None))
    before = kept.answer if kept is not None and kept.sentence == sentence else None
    view = answer_view(answer, learned, before, (expected or {}).get(sentence))
    return Reply(rendered("answer.html.jinja", view=view), summary, Kept(sheet, sentence, before or answer))


def said_or_problem(call: Callable[[], Any]) -> tuple[Any, str]:
    """What a call gives, or None and its error as a sentence; of a bug, the log has the rest."""
    try:
        return call(), ""
    except (ValueError, TypeError, OSError) as error:
        return None, str(error)
    except Exception:
        logger.exception("A visitor's request failed")
        return None, "That is an error of this page, not of yours. Its log says more."


def summary_html(learned: Learned | None, problem: str) -> str:
    """How many examples were read of each class, and what could not be read."""
    chips = [] if learned is None else chips_of(learned)
    return rendered("summary.html.jinja", learned=learned, chips=chips, problem=problem)


def refused(problem: str) -> str:
    """A sentence that says why there is no answer."""
    return rendered("refused.html.jinja", problem=problem)


def rendered(template: str, **values: Any) -> str:
    """A template of this room; what users wrote is text in it."""
    return _templates().get_template(template).render(**values).translate(_SIGNS)


@cache
def _templates() -> Any:
    return html_templates(Path(__file__).parent)
