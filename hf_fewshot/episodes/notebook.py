"""Episodes as notebooks show them: sentences with marked spans, in the colours of reports."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from hf_fewshot.tasks.tags import joiner
from hf_fewshot.text.look import MARKS, PALETTE
from hf_fewshot.text.marked import Piece, pieces
from hf_fewshot.text.visible import visible

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import EpisodeSet
    from hf_fewshot.tasks import Task

N_EPISODES, N_MEMBERS = 3, 8
ROOT = ".hf-fewshot"
STYLE = """\
ROOT { padding: 0.5rem 1rem; border-radius: 8px; background: var(--ground); color: var(--ink); line-height: 1.9; }
ROOT ul { list-style: none; margin: 0; padding: 0; }
ROOT summary { cursor: pointer; font-weight: 600; }
ROOT .note { color: var(--soft); font-size: 0.85rem; }
"""


def episodes_html(episodes: "EpisodeSet") -> str:
    """The first episodes of a set, as HTML that brings its own style; all text of examples is escaped."""
    shown = min(N_EPISODES, len(episodes))
    parts = [f'<p class="note">{_text(repr(episodes))}</p>', *(_episode(episodes, number) for number in range(shown))]
    if shown < len(episodes):
        parts.append(f'<p class="note">and {len(episodes) - shown:,} more</p>')
    return f'<style>{_style()}</style><div class="{ROOT[1:]}">{"".join(parts)}</div>'


def _style() -> str:
    """The styles of reports, for what is below our element alone."""
    palette, marks = (path.read_text(encoding="utf-8") for path in (PALETTE, MARKS))
    return f"{palette.replace(':root', ROOT)}{STYLE.replace('ROOT', ROOT)}{ROOT} {{ {marks} }}"


def _episode(episodes: "EpisodeSet", number: int) -> str:
    kind, episode = episodes.kind, episodes[number]
    names = kind.class_names(episode.classes)
    colours = {name: 1 + place % 8 for place, name in enumerate(names)}
    group = f", {_text(episode.group)}" if episode.group else ""
    classes = " ".join(f'<span class="class c{colours[name]}">{_text(name)}</span>' for name in names)
    found = f"<details{' open' if number == 0 else ''}><summary>Episode {number}{group}</summary><p>{classes}</p>"
    for part, rows in (("support", episode.support), ("query", episode.query)):
        items = "".join(_item(kind, episodes.examples[row], colours) for row in rows[:N_MEMBERS])
        more = len(rows) - N_MEMBERS
        left_out = f'<li class="note">and {more:,} more</li>' if more > 0 else ""
        found += f'<p class="note">{part} ({len(rows):,})</p><ul>{items}{left_out}</ul>'
    return f"{found}</details>"


def _item(kind: "Task", example: Mapping[str, Any], colours: dict[str, int]) -> str:
    words, shown = kind.words(example), kind.shown(example)
    cut = pieces(words, joiner(words), shown.spans, shown.spans, "", colours)
    label = ""
    if shown.label is not None:
        colour = f" c{colours[shown.label]}" if shown.label in colours else ""
        label = f' <span class="class{colour}">{_text(shown.label or "(none)")}</span>'
    return f"<li>{''.join(map(_piece, cut))}{label}</li>"


def _piece(piece: Piece) -> str:
    if not piece.marks:
        return _text(piece.text)
    tags = "".join(f'<span class="tag">{_text(mark.label)}</span>' for mark in piece.marks if mark.ends)
    return f'<mark class="c{piece.marks[0].colour}">{_text(piece.text)}{tags}</mark>'


def _text(text: str) -> str:
    return escape(visible(text, keep=""))
