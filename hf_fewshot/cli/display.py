"""Rows of examples and episodes as text for people."""

from typing import Any

from hf_fewshot.tasks import task_of
from hf_fewshot.text.visible import visible

WIDTH = 150


def render_row(task: str, row: dict[str, Any]) -> str:
    """An episode or an example, a few lines long; characters of it that act on a terminal are shown."""
    kind = task_of(task)
    if "support" not in row:
        return _shorten(kind.render(row))
    classes, group = kind.classes_of(row)
    names = kind.class_names(classes)
    domain = f"domain {group}, " if "domain" in row else ""
    lines = [visible(f"episode {row['index']}: {domain}classes {', '.join(names)}", keep="")]
    for part in ("support", "query"):
        members = row[part]
        lines.append(f"  {part} ({len(members)})")
        lines += [f"    {_shorten(kind.render(member))}" for member in members[:6]]
        if len(members) > 6:
            lines.append(f"    ... and {len(members) - 6} more")
    return "\n".join(lines)


def _shorten(text: str) -> str:
    text = visible(" ".join(text.split()), keep="")
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."
