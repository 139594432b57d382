"""The files of this machine that jobs far away need: recipes, and code and prompts of one's own."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hf_fewshot.files.imports import imported_modules
from hf_fewshot.runs.dependencies import option_files
from hf_fewshot.runs.own_code import sources
from hf_fewshot.runs.run import Run


def shipped_files(runs: Sequence[Run], recipes: Iterable[Path], module: str | None, folder: Path) -> dict[str, Path]:
    """By their paths in the current folder, under which the command names them there too.

    Args:
        recipes: those of the command; one that is no file is in the package.
        module: that brings methods of one's own (`--import`).
        folder: the current one.
    """
    wanted = {path: "the recipe" for path in recipes if path.is_file()}
    for run in runs:
        wanted |= {path: f"the {name}" for name, path in option_files(run).items()}
    code = {one for run in runs for one in sources(run.method)} | ({module} if module else set())
    found = {name: path for one in sorted(code) for name, path in own_modules(one, folder)}
    for path, what in wanted.items():
        place = folder / path
        # As it is named, since a job has it under the same name.
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(
                f"{path}, {what}: jobs find files under the names that they have in the current folder {folder}. Go "
                "to a folder above it, or copy it here, and name it from here."
            )
        found[path.as_posix()] = place
    return found


def own_modules(name: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """The files in a folder that a module consists of, and the modules there that it imports."""
    seen: set[str] = set()
    open_ones = [name]
    while open_ones:
        module = open_ones.pop()
        parts = module.split(".")
        for length in range(1, len(parts) + 1):
            one = ".".join(parts[:length])
            place = folder.joinpath(*parts[:length])
            for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
                if one not in seen and path.is_file():
                    seen.add(one)
                    open_ones += imported_modules(one, path)
                    yield path.relative_to(folder).as_posix(), path
