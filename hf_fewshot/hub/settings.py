"""Several settings of a benchmark into one folder: those of a recipe, or those that have published numbers."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hf_fewshot.cards.setting_name import setting_name
from hf_fewshot.hub.export import export_benchmark
from hf_fewshot.published.tables import read_published
from hf_fewshot.runs.recipe import load_recipe
from hf_fewshot.runs.recipe_names import recipe_file

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class AskedSetting:
    """What `load_dataset` is asked for."""

    benchmark: str
    config: str | None
    options: dict[str, Any]

    @property
    def name(self) -> str:
        """The configuration that it becomes."""
        return setting_name(self.benchmark, self.config, self.options, without=())


def recipe_settings(path: str | Path, **options: Any) -> list[AskedSetting]:
    """The settings and draws of a recipe, by its file or name, each once; `options` are added to all."""
    runs = load_recipe(recipe_file(path)).runs()
    return _once(AskedSetting(run.benchmark, run.config, {**run.data, **options}) for run in runs)


def published_settings(benchmark: str, **options: Any) -> list[AskedSetting]:
    """The settings of a benchmark that have published numbers, each once; `options` are added to all."""
    scores = [score for score in read_published(benchmark) if score.other_data is None]
    if not scores:
        raise ValueError(f"{benchmark} has no published numbers. Name its settings, or give a recipe.")
    return _once(AskedSetting(benchmark, score.config, {**score.data, **options}) for score in scores)


def export_settings(settings: Iterable[AskedSetting], output: str | Path) -> list[str]:
    """Writes settings into one folder, and says of those that cannot be written why; an error if that is all of them.

    What is written already is not written again, so that an interrupted export goes on.
    """
    settings, problems = list(settings), []
    for number, setting in enumerate(settings, start=1):
        try:
            export_benchmark(setting.benchmark, setting.config, output, **setting.options)
            logger.info("%d of %d: %s", number, len(settings), setting.name)
        except (ValueError, OSError) as error:
            problems.append(f"{setting.name}: {error}")
    if len(problems) == len(settings):
        raise ValueError("\n  ".join(["Nothing could be exported:", *problems]))
    return problems


def _once(settings: Iterable[AskedSetting]) -> list[AskedSetting]:
    """Of settings with the same name the first."""
    found: dict[tuple[str, str], AskedSetting] = {}
    for setting in settings:
        found.setdefault((setting.benchmark, setting.name), setting)
    return list(found.values())
