"""The pages of the project, and what stands in their blocks."""

import re
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted(
    [
        PROJECT / "README.md",
        PROJECT / "SKILL.md",
        *PROJECT.glob("docs/*.md"),
        *PROJECT.glob("dataset_scripts/*/README.md"),
    ]
)
# What is run of blocks.
RUN = ("python", "console")
FENCED = re.compile(r"^```(\w*) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^ {4}.*\n|^\n(?= {4}))+", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language, the name of the file it is, its text."""

    language: str
    file: str
    text: str


def named(page: Path) -> str:
    """The path of a page inside the project."""
    return page.relative_to(PROJECT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page."""
    return [Block(*found) for found in FENCED.findall(page.read_text("utf-8"))]


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Pairs of a command behind `$ ` and the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append(line)
    return found


def indented_lines(page: Path) -> list[str]:
    """The lines of indented blocks, without the indentation; a line that ends with a backslash goes on."""
    text = FENCED.sub("", page.read_text("utf-8"))
    return [
        line
        for block in INDENTED.findall("\n" + text)
        for line in re.sub(r"^ {4}", "", block.replace("\\\n", " "), flags=re.MULTILINE).splitlines()
        if line.strip()
    ]


def shows(output: str, line: str) -> bool:
    """Whether a line stands in the output; how wide spaces are does not matter."""
    parts = (r"\s+".join(map(re.escape, part.split())) for part in line.split("..."))
    return re.search(r".*?".join(parts), " ".join(output.split())) is not None
