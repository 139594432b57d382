"""A recipe: a table of a paper as a list of runs, written in YAML."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from hf_fewshot.registry import BENCHMARKS, SYSTEMS, TRIVIAL, suggestion, unknown
from hf_fewshot.results.run import DRAWS, Run

# What a setting may say beside options of the benchmark.
OF_RUN = ("config", "split")


class RecipeError(ValueError):
    """A recipe cannot be read; the message names all that is wrong."""


@dataclass(frozen=True)
class System:
    """A method as the recipe runs it.

    Args:
        method: its name in the registry.
        options: of the method and its model.
        training: arguments of the trainer; None: the model stays as it is.
        model: instead of the recipe's.
        seeds: instead of the recipe's.
        overrides: `options` or `training` that are added to the above in settings with the values in `setting`.
    """

    method: str
    options: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] | None = None
    model: str | None = None
    seeds: list[int] | None = None
    overrides: list[dict[str, Any]] = field(default_factory=list)

    def within(self, setting: Mapping[str, Any]) -> "System":
        """The system as it is in a setting."""
        system = self
        for override in self.overrides:
            if all(setting.get(name) == value for name, value in override["setting"].items()):
                training = override.get("training")
                system = replace(
                    system,
                    options={**system.options, **override.get("options", {})},
                    training=system.training if training is None else {**(system.training or {}), **training},
                )
        return system


@dataclass(frozen=True)
class Recipe:
    """Benchmark x settings x systems x draws x seeds.

    Args:
        benchmark: its name.
        systems: the rows of the table, by the names they have in it.
        title: what the table is.
        source: the paper and the number of the table.
        config: configuration of the benchmark.
        split: what is predicted.
        model: the encoder or language model of all systems that have none of their own.
        data: options of the benchmark that all runs have.
        settings: the columns of the table: options of the benchmark, and `config` or `split`.
        draws: options that make another draw of the same setting, such as `fold: [1, 2, 3, 4, 5]`.
        seeds: of training.
    """

    benchmark: str
    systems: dict[str, System]
    title: str = ""
    source: str = ""
    config: str | None = None
    split: str = "test"
    model: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    settings: list[dict[str, Any]] = field(default_factory=lambda: [{}])
    draws: dict[str, list[int]] = field(default_factory=dict)
    seeds: list[int] = field(default_factory=lambda: [0])

    def runs(self) -> Iterator[Run]:
        """All runs, in the order of the table."""
        for setting, (name, system) in product(self.settings, self.systems.items()):
            own = system.within(setting)
            of_run = {key: setting[key] for key in OF_RUN if key in setting}
            of_data = {key: value for key, value in setting.items() if key not in OF_RUN}
            for draw in product(*self.draws.values()):
                drawn = dict(zip(self.draws, draw, strict=True))
                for seed in own.seeds or self.seeds:
                    yield Run(
                        benchmark=self.benchmark,
                        method=own.method,
                        config=of_run.get("config", self.config),
                        data={**self.data, **of_data, **drawn},
                        split=of_run.get("split", self.split),
                        system=name,
                        options=own.options,
                        model=None if own.method in TRIVIAL else own.model or self.model,
                        training=own.training,
                        seed=seed,
                    )


def load_recipe(path: str | Path) -> Recipe:
    """Reads a recipe file."""
    path = Path(path)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise RecipeError(f"{path} is no YAML: {error}") from error
    if not isinstance(content, dict):
        raise RecipeError(f"{path} must be a mapping with benchmark and systems, but is {type(content).__name__}.")
    problems = list(_problems(content))
    if problems:
        raise RecipeError(f"{path}: " + " ".join(problems))
    systems = {name: System(**options) for name, options in content.pop("systems").items()}
    return Recipe(systems=systems, **content)


def _problems(content: dict[str, Any]) -> Iterator[str]:
    """All that is wrong with the content of a recipe file."""
    yield from _names("The recipe", content, Recipe, ("benchmark", "systems"))
    if "benchmark" in content and content["benchmark"] not in BENCHMARKS:
        yield str(unknown("benchmark", content["benchmark"], BENCHMARKS))
    for name in content.get("draws") or {}:
        if name not in DRAWS:
            yield f"Unknown draw {name!r}. {suggestion(name, DRAWS)}"
    systems = content.get("systems")
    if not isinstance(systems, dict):
        yield "systems must be a mapping from names to methods."
        return
    for name, system in systems.items():
        if not isinstance(system, dict):
            yield f"System {name!r} must be a mapping with a method."
            continue
        yield from _names(f"System {name!r}", system, System, ("method",))
        if "method" in system and system["method"] not in SYSTEMS:
            yield f"System {name!r}: {unknown('method', system['method'], SYSTEMS)}"
        for override in system.get("overrides") or []:
            if not isinstance(override, dict) or "setting" not in override or not override.keys() <= OVERRIDE:
                yield f"An override of system {name!r} must have a setting, and options or training."


OVERRIDE = {"setting", "options", "training"}


def _names(what: str, content: dict[str, Any], kind: type, required: tuple[str, ...]) -> Iterator[str]:
    known = {one.name for one in fields(kind)}
    for name in content:
        if name not in known:
            yield f"{what} has an unknown {name!r}. {suggestion(name, known)}"
    for name in required:
        if name not in content:
            yield f"{what} has no {name!r}."
