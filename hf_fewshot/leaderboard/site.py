"""The site: a page with all boards, and a page for each system; files that need nothing else."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from huggingface_hub import ModelCard

from hf_fewshot.cards.model_card import ModelFacts, model_card
from hf_fewshot.files.whole_folder import whole_folder
from hf_fewshot.leaderboard.board import Board, best_systems, board
from hf_fewshot.leaderboard.choices import choices
from hf_fewshot.leaderboard.entry import Entry, page_name
from hf_fewshot.registry import BENCHMARKS
from hf_fewshot.report.html import SCRIPT, STYLE, html_templates, own_text
from hf_fewshot.report.provenance import provenance
from hf_fewshot.report.score_curves import curves
from hf_fewshot.report.theme import Plot
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.family import families
from hf_fewshot.tables.settings import SystemRecords, settings
from hf_fewshot.tables.table import Table, table

logger = logging.getLogger(__name__)

_FOLDER = Path(__file__).parent
PAGES = "systems"  # the folder of the systems' pages
# More lines cannot be told apart by eye.
DRAWN = 8


@dataclass(frozen=True)
class Group:
    """Boards that differ in ways and shots only.

    Args:
        title: what they have in common.
        curves: of the best systems, over shots or rates.
    """

    title: str
    boards: tuple[Board, ...]
    curves: tuple[Plot, ...]


@dataclass(frozen=True)
class BenchmarkBoards:
    """What stands under one tab."""

    name: str
    groups: tuple[Group, ...]

    @property
    def boards(self) -> list[Board]:
        """All of them."""
        return [one for group in self.groups for one in group.boards]


@dataclass(frozen=True)
class SystemPage:
    """A system with its scores in all settings of a benchmark.

    Args:
        places: by setting, the entry.
        records: all of them.
    """

    name: str
    benchmark: str
    label: str
    model: str
    places: tuple[tuple[Board, Entry], ...]
    records: tuple[Record, ...]


def write_site(records: Iterable[Record], output: str | Path, left_out: Iterable[str] = ()) -> Path:
    """Writes the folder of the site; it appears when it is whole.

    Args:
        records: at least one.
        output: the folder, which must not be there, or be one that this function has written.
        left_out: why other records do not count, for the page to say.
    """
    records = list(records)
    if not records:
        raise ValueError("Expected at least one record, got none. Run something first: `hf-fewshot run`.")
    folder = Path(output)
    if folder.exists() and not (folder / PAGES).is_dir():
        raise ValueError(f"{folder} is there and is no leaderboard. Give another folder, or remove it.")
    benchmarks = _benchmarks(records)
    pages = system_pages(benchmarks)
    counts = {
        "records": len(records),
        "systems": len(pages),
        "repositories": len({record.origin for record in records} - {""}),
        "newest": max(record.started for record in records)[:10],
    }
    with whole_folder(folder, "the leaderboard", replace=True) as unfinished:
        (unfinished / PAGES).mkdir()
        index = _rendered(
            "leaderboard.html.jinja",
            benchmarks=benchmarks,
            choices=choices(one for benchmark in benchmarks for one in benchmark.boards),
            counts=counts,
            left_out=list(left_out),
        )
        (unfinished / "index.html").write_text(index, encoding="utf-8")
        (unfinished / "README.md").write_text(SPACE_CARD, encoding="utf-8")
        for page in pages:
            text = _rendered("system.html.jinja", page=page, facts=provenance, card=_card(page))
            (unfinished / PAGES / page.name).write_text(text, encoding="utf-8")
    return folder


SPACE_CARD = """\
---
title: Few-shot leaderboard
emoji: 📊
colorFrom: blue
colorTo: green
sdk: static
pinned: false
tags: [hf_fewshot, leaderboard]
---

Few-shot results with intervals, made by `hf-fewshot leaderboard` from records.
"""


def _benchmarks(records: list[Record]) -> list[BenchmarkBoards]:
    found = []
    for name, members in groupby(settings(records), key=lambda setting: setting.benchmark):
        groups = []
        for family in families(map(table, members)):
            boards = tuple(board(one) for one in family.tables)
            groups.append(Group(family.title, boards, tuple(_curves(boards))))
        found.append(BenchmarkBoards(name, tuple(groups)))
    return found


def _curves(boards: tuple[Board, ...]) -> list[Plot]:
    best = best_systems(boards, DRAWN)
    return curves([_only(one.table, best) for one in boards])


def _only(one: Table, names: set[str]) -> Table:
    """The table with some of its systems."""
    setting = one.setting
    systems = tuple(system for system, line in one.ours if line.system in names)
    return table(replace(setting, systems=systems or setting.systems))


def system_pages(benchmarks: Iterable[BenchmarkBoards]) -> list[SystemPage]:
    """The pages of all systems."""
    found: dict[str, tuple[SystemRecords, list[tuple[Board, Entry]], list[Record]]] = {}
    for one in benchmarks:
        for own in one.boards:
            entries = {entry.page: entry for entry in own.entries}
            for system in own.table.setting.systems:
                name = page_name(system)
                _, places, records = found.setdefault(name, (system, [], []))
                places.append((own, entries[name]))
                records += system.records
    return [
        SystemPage(name, system.records[0].run.benchmark, system.label, system.model, tuple(places), tuple(records))
        for name, (system, places, records) in found.items()
    ]


def _card(page: SystemPage) -> ModelCard | None:
    """The card that a push of these records would write; none where a stranger's benchmark is not known here."""
    if page.benchmark not in BENCHMARKS:
        return None
    return model_card(list(page.records), ModelFacts(page.label))


def _rendered(template: str, **values: Any) -> str:
    style, script = own_text(*STYLE, _FOLDER / "leaderboard.css"), own_text(SCRIPT, _FOLDER / "leaderboard.js")
    return html_templates(_FOLDER).get_template(template).render(style=style, script=script, pages=PAGES, **values)
