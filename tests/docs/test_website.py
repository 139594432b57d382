"""The site of `make docs`: it is built strictly, has the whole reference, and asks no other host for anything."""

import importlib.util
import re
from html.parser import HTMLParser

import pytest

import hf_fewshot
import hf_fewshot.hub
import hf_fewshot.trainers
from tests.docs.blocks import PAGES, PROJECT, named

# Of a tag, what a browser fetches when it shows the page; <a> is not among them.
FETCHED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}
REGISTERING = ("register_benchmark", "register_method", "register_metric", "register_system", "register_task")


@pytest.fixture(scope="module")
def website():
    spec = importlib.util.spec_from_file_location("website", PROJECT / "docs" / "website.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(website, tmp_path_factory):
    """The site, built as `make docs` does: a link or an anchor that leads nowhere ends the build."""
    return website.build(tmp_path_factory.mktemp("documentation"))


class Page(HTMLParser):
    """What a page fetches, the ids of its parts, and the text of its paragraphs."""

    def __init__(self, html):
        super().__init__()
        self.fetched, self.ids, self.paragraphs, self._inside = [], set(), [], False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag in FETCHED and values.get("rel") != "canonical":
            self.fetched.append(values.get(FETCHED[tag]) or "")
        self.ids.add(values.get("id"))
        if tag == "p":
            self.paragraphs.append("")
        self._inside = tag == "p" or (self._inside and tag not in ("pre", "table", "ul", "ol"))

    def handle_data(self, data):
        if self._inside:
            self.paragraphs[-1] += data

    def handle_endtag(self, tag):
        self._inside = self._inside and tag != "p"


@pytest.fixture(scope="module")
def pages(site):
    return {file.relative_to(site).as_posix(): Page(file.read_text("utf-8")) for file in site.rglob("*.html")}


def test_every_page_of_the_project_is_a_page_of_the_site_and_in_its_navigation(pages, website):
    navigation = re.findall(r'= "([^"]+\.md)"', website.CONFIG.read_text("utf-8"))
    assert len(navigation) == len(set(navigation))
    reference = {f"reference/{page}.md" for page in website.reference()}
    metrics = {named(page) for page in PROJECT.glob("metrics/*/README.md")}
    others = {"CONTRIBUTING.md", "CHANGELOG.md"}
    assert set(navigation) == {named(page) for page in PAGES} | reference | metrics | others
    assert {page.replace("README.md", "index.md").replace(".md", ".html") for page in navigation} <= set(pages)


def test_every_public_name_is_in_the_reference(pages):
    rooms = {"trainers": hf_fewshot.trainers.__all__, "hub": hf_fewshot.hub.__all__, "registry": REGISTERING}
    public = {f"hf_fewshot.{name}" for name in hf_fewshot.__all__}
    public |= {f"hf_fewshot.{room}.{name}" for room, names in rooms.items() for name in names}
    found = set().union(*(page.ids for name, page in pages.items() if name.startswith("reference/")))
    assert sorted(public - found) == []


def test_the_reference_has_methods_that_are_inherited_from_our_classes(pages):
    assert "hf_fewshot.FewShotModel.from_encoder" in pages["reference/models.html"].ids


def test_pages_fetch_nothing_from_other_hosts(site, pages):
    fetched = {place for page in pages.values() for place in page.fetched}
    assert "docs/images/report.png" in fetched
    assert sorted(place for place in fetched if re.match(r"(https?:)?//", place)) == []
    styles = [file.read_text("utf-8") for file in site.rglob("*.css")]
    assert styles
    assert [text for text in styles if re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", text)] == []


def test_what_is_a_list_a_table_or_a_block_in_the_clone_is_one_on_the_site(pages):
    """GitHub and the site differ: a list in a list needs four spaces here."""
    raw = re.compile(r"^\s*(-|\d+\.|\|) |```", re.MULTILINE)
    paragraphs = [text for page in pages.values() for text in page.paragraphs]
    assert len(paragraphs) >= 500
    assert [text for text in paragraphs if raw.search(text)] == []
