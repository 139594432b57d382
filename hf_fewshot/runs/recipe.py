"""A recipe: a table of a paper as a list of runs, written in YAML."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.files.from_mapping import mapping_problems, required_names
from hf_fewshot.files.option_types import option_types
from hf_fewshot.files.strict_yaml import read_yaml
from hf_fewshot.registry import BENCHMARKS, SYSTEMS, suggestion, unknown
from hf_fewshot.runs.run import Run

# What a setting may say beside options of the benchmark.
OF_RUN = ("config", "split")
OVERRIDE = {"setting": dict[str, Any], "options": dict[str, Any], "training": dict[str, Any]}
# Arguments of trainers that send what they see to a service: nothing that a file of others may ask for.
TELLS_OTHERS = ("report_to", "trackio_space_id", "trackio_bucket_id", "trackio_static_space_id")
MAX_RUNS = 100_000


class RecipeError(ValueError):
    """A recipe cannot be read; the message names all that is wrong."""


@dataclass(frozen=True)
class PlannedSystem:
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

    def within(self, setting: Mapping[str, Any]) -> "PlannedSystem":
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
    systems: dict[str, PlannedSystem]
    title: str = ""
    source: str = ""
    config: str | None = None
    split: str = "test"
    model: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    settings: list[dict[str, Any]] = field(default_factory=lambda: [{}])
    draws: dict[str, list[int]] = field(default_factory=dict)
    seeds: list[int] = field(default_factory=lambda: [0])

    @property
    def n_runs(self) -> int:
        """How many runs there are."""
        draws = prod(len(values) for values in self.draws.values())
        seeds = sum(len(system.seeds or self.seeds) for system in self.systems.values())
        return len(self.settings) * draws * seeds

    def runs(self) -> Iterator[Run]:
        """All runs, in the order of the table."""
        for setting, (name, system) in product(self.settings, self.systems.items()):
            own = system.within(setting)
            needs_model = own.method not in SYSTEMS or SYSTEMS[own.method].needs
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
                        model=own.model or self.model if needs_model else None,
                        training=own.training,
                        seed=seed,
                    )


def load_recipe(path: str | Path) -> Recipe:
    """Reads a recipe file."""
    path = Path(path)
    try:
        content = read_yaml(path)
    except ValueError as error:
        raise RecipeError(str(error)) from error
    if not isinstance(content, dict):
        raise RecipeError(f"{path} must be a mapping with benchmark and systems, but is {type(content).__name__}.")
    problems = list(_problems(content))
    if problems:
        raise RecipeError("\n  ".join([f"{path}:", *problems]) if len(problems) > 1 else f"{path}: {problems[0]}")
    systems = {name: PlannedSystem(**options) for name, options in content.pop("systems").items()}
    recipe = Recipe(systems=systems, **content)
    if recipe.n_runs > MAX_RUNS:
        raise RecipeError(f"{path} asks for {recipe.n_runs:,} runs, more than {MAX_RUNS:,}. Write several recipes.")
    return recipe


def _problems(content: dict[str, Any]) -> Iterator[str]:
    """All that is wrong with the content of a recipe file; `check_runs` looks at single options and their values."""
    # `systems` is looked at below.
    known = {**option_types(Recipe), "systems": Any}
    yield from mapping_problems(known, required_names(Recipe), content, "The recipe")
    benchmark = content.get("benchmark")
    if isinstance(benchmark, str) and benchmark not in BENCHMARKS:
        yield str(unknown("benchmark", benchmark, BENCHMARKS))
    draws = content.get("draws")
    for name, values in draws.items() if isinstance(draws, dict) else ():
        if name not in DRAWS:
            yield f"Unknown draw {name!r}. {suggestion(name, DRAWS)}"
        yield from _repeated(f"draws: {name}", values)
    yield from _repeated("settings", content.get("settings"))
    yield from _repeated("seeds", content.get("seeds"))
    systems = content.get("systems", {})
    if "systems" in content and not (isinstance(systems, dict) and systems):
        yield "systems must be a mapping from names to methods, with at least one."
    for name, system in systems.items() if isinstance(systems, dict) else ():
        if isinstance(system, dict):
            yield from _problems_of_system(name, system)
        else:
            yield f"System {name!r} must be a mapping with a method."


def _problems_of_system(name: str, system: dict[str, Any]) -> Iterator[str]:
    yield from mapping_problems(option_types(PlannedSystem), required_names(PlannedSystem), system, f"System {name!r}")
    method = system.get("method")
    if isinstance(method, str) and method not in SYSTEMS:
        yield f"System {name!r}: {unknown('method', method, SYSTEMS)}"
    yield from _repeated(f"System {name!r}: seeds", system.get("seeds"))
    overrides = system.get("overrides")
    overrides = overrides if isinstance(overrides, list) else []
    for override in overrides:
        if not isinstance(override, dict) or "setting" not in override or not override.keys() <= OVERRIDE.keys():
            yield f"An override of system {name!r} must have a setting, and options or training."
        else:
            yield from mapping_problems(OVERRIDE, (), override, f"An override of system {name!r}")
    for part in (system, *overrides):
        training = part.get("training") if isinstance(part, dict) else None
        for argument in training if isinstance(training, dict) else ():
            if argument in TELLS_OTHERS:
                yield (
                    f"System {name!r}: training has {argument!r}, but a recipe sends nothing to others. Say it on the "
                    f"command line: --training {argument}=..."
                )


def _repeated(name: str, values: Any) -> Iterator[str]:
    """What is wrong with a list that is multiplied: it has no values, or one twice."""
    if values == []:
        yield f"{name} is an empty list: nothing would run. Give a value, or leave it out."
    seen: set[str] = set()
    for value in values if isinstance(values, list) else ():
        key = json.dumps(value, sort_keys=True)
        if key in seen:
            yield f"{name} has {key} twice. Leave one out."
            return
        seen.add(key)
