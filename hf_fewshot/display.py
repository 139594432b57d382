"""Rows of examples and episodes as text for people."""

from collections.abc import Callable, Iterable
from typing import Any

from hf_fewshot.visible import visible

WIDTH = 150


def render_row(task: str, row: dict[str, Any]) -> str:
    """An episode or an example, a few lines long; characters of it that act on a terminal are shown."""
    if "support" not in row:
        return _shorten(RENDERERS[task](row))
    names = row["classes"] if "classes" in row else [*row["intents"], *row["slots"]]
    domain = f"domain {row['domain']}, " if "domain" in row else ""
    lines = [visible(f"episode {row['index']}: {domain}classes {', '.join(names)}", keep="")]
    for part in ("support", "query"):
        members = row[part]
        lines.append(f"  {part} ({len(members)})")
        lines += [f"    {_shorten(RENDERERS[task](member))}" for member in members[:6]]
        if len(members) > 6:
            lines.append(f"    ... and {len(members) - 6} more")
    return "\n".join(lines)


def mark(tokens: list[str], spans: Iterable[tuple[int, int, str]]) -> str:
    """The sentence with [brackets|label] around spans, which must not overlap."""
    words = list(tokens)
    for start, end, label in spans:
        words[start] = "[" + words[start]
        words[end - 1] += f"|{label}]"
    return joiner(tokens).join(words)


def joiner(tokens: list[str]) -> str:
    """What stands between the tokens of a sentence: nothing in Chinese."""
    return "" if any("\u4e00" <= character <= "\u9fff" for token in tokens for character in token) else " "


def tag_spans(tags: list[str]) -> list[tuple[int, int, str]]:
    """The runs of tags that are not O; `B-` opens a new one."""
    spans: list[tuple[int, int, str]] = []
    bio = all(tag == "O" or tag[:2] in ("B-", "I-") for tag in tags)
    for position, tag in enumerate(tags):
        name = tag[2:] if bio else tag
        goes_on = spans and spans[-1][1:] == (position, name) and not (bio and tag.startswith("B-"))
        if tag == "O":
            continue
        if goes_on:
            spans[-1] = (spans[-1][0], position + 1, name)
        else:
            spans.append((position, position + 1, name))
    return spans


def _relation(row: dict[str, Any]) -> str:
    spans = [(*_first(row[side]), side) for side in ("head", "tail")]
    apart = spans[0][1] <= spans[1][0] or spans[1][1] <= spans[0][0]
    sentence = mark(row["tokens"], spans) if apart else " ".join(row["tokens"])
    return f"{row['relation']}: {sentence}"


def _first(entity: dict[str, Any]) -> tuple[int, int]:
    return entity["mentions"][0]["start"], entity["mentions"][0]["end"]


def _spans(row: dict[str, Any]) -> str:
    return f"{row['question']} -> {row['answers'] or 'no answer'}: {' / '.join(row['context'])}"


def _shorten(text: str) -> str:
    text = visible(" ".join(text.split()), keep="")
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


RENDERERS: dict[str, Callable[[dict[str, Any]], str]] = {
    "joint": lambda row: f"{row['intent']}: {mark(row['tokens'], tag_spans(row['slot_tags']))}",
    "tagging": lambda row: mark(row["tokens"], tag_spans(row["tags"])),
    "relation": _relation,
    "spans": _spans,
    "classification": lambda row: f"{row['label']}: {row['text']}",
}
