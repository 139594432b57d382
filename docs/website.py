"""Makes the site of the documentation: `make docs`, or `python docs/website.py [FOLDER]`; it is then in FOLDER/site.

Pages lie on the site where they lie in the project, so links lead to the same things on both. The pages of the
reference are made from what is public, their text is that of the docstrings.
"""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import hf_fewshot

PROJECT = Path(__file__).resolve().parent.parent
CONFIG = PROJECT / "docs" / "zensical.toml"
# Pages, and the files that they show or link to.
CONTENT = (
    "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SKILL.md", "dataset_scripts/*/published.yaml",
    "dataset_scripts/*/README.md", "docs/*.md", "docs/*.svg", "docs/images/*.png", "examples/*",
    "hf_fewshot/clozes/templates.yaml", "metrics/*/README.md", "recipes/**/*.yaml",
)  # fmt: skip
# Pages of the reference: title, what they are about, the rooms whose public names they have.
ROOMS = {
    "data": (
        "Data and episodes",
        "Benchmarks, data of your own, episodes and scores.",
        ("data", "labelled", "episodes"),
    ),
    "models": (
        "Models and methods",
        "Models, methods on their vectors, systems that predict, and the tasks they are for.",
        ("methods", "models", "systems", "learning", "tasks"),
    ),
    "language_models": ("Language models", "What answers in context.", ("in_context", "endpoints")),
    "runs": ("Runs and records", "What is run, recorded and compared.", ("runs", "statistics")),
}
# Rooms that are public as they are: title and what they are about.
PUBLIC = {
    "trainers": ("Trainers", "Subclasses of `transformers.Trainer`, each with its arguments."),
    "hub": ("Hub", "What pushes and exports."),
    "registry": ("Registry", "Benchmarks, tasks, metrics, methods and systems of your own."),
}
NAMED_FILE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)


def reference() -> dict[str, str]:
    """The pages of the reference by name."""
    pages = {}
    for page, (title, about, rooms) in ROOMS.items():
        names = [f"hf_fewshot.{name}" for name in hf_fewshot.__all__ if _room(name) in rooms]
        pages[page] = _reference_page(title, about, names)
    for room, (title, about) in PUBLIC.items():
        module = importlib.import_module(f"hf_fewshot.{room}")
        names = getattr(module, "__all__", None) or [name for name in vars(module) if name.startswith("register_")]
        pages[room] = _reference_page(title, about, [f"{module.__name__}.{name}" for name in sorted(names)])
    return pages


def _room(name: str) -> str:
    return getattr(hf_fewshot, name).__module__.split(".")[1]


def _reference_page(title: str, about: str, names: list[str]) -> str:
    return "\n".join([f"# {title}\n", f"{about}\n", *(f"::: {name}\n" for name in names)])


def gather(pages: Path) -> None:
    """Copies all pages; blocks that are a file have its name as their title."""
    for file in (file for pattern in CONTENT for file in PROJECT.glob(pattern)):
        target = pages / file.relative_to(PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            text = NAMED_FILE.sub(r'```\1 title="\2"', file.read_text("utf-8"))
            target.write_text(text, encoding="utf-8")
        else:
            shutil.copy(file, target)
    (pages / "reference").mkdir()
    for page, text in reference().items():
        (pages / "reference" / f"{page}.md").write_text(text, encoding="utf-8")


def link_package(package: Path) -> None:
    """The package as a wheel has it, for the tool that reads docstrings off the sources."""
    package.mkdir(parents=True)
    beside = (PROJECT / room for room in ("dataset_scripts", "metrics", "trainers"))
    for place in (*(PROJECT / "hf_fewshot").iterdir(), *beside):
        (package / place.name).symlink_to(place)


def build(folder: Path) -> Path:
    """Builds the site in a folder, which is emptied first. A link or an anchor that leads nowhere is an error."""
    shutil.rmtree(folder, ignore_errors=True)
    gather(folder / "pages")
    link_package(folder / "package" / "hf_fewshot")
    shutil.copy(CONFIG, folder)
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=True)
    return folder / "site"


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else PROJECT / "build" / "docs").resolve())
