"""What there is, as plain values: benchmarks, methods, metrics and recipes."""

from pathlib import Path
from typing import Any

from hf_fewshot.registry import BENCHMARKS, METRICS, SYSTEMS


def method_entry(name: str) -> dict[str, Any]:
    """What a method is, its options, and the arguments of its training beside those of every Trainer."""
    from hf_fewshot.registry import resolve
    from hf_fewshot.systems.options import described_options, system_class

    system = system_class(name)
    found: dict[str, Any] = {**SYSTEMS[name]._asdict(), "tasks": tasks(name)}
    found["options"] = [option._asdict() for option in described_options(system.options(name))]
    by = system.trained_by(name)
    if by is not None:
        arguments = resolve(by.arguments)
        own = {
            field
            for parent in arguments.__mro__[:-1]
            if not _is_of_transformers(parent)
            for field in parent.__annotations__
        }
        described = [option._asdict() for option in described_options(arguments)]
        found["training"] = [option for option in described if option["name"] in own]
    return found


def _is_of_transformers(kind: type) -> bool:
    return kind.__module__.startswith("transformers.")


def tasks(name: str) -> list[str]:
    """The tasks that a method fits."""
    from hf_fewshot.systems.fitting import fits
    from hf_fewshot.tasks import usable_tasks

    return [task.name for task in usable_tasks() if fits(name, task.name)]


def benchmark_entries() -> dict[str, dict[str, Any]]:
    """What the builder of each benchmark says of it."""
    from hf_fewshot.data.benchmark import builder_of

    found: dict[str, dict[str, Any]] = {}
    for name in BENCHMARKS:
        try:
            found[name] = _in_short(builder_of(name))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one of others, the rest is listed
            found[name] = {"task": "", "configs": [], "needs": "", "about": f"cannot be used: {error}"}
    return found


def benchmark_entry(name: str) -> dict[str, Any]:
    """What a benchmark is, and the options of its data."""
    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.data.benchmark_options import benchmark_options
    from hf_fewshot.systems.options import described_options

    builder, own = builder_of(name), benchmark_options(name)
    described = described_options(builder.BUILDER_CONFIG_CLASS)
    return {**_in_short(builder), "options": [option._asdict() for option in described if option.name in own]}


def _in_short(builder: Any) -> dict[str, Any]:
    configs = list(builder.builder_configs)
    return {"task": builder.TASK, "configs": configs, "needs": builder.NEEDS, "about": builder.ABOUT}


def metric_entries() -> dict[str, str]:
    """What the card of each metric says of it; other names for the same are named with it."""
    from huggingface_hub import metadata_load

    from hf_fewshot.registration import metric_folder

    folders: dict[Path, list[str]] = {}
    for name in METRICS:
        folders.setdefault(metric_folder(name), []).append(name)
    found = {}
    for folder, names in folders.items():
        own = folder.name if folder.name in names else names[0]
        card = folder / "README.md"
        about = str(((metadata_load(card) if card.is_file() else None) or {}).get("description", "")).strip()
        others = ", ".join(name for name in names if name != own)
        found[own] = f"{about} Also: {others}.".strip() if others else about
    return found


def recipe_entries() -> dict[str, dict[str, Any]]:
    """What the recipes of the package are: how many runs, how many of them train, and what they take."""
    from hf_fewshot.runs.recipe import load_recipe
    from hf_fewshot.runs.recipe_names import recipe_cost, recipe_paths

    found = {}
    for name, path in recipe_paths().items():
        recipe = load_recipe(path)
        trained = sum(run.training is not None for run in recipe.runs())
        takes = recipe_cost(name, trained)
        found[name] = {"title": recipe.title, "runs": recipe.n_runs, "trained": trained, "takes": takes}
    return found
