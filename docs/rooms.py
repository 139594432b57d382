"""Draws docs/rooms.svg, the rooms of the core and what they import, from the code: `python docs/rooms.py`."""

import ast
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
PICTURE = PROJECT / "docs" / "rooms.svg"
# Modules beside the rooms that are drawn as one.
ALIASES = {
    "entries": "registry",
    "names": "registry",
    "method_names": "registry",
    "model_names": "embedded",
    "plugins": "registry",
    "row_code": "registration",
    "autoload": "registration",
}
# Packages beside the core, which it reaches by name only.
BESIDE = ("dataset_scripts", "trainers", "metrics")

STONE, GREEN, BLUE, VIOLET, ORANGE = "#e6e9ed", "#d3ecd9", "#d4e4f7", "#e3dcf5", "#fbe3cc"


class Room(NamedTuple):
    """A room as it is drawn: what it holds, its colour, its column and its layer from below."""

    words: str
    colour: str
    column: float
    layer: int


# In the order of imports: a room may import those before it.
ROOMS = {
    "text": Room("text made safe to show", STONE, 1.6, 0),
    "progress": Room("bars, what is being done", STONE, 0.4, 0),
    "registry": Room("names of all there is", STONE, 2.8, 0),
    "files": Room("fetched, read, written", STONE, 3.1, 1),
    "web": Room("bounded requests, a port", STONE, 0.0, 3),
    "registration": Room("known to other libraries", STONE, 3.3, 2),
    "embedded": Room("models in pip packages", STONE, 4.35, 2),
    "tasks": Room("one file per task", GREEN, 1.0, 1),
    "episodes": Room("sampled, verified, scored", GREEN, 1.0, 2),
    "labelled": Room("data of one's own, as rows", GREEN, 0.0, 2),
    "data": Room("benchmarks as tables", GREEN, 3.15, 3),
    "encoding": Room("sentences as vectors", BLUE, 2.15, 2),
    "methods": Room("support sets to scores", BLUE, 2.0, 3),
    "models": Room("encoder and method", BLUE, 1.0, 4),
    "learning": Room("one's own labels", BLUE, 4.35, 5),
    "spans": Room("sets of spans", BLUE, 0.0, 5),
    "clozes": Room("sentences with a gap", BLUE, 1.0, 5),
    "in_context": Room("prompts and answers", BLUE, 2.0, 5),
    "endpoints": Room("models behind servers", BLUE, 2.4, 6),
    "adapters": Room("language models tuned", BLUE, 1.2, 6),
    "analyses": Room("data and errors looked into", VIOLET, 3.6, 6),
    "tracking": Room("learning curves elsewhere", VIOLET, 4.35, 1),
    "systems": Room("fit and predict", VIOLET, 2.4, 7),
    "runs": Room("asked for, done, recorded", VIOLET, 2.4, 8),
    "statistics": Room("spread, intervals, tests", VIOLET, 1.8, 9),
    "published": Room("numbers of papers", VIOLET, 3.0, 9),
    "tables": Room("records side by side", ORANGE, 2.4, 10),
    "report": Room("a page and plots", ORANGE, 1.6, 11),
    "cards": Room("of models and datasets", ORANGE, 3.2, 11),
    "leaderboard": Room("systems ranked, as a site", ORANGE, 1.6, 12),
    "hub": Room("export and push", ORANGE, 3.2, 12),
    "launching": Room("runs as jobs elsewhere", VIOLET, 3.3, 13),
    "harness": Room("tasks for others to run", ORANGE, 2.0, 13),
    "service": Room("a model over HTTP", ORANGE, 0.4, 9),
    "people": Room("who answer on a page", ORANGE, 0.4, 10),
    "demo": Room("a page to try a model", ORANGE, 4.35, 14),
    "cli": Room("the command line", ORANGE, 2.4, 15),
}
OUTSIDE = {
    "dataset_scripts": Room("one folder per benchmark", "none", 4.35, 11),
    "trainers": Room("one file per trainer", "none", 4.35, 12),
    "metrics": Room("one Space per metric", "none", 4.35, 0),
}
WIDTH, HEIGHT, COLUMN, LAYER, MARGIN = 172, 46, 186, 76, 14
FOOT = 40


class Import(NamedTuple):
    """That a file of one room imports from another."""

    file: str
    room: str
    imported: str


