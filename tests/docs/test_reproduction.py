"""The page of reproduction has a row for every table and figure of the four papers."""

import re
import shlex

import pytest

from hf_fewshot.cli.main import parser
from tests.docs.blocks import PROJECT

PAGE = (PROJECT / "docs" / "reproduction.md").read_text("utf-8")
# What has numbers or a picture in the papers.
PAPERS = {
    "FewJoint": ["Table 1", "Table 2", "Table 3", "Table 4"],
    "CLUES": ["Table 4", "Table 5", "Table 6", "Tables 5 and 6, column All", "Section 6, validation matters"],
    "Few-NERD": [*(f"Table {number}" for number in range(2, 8)), "Figure 1", "Figure 2", "Figure 3"],
    "FewRel 2.0 and Few-Shot TACRED": [
        *(f"Table {number}" for number in range(1, 5)),
        "Figure 1",
        "Figure 2",
        "Section 7.1, training size",
        "Section 7.1, entity types",
        "Section 7.2",
        "Section 7.3",
    ],
}


def rows_of(paper):
    """The cells of a paper's rows."""
    (section,) = re.findall(rf"^### {re.escape(paper)} \(.*?\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_and_figure_has_one_row(paper):
    names = [row[0] for row in rows_of(paper)]
    for name in PAPERS[paper]:
        assert len([one for one in names if one == name or one.startswith(f"{name},")]) == 1, name


@pytest.mark.parametrize("paper", PAPERS)
def test_a_row_says_how_and_what_is_exact_and_what_differs(paper):
    for row in rows_of(paper):
        assert len(row) == 4, row
        assert all(row), row
        how = row[1]
        ways = ("../recipes/", "`hf-fewshot ", "`hf_fewshot.", "published numbers", "the same")
        assert any(way in how for way in ways), row
        assert not re.search(r"\bmissing\b|\bto do\b|not yet", " ".join(row), re.IGNORECASE), row


def test_recipes_that_it_links_to_are_there_and_are_listed():
    linked = set(re.findall(r"\]\(\.\./recipes/([^)]+)\)", PAGE))
    assert len(linked) >= 10
    assert sorted(name for name in linked if not (PROJECT / "recipes" / name).is_file()) == []
    assert sorted(name for name in linked if f"\n| [{name}]" not in PAGE) == []


def test_commands_in_rows_are_understood():
    commands = [
        command for paper in PAPERS for row in rows_of(paper) for command in re.findall(r"`hf-fewshot (.+?)`", row[1])
    ]
    assert len(commands) >= 8
    for command in commands:
        assert parser().parse_args(shlex.split(command)).run is not None
