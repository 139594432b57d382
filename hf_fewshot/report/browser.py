"""Episodes to look at: sentences with their gold and predicted spans and labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.text.marked import Piece, Span, pieces

# Twenty episodes take a thousandth of it.
MAX_BYTES = 1 << 28
_ITEM = ("tokens", "joiner", "spans", "predicted_spans", "label", "predicted_label")


@dataclass(frozen=True)
class Item:
    """A sentence of an episode.

    Args:
        lines: by name ("", or "gold" and "predicted" where they differ), the pieces of the sentence.
        label: gold label of the sentence.
        predicted_label: predicted one.
        right: whether all predictions are; None in support sets.
        language: "zh" for text without spaces, else "".
    """

    lines: dict[str, list[Piece]]
    label: str | None
    predicted_label: str | None
    right: bool | None
    language: str


@dataclass(frozen=True)
class BrowsedEpisode:
    """An episode as the page shows it."""

    index: int
    title: str
    classes: list[str]
    support: list[Item]
    query: list[Item]


def read_browse(path: str | Path) -> list[BrowsedEpisode]:
    """The episodes of a `browse.jsonl`."""
    path = Path(path)
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path} is larger than {MAX_BYTES:,} bytes: it is no file with episodes to browse.")
    episodes = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line:
            continue
        try:
            row = strict_json(line)
            sides = [[_item(item, row["classes"]) for item in row[side]] for side in ("support", "query")]
            # A title that only numbers the episode says nothing new.
            title = "" if row["title"] == f"episode {row['index']}" else str(row["title"])
            episodes.append(BrowsedEpisode(int(row["index"]), title, _texts(row["classes"]), *sides))
        except (ValueError, KeyError, TypeError) as error:
            wrong = f"has no {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(
                f"{path}, line {number}, is no episode to browse: {wrong}. "
                "Delete the folder of this run and run it again."
            ) from error
    return episodes


def _item(item: dict[str, Any], classes: Sequence[str]) -> Item:
    tokens, joiner, spans, predicted, label, predicted_label = (item[name] for name in _ITEM)
    tokens, (joiner,) = _texts(tokens), _texts([joiner])
    gold = [_span(span, tokens) for span in spans]
    colours = {name: 1 + number % 8 for number, name in enumerate(classes)}
    language = "zh" if joiner == "" else ""
    if predicted is None and predicted_label is None:
        return Item({"": pieces(tokens, joiner, gold, gold, "", colours)}, label, None, None, language)
    found = gold if predicted is None else [_span(span, tokens) for span in predicted]
    same = sorted(found) == sorted(gold)
    lines = {"": pieces(tokens, joiner, gold, gold, "", colours)}
    if not same:
        lines = {
            "gold": pieces(tokens, joiner, gold, found, "missed", colours),
            "predicted": pieces(tokens, joiner, found, gold, "wrong", colours),
        }
    # A system that predicts spans alone is not wrong about labels.
    return Item(lines, label, predicted_label, same and predicted_label in (None, label), language)


def _texts(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("expected a list of texts")
    return values


def _span(span: Sequence[Any], tokens: Sequence[str]) -> Span:
    start, end, label = span
    if not 0 <= start < end <= len(tokens):
        raise ValueError(f"span {span} of {len(tokens)} tokens")
    return start, end, str(label)
