"""What people are told of a task: the study's own words, else those of the benchmark, else those of the task."""

from functools import lru_cache
from pathlib import Path

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.files.strict_yaml import read_yaml
from hf_fewshot.people.plan import Plan, StudyError
from hf_fewshot.people.questions import Questions
from hf_fewshot.text.visible import visible

# Beside the builder of a benchmark: what people are told, by configuration.
FILE_NAME = "people.yaml"
MAX_LENGTH = 20_000


class Descriptions:
    """The description of each episode of a study.

    Args:
        plan: of the study, which may bring its own.
        questions: the episodes.
    """

    def __init__(self, plan: Plan, questions: Questions) -> None:
        self.template = plan.description or benchmark_words(plan) or questions.task.told
        self.is_own = plan.description is not None
        self._questions = questions
        self.of = lru_cache(maxsize=64)(self._of)

    def _of(self, number: int) -> str:
        """What is told before an episode. The words of somebody's study are not templates: braces are braces."""
        text = self.template if self.is_own else self.template.format_map(self._questions.told(number))
        return visible(text)


def benchmark_words(plan: Plan) -> str | None:
    """What a benchmark says of its configuration."""
    builder = builder_of(plan.benchmark)
    path = builder.folder() / FILE_NAME
    return read_yaml(path).get(builder.config_name(plan.config)) if path.is_file() else None


def read_description(path: Path) -> str:
    """What a study tells in words of its own, from a file."""
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError:
        raise StudyError(f"{path} is no text in UTF-8. Save it as such.") from None
    if not 0 < len(text) <= MAX_LENGTH:
        raise StudyError(f"{path} has {len(text):,} characters. A description has 1 to {MAX_LENGTH:,}.")
    return text
