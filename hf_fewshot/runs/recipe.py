"""A recipe: a table of a paper as a list of runs, written in YAML."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.files.from_mapping import mapping_problems, required_names
from hf_fewshot.files.option_types import option_types
from hf_fewshot.files.strict_yaml import read_yaml
from hf_fewshot.method_names import method_named
from hf_fewshot.registry import BENCHMARKS, SYSTEMS, suggestion, unknown
from hf_fewshot.runs.run import Run

# What a setting may say beside options of the benchmark.
OF_RUN = ("config", "split")
OVERRIDE = {"setting": dict[str, Any], "options": dict[str, Any], "training": dict[str, Any]}
# Arguments of trainers that send what they see to a service: nothing that a file of others may ask for.
TELLS_OTHERS = ("report_to", "trackio_space_id", "trackio_bucket_id", "trackio_static_space_id")
MAX_RUNS = 100_000
# The key that names a module with things of one's own.
CODE = "import"


class RecipeError(ValueError):
    """A recipe cannot be read; the message names all that is wrong.

    Args:
        problems: what is wrong, a sentence each.
        path: of the recipe, where the sentences do not name it.
        rest: the recipe without the systems that are wrong, where nothing else is.
    """

    def __init__(self, problems: Sequence[str], path: Path | None = None, rest: "Recipe | None" = None) -> None:
        head = "" if path is None else f"{path}: "
        self.problems = [f"{head}{problem}" for problem in problems]
        self.rest = rest
        super().__init__(self.problems[0] if len(problems) == 1 else "\n  ".join([head.strip(), *problems]))


@dataclass(frozen=True)
class PlannedSystem:
    """A method as the recipe runs it.

    Args:
        method: its name in the registry, or that of its paper.
        options: of the method and its model.
        training: arguments of the trainer; None: the model stays as it is.
        model: instead of the recipe's.
        seeds: instead of the recipe's.
        overrides: `options` or `training` that are added to the above where all that `setting` says is so: options of
            the benchmark, `config` or `split`.
    """

    method: str
    options: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] | None = None
    model: str | None = None
    seeds: list[int] | None = None
    overrides: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", method_named(self.method))

    def within(self, setting: Mapping[str, Any]) -> "PlannedSystem":
        """The system as it is in a setting, of which all is given that is known."""
        system = self
        for override in self.overrides:
            if _applies(override, setting):
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
        training: arguments of the trainer that all systems with a training of their own share; theirs come before.
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
    training: dict[str, Any] = field(default_factory=dict)

    def whole(self, setting: Mapping[str, Any]) -> dict[str, Any]:
        """A setting with what all of them have in common."""
        return {**self.data, "config": self.config, "split": self.split, **setting}

    @property
    def n_runs(self) -> int:
        """How many runs there are."""
        draws = prod(len(values) for values in self.draws.values())
        seeds = sum(len(system.seeds or self.seeds) for system in self.systems.values())
        return len(self.settings) * draws * seeds

    def runs(self) -> Iterator[Run]:
        """All runs, in the order of the table."""
        for setting, (name, system) in product(self.settings, self.systems.items()):
            whole = self.whole(setting)
            own = system.within(whole)
            needs_model = own.method not in SYSTEMS or SYSTEMS[own.method].needs
            training: Any = None if own.training is None else {**self.training, **own.training}
            of_data = {key: value for key, value in setting.items() if key not in OF_RUN}
            for draw in product(*self.draws.values()):
                drawn = dict(zip(self.draws, draw, strict=True))
                for seed in own.seeds or self.seeds:
                    yield Run(
                        benchmark=self.benchmark,
                        method=own.method,
                        config=whole["config"],
                        data={**self.data, **of_data, **drawn},
                        split=whole["split"],
                        system=name,
                        options=own.options,
                        model=own.model or self.model if needs_model else None,
                        training=training,
                        seed=seed,
                    )


def load_recipe(path: str | Path) -> Recipe:
    """Reads a recipe file."""
    path = Path(path)
    try:
        content = read_yaml(path)
    except ValueError as error:
        raise RecipeError([str(error)]) from error
    if not isinstance(content, dict):
        raise RecipeError([f"{path} must be a mapping with benchmark and systems, but is {type(content).__name__}."])
    _require_code(content, path)
    problems = list(_problems(content))
    systems = content.pop("systems", None)
    of_systems = {name: list(_problems_of_system(name, own)) for name, own in _items(systems)}
    found = [one for own in of_systems.values() for one in own]
    if problems:
        raise RecipeError([*problems, *found], path)
    content.pop(CODE, None)
    sound = {name: PlannedSystem(**own) for name, own in systems.items() if not of_systems[name]}
    recipe = Recipe(systems=sound, **content)
    if recipe.n_runs > MAX_RUNS:
        raise RecipeError([f"{path} asks for {recipe.n_runs:,} runs, more than {MAX_RUNS:,}. Write several recipes."])
    found += _unused(recipe)
    if found:
        raise RecipeError(found, path, rest=recipe)
    return recipe


def recipe_keys() -> dict[str, Any]:
    """What a recipe file may say, with the types of the values."""
    return {**option_types(Recipe), "systems": Any, CODE: str | None}


def _require_code(content: Mapping[str, Any], path: Path) -> None:
    """Refuses a recipe whose module is not imported yet: a file of others runs no code, its user does."""
    module = content.get(CODE)
    if isinstance(module, str) and module not in sys.modules:
        raise RecipeError(
            [
                f"{path} needs code that is not part of hf_fewshot: import: {module}. Look at it, and if you trust "
                f"it, add --import {module}; in Python, import it first."
            ]
        )


def _problems(content: dict[str, Any]) -> Iterator[str]:
    """All that is wrong with the content of a recipe file, but with systems; `check_runs` looks at single options."""
    yield from mapping_problems(recipe_keys(), required_names(Recipe), content, "The recipe")
    benchmark = content.get("benchmark")
    if isinstance(benchmark, str) and benchmark not in BENCHMARKS:
        yield str(unknown("benchmark", benchmark, BENCHMARKS))
    settings = content.get("settings")
    columns = [content.get("data"), *(settings if isinstance(settings, list) else ())]
    for name, values in _items(content.get("draws")):
        if name not in DRAWS:
            yield f"Unknown draw {name!r}. {suggestion(name, DRAWS)}"
        if any(name in column for column in columns if isinstance(column, dict)):
            yield f"{name} is drawn, and said in data or settings as well. Leave one out."
        yield from _repeated(f"draws: {name}", values)
    yield from _repeated("settings", settings)
    yield from _repeated("seeds", content.get("seeds"))
    yield from _sent_to_others("The recipe", content.get("training"))
    if "systems" in content and not _items(content["systems"]):
        yield "systems must be a mapping from names to methods, with at least one."


def _items(value: Any) -> list[tuple[str, Any]]:
    """What stands in a mapping; nothing where it is none."""
    return list(value.items()) if isinstance(value, dict) else []


def _problems_of_system(name: str, system: Any) -> Iterator[str]:
    if not isinstance(system, dict):
        yield f"System {name!r} must be a mapping with a method."
        return
    yield from mapping_problems(option_types(PlannedSystem), required_names(PlannedSystem), system, f"System {name!r}")
    given = system.get("method")
    method = method_named(given) if isinstance(given, str) else None
    if method is not None and method not in SYSTEMS:
        yield f"System {name!r}: {unknown('method', method, SYSTEMS)}"
    elif method is not None and not SYSTEMS[method].needs and system.get("model") is not None:
        yield f"System {name!r}: Method {method!r} needs no model, but got model={system['model']!r}. Leave it out."
    yield from _repeated(f"System {name!r}: seeds", system.get("seeds"))
    overrides = system.get("overrides")
    overrides = overrides if isinstance(overrides, list) else []
    for override in overrides:
        if not isinstance(override, dict) or "setting" not in override or not override.keys() <= OVERRIDE.keys():
            yield f"An override of system {name!r} must have a setting, and options or training."
        else:
            if len(override) == 1:
                yield f"An override of system {name!r} has neither options nor training. Give some, or leave it out."
            yield from mapping_problems(OVERRIDE, (), override, f"An override of system {name!r}")
    for part in (system, *overrides):
        yield from _sent_to_others(f"System {name!r}", part.get("training") if isinstance(part, dict) else None)


def _sent_to_others(whose: str, training: Any) -> Iterator[str]:
    for argument, _ in _items(training):
        if argument in TELLS_OTHERS:
            yield (
                f"{whose}: training has {argument!r}, but a recipe sends nothing to others. Say it on the command "
                f"line: --training {argument}=..."
            )


def _unused(recipe: Recipe) -> Iterator[str]:
    """A sentence for each override that is for none of the recipe's settings, and for a training of no system."""
    parts = [part for system in recipe.systems.values() for part in ({"training": system.training}, *system.overrides)]
    if recipe.training and all(part.get("training") is None for part in parts):
        yield "training is for no system: none has one of its own. Give `training: {}` to those that are trained."
    settings = [recipe.whole(setting) for setting in recipe.settings]
    for name, system in recipe.systems.items():
        for override in system.overrides:
            if not any(_applies(override, setting) for setting in settings):
                yield f"An override of system {name!r} is for {override['setting']}, which no setting has. Correct it."


def _applies(override: Mapping[str, Any], setting: Mapping[str, Any]) -> bool:
    return all(setting.get(name) == value for name, value in override["setting"].items())


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
