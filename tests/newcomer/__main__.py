"""The newcomer: clones the project, runs `make run`, then does what README, tutorial, recipe page and notebook say.

Everything is in a fresh folder, with caches of its own. It prints each step with its output and time, ends with a
table, and with exit code 1 if a step failed or did not print what its page shows below it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.docs.blocks import PROJECT, RUN, blocks, commands, shows

PAGES = ("README.md", "docs/tutorial.md", "docs/recipes.md", "examples/quickstart.ipynb")


def steps_of(page: Path) -> list[tuple[tuple[str, str, str], list[str]]]:
    """Pairs of a step (kind, file, text) and the lines that the page shows below it."""
    if page.suffix == ".ipynb":
        cells = json.loads(page.read_text("utf-8"))["cells"]
        return [(("python", "", "".join(cell["source"])), []) for cell in cells if cell["cell_type"] == "code"]
    steps: list[tuple[tuple[str, str, str], list[str]]] = []
    for block in blocks(page):
        if block.file or block.language == "python":
            steps.append(((block.language, block.file, block.text), []))
        elif block.language in RUN:
            steps += [(("console", "", command), shown) for command, shown in commands(block.text)]
    return steps


def environment(folder: Path, programs: Path) -> dict[str, str]:
    """Of this process's environment, without what a newcomer would not have; caches are below the folder."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    return kept | {"PATH": path, "HF_HOME": str(folder / "home"), "HF_HUB_OFFLINE": "1", "COLUMNS": "160"}


def install(folder: Path) -> Path:
    """Clones the project and runs the README's first command; where its programs are."""
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", PROJECT, clone], check=True)
    programs = clone / ".venv" / "bin"
    subprocess.run(
        ["make", "run", f"PYTHON={sys.executable}"], cwd=clone, env=environment(folder, programs), check=True
    )
    return programs


def play(page: Path, folder: Path, programs: Path) -> bool:
    """Does what a page says in a folder of its own, in which `recipes` and `examples` are as in a clone."""
    folder.mkdir(parents=True)
    for name in ("recipes", "examples"):
        (folder / name).symlink_to(PROJECT / name)
    steps = steps_of(page)
    asked = folder / "STEPS.json"
    asked.write_text(json.dumps([step for step, _ in steps]), encoding="utf-8")
    command = [str(programs / "python"), str(PROJECT / "tests" / "newcomer" / "page.py"), str(asked)]
    subprocess.run(command, cwd=folder, env=environment(folder.parent, programs), check=True)
    done = json.loads((folder / "DONE.json").read_text("utf-8"))
    well = len(done) == len(steps)
    for (output, ended), ((_, _, text), shown) in zip(done, steps, strict=False):
        missing = [line for line in shown if not shows(output, line)]
        well = well and ended and not missing
        for line in missing:
            print(f"{page.name} shows a line that did not come\n    of    {text}\n    line  {line}")
    return well


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.newcomer", description=__doc__.splitlines()[0])
    parser.add_argument("--pages", nargs="+", default=[page for page in PAGES if (PROJECT / page).exists()])
    parser.add_argument("--programs", type=Path, help="bin folder of an environment; without it, `make run` makes one")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="newcomer-"))
    table = []
    began = time.monotonic()
    programs = options.programs.absolute() if options.programs else install(folder)
    table.append(("installation and make run", time.monotonic() - began, True))
    for page in options.pages:
        print(f"\n=== {page}", flush=True)
        began = time.monotonic()
        well = play(PROJECT / page, folder / page.replace("/", "_"), programs)
        table.append((page, time.monotonic() - began, well))
    print(f"\n{folder}")
    for name, seconds, well in table:
        print(f"{name:30} {seconds:7.1f} s  {'well' if well else 'FAILED'}")
    return 0 if all(well for *_, well in table) else 1


if __name__ == "__main__":
    sys.exit(main())
