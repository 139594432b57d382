"""The recipes that are part of the package, by name: the way to their file, without its ending."""

from importlib.util import find_spec
from pathlib import Path

from hf_fewshot.registry import RECIPES, suggestion

# What a recipe takes, by the folder that it lies in; those of papers want a GPU.
COSTS = {"sample": "minutes on two cores", "laptop": "hours on two cores"}
# Of the latter, by the number of runs that train: as many at most.
GPU_COSTS = {0: "minutes on a GPU", 20: "hours on a GPU"}
LARGE = "hours to days on a GPU"


def recipe_paths() -> dict[str, Path]:
    """The files of all recipes of the package by their names, such as `few_nerd_inter` or `laptop/fewjoint`."""
    spec = find_spec(RECIPES)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    found = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.yaml")}
    return dict(sorted(found.items(), key=lambda one: (one[0].count("/"), one[0])))


def recipe_cost(name: str, n_trained: int) -> str:
    """In words, roughly, what a recipe of the package takes as it stands.

    Args:
        n_trained: how many of its runs train.
    """
    folder, _, _ = name.rpartition("/")
    return COSTS.get(folder) or next((cost for most, cost in GPU_COSTS.items() if n_trained <= most), LARGE)


def recipe_file(asked: str | Path) -> Path:
    """The file that is meant by a path, or else by the name of a recipe of the package."""
    path = Path(asked)
    if path.is_file():
        return path
    known = recipe_paths()
    name = path.with_suffix("").as_posix() if path.suffix == ".yaml" else path.as_posix()
    if name in known:
        return known[name]
    raise ValueError(
        f"There is no file {path}, and no recipe of this name. {suggestion(name.removeprefix('recipes/'), known)}"
    )