def imports(project: Path = PROJECT) -> list[Import]:
    """All imports between rooms, those inside functions too; `hf_fewshot/__init__.py` is the door to all rooms."""
    found = []
    for top in ("hf_fewshot", *BESIDE):
        for file in sorted((project / top).rglob("*.py")):
            inner = file.relative_to(project / top)
            if top == "hf_fewshot" and inner.name == "__init__.py" and len(inner.parts) == 1:
                continue
            room = top if top in BESIDE else _room(inner.with_suffix("").parts[0])
            tree = ast.parse(file.read_text(encoding="utf-8"))
            rooms = {_room(name.split(".")[1]) for name in _imported(tree) if name.startswith("hf_fewshot.")}
            found += [Import(f"{top}/{inner.as_posix()}", room, one) for one in sorted(rooms - {room})]
    return found


def reduced(links: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Links without those that follow from others."""
    below: dict[str, set[str]] = {}
    for room, imported in links:
        below.setdefault(room, set()).add(imported)

    def reached(room: str) -> set[str]:
        return below.get(room, set()).union(*(reached(one) for one in below.get(room, ())))

    return {
        (room, imported)
        for room, imported in links
        if not any(imported in reached(other) for other in below[room] - {imported})
    }


def picture(project: Path = PROJECT) -> str:
    """The picture as SVG; imports against the order of rooms are not drawn."""
    found = imports(project)
    order = list(ROOMS)
    rooms = {name for one in found for name in (one.room, one.imported)}
    links = {
        (one.room, one.imported)
        for one in found
        if one.room in OUTSIDE or order.index(one.imported) < order.index(one.room)
    }
    places = {name: room for name, room in (ROOMS | OUTSIDE).items() if name in rooms or name in OUTSIDE}
    right = max(room.column for room in places.values())
    width = round(2 * MARGIN + right * COLUMN + WIDTH)
    height = 2 * MARGIN + (1 + max(room.layer for room in places.values())) * LAYER - (LAYER - HEIGHT) + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" text-anchor="middle">',
        "<title>The rooms of hf_fewshot and what they import</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0.8 L7 4 L0 7.2 z" fill="#7d8590"/></marker></defs>',
        '<g fill="none" stroke="#7d8590" stroke-width="1.4">',
        *(_arrow(room, imported, height) for room, imported in sorted(reduced(links))),
        "</g>",
        *(_box(name, room, height) for name, room in places.items()),
        f'<text x="{width / 2:g}" y="{height - 12}" font-size="12" fill="#7d8590">An arrow leads to what a room '
        "imports; those that follow from others are left out. Dashed: by name only, through the registry.</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _room(name: str) -> str:
    return ALIASES.get(name, name)


def _imported(tree: ast.AST) -> Iterator[str]:
    """The names of imported modules, but for those that only type checkers import."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "hf_fewshot":
            yield from (f"hf_fewshot.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        else:
            yield from _imported(node)


def _corner(room: Room, height: int) -> tuple[float, float]:
    """Of its box, above and to the left."""
    return MARGIN + room.column * COLUMN, height - FOOT - MARGIN - HEIGHT - room.layer * LAYER


def _arrow(name: str, imported: str, height: int) -> str:
    upper, lower = ((ROOMS | OUTSIDE)[one] for one in (name, imported))
    (x, y), (end_x, end_y) = _corner(upper, height), _corner(lower, height)
    # Leaves and arrives on the side where the other room is.
    lean = max(-0.3, min(0.3, (end_x - x) / COLUMN * 0.18)) * WIDTH
    begin = (x + WIDTH / 2 + lean, y + HEIGHT)
    end = (end_x + WIDTH / 2 - lean, end_y - 2)
    bend = (end[1] - begin[1]) * 0.5
    return (
        f'<path d="M{begin[0]:.1f} {begin[1]:.1f} C{begin[0]:.1f} {begin[1] + bend:.1f} {end[0]:.1f} '
        f'{end[1] - bend:.1f} {end[0]:.1f} {end[1]:.1f}" marker-end="url(#head)"/>'
    )


def _box(name: str, room: Room, height: int) -> str:
    x, y = _corner(room, height)
    outside = name in OUTSIDE
    colours = ("#7d8590", "#7d8590") if outside else ("#1f2328", "#4b535d")
    frame = 'stroke="#7d8590" stroke-dasharray="5 4"' if outside else 'stroke="#00000026"'
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="9" fill="{room.colour}" {frame}/>\n'
        f'<text x="{x + WIDTH / 2:g}" y="{y + 19:g}" font-size="14" font-weight="600" fill="{colours[0]}">'
        f"{escape(name)}</text>\n"
        f'<text x="{x + WIDTH / 2:g}" y="{y + 36:g}" font-size="11.5" fill="{colours[1]}">{escape(room.words)}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
