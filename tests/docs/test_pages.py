"""Links inside the project lead somewhere, pages name all there is, cards are valid."""

import dataclasses
import re

import pytest
from huggingface_hub import DatasetCard

from hf_fewshot.cli.main import COMMANDS
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.registry import BENCHMARKS, METRICS, SYSTEMS
from hf_fewshot.runs.folder import read_records
from hf_fewshot.runs.recipe import load_recipe
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run
from hf_fewshot.tables import in_order, markdown_page
from tests.docs.blocks import FENCED, PAGES, PROJECT, named

LINK = re.compile(r"\]\((?!https?://)([^)#]*)(?:#([^)]+))?\)")
LINKED = [*PAGES, PROJECT / "CHANGELOG.md", PROJECT / "CONTRIBUTING.md", *sorted(PROJECT.glob("metrics/*/README.md"))]


def anchors(page):
    """The anchors that GitHub gives the headings of a page."""
    text = FENCED.sub("", page.read_text("utf-8"))
    headings = [re.sub(r"\]\([^)]*\)", "", title) for title in re.findall(r"^#+ +(.*)$", text, re.MULTILINE)]
    found: list[str] = []
    for title in headings:
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        times = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", one) is not None for one in found)
        found.append(f"{anchor}-{times}" if times else anchor)
    return found


def links(page):
    """Pairs of a file and an anchor that a page links to inside the project; either may be empty."""
    return LINK.findall(FENCED.sub("", page.read_text("utf-8")))


@pytest.mark.parametrize("page", LINKED, ids=named)
def test_links_inside_the_project_lead_somewhere(page):
    for target, anchor in links(page):
        file = page.parent / target if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}: {file} has the anchors {anchors(file)}"


def test_links_and_anchors_are_found():
    found = [(page, *one) for page in LINKED for one in links(page)]
    assert (PROJECT / "README.md", "docs/tutorial.md", "completion") in found
    assert len([anchor for _, _, anchor in found if anchor]) >= 20
    assert anchors(PROJECT / "docs" / "clues.md").count("classic-fine-tuning-spans") == 1


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("README.md", [*BENCHMARKS, *METRICS, *COMMANDS]),
        ("docs/benchmarks.md", [f"`{name}`" for one in BENCHMARKS for name in builder_of(one).builder_configs]),
        ("docs/methods.md", [f"`{name}`" for name in SYSTEMS]),
        ("docs/predictions.md", [f"`{one.name}`" for kind in (Record, Run) for one in dataclasses.fields(kind)]),
        ("docs/reproduction.md", [path.name for path in PROJECT.glob("recipes/*.yaml")]),
    ],
)
def test_a_page_names_all_there_is(page, names):
    text = (PROJECT / page).read_text("utf-8")
    assert len(names) >= 10
    assert [name for name in names if name not in text] == []


@pytest.mark.parametrize("recipe", sorted(PROJECT.glob("recipes/*.yaml")), ids=named)
def test_the_number_of_runs_of_a_recipe_is_right(recipe):
    rows = (PROJECT / "docs" / "reproduction.md").read_text("utf-8").splitlines()
    (row,) = [row for row in rows if row.startswith(f"| [{recipe.name}]")]
    assert row.endswith(f"| {len(list(load_recipe(recipe).runs()))} |")


def test_every_page_can_be_reached_from_the_readme():
    text = (PROJECT / "README.md").read_text("utf-8")
    pages = [named(page) for page in PAGES if page.parent.name == "docs"]
    assert [page for page in pages if f"({page})" not in text] == []


def test_the_readme_is_read_in_two_minutes():
    assert len((PROJECT / "README.md").read_text("utf-8").splitlines()) < 120


@pytest.mark.parametrize("benchmark", sorted(BENCHMARKS))
def test_dataset_cards_have_the_metadata_of_the_hub(benchmark):
    builder = builder_of(benchmark)
    card = DatasetCard.load(builder.folder() / "README.md")
    assert card.data.pretty_name
    assert card.data.license
    assert card.data.language in ([None] if builder.OWN_DATA else [["en"], ["zh"]])
    assert "few-shot" in card.data.tags
    assert card.data.task_categories


def test_the_page_of_results_is_what_the_records_say():
    """After new records: `make results`."""
    recipes = map(load_recipe, sorted((PROJECT / "recipes" / "laptop").glob("*.yaml")))
    records = in_order(read_records(PROJECT / "docs" / "records"), recipes)
    assert (PROJECT / "docs" / "results.md").read_text("utf-8") == markdown_page(records)
