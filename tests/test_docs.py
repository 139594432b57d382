"""Every Python block of the pages runs, every link inside the project leads somewhere, every card is valid."""

import re
from pathlib import Path

import pytest
from huggingface_hub import DatasetCard

from hf_fewshot.registry import BENCHMARKS

PROJECT = Path(__file__).resolve().parent.parent
PAGES = sorted([PROJECT / "README.md", *PROJECT.glob("docs/*.md"), *PROJECT.glob("dataset_scripts/*/README.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)\)")


def named(page):
    return page.relative_to(PROJECT).as_posix()


def test_the_pages_are_found():
    assert len(PAGES) >= 9


@pytest.mark.parametrize("page", [page for page in PAGES if "```python" in page.read_text("utf-8")], ids=named)
def test_python_blocks_run_in_order(page):
    namespace = {}
    for block in BLOCK.findall(page.read_text("utf-8")):
        exec(compile(block, named(page), "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_inside_the_project_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("benchmark", sorted(BENCHMARKS))
def test_dataset_cards_have_the_metadata_of_the_hub(benchmark):
    card = DatasetCard.load(PROJECT / "dataset_scripts" / benchmark / "README.md")
    assert card.data.pretty_name
    assert card.data.license
    assert card.data.language in (["en"], ["zh"])
    assert "few-shot" in card.data.tags
    assert card.data.task_categories
