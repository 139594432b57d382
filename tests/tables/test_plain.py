"""Names of records as text: nothing of them is read as markup, and nothing is lost."""

import re

import pytest
from markdown_it import MarkdownIt

from hf_fewshot.tables.plain import markdown_code, markdown_name, markdown_text, one_line, shortened

RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
NAMES = [
    "Proto [ours]",
    "[/red] and [a](https://example.org)",
    "<img src=x onerror=alert(7)>",
    "</td></table><b>x</b>",
    "a|b | c",
    "`code` and ``more``",
    "*bold* _slanted_ ~~gone~~ few_nerd",
    "&lt;b&gt; &amp; &#60;",
    "$x$ \\* back\\slash\\",
    "![image](x.png)",
    "http://example.org www.example.org me@example.org",
    "- # 1. > none",
]


def cell(text):
    """What a reader sees of the second cell of a table."""
    html = RENDERER.render(f"| a | b | c |\n|---|---|---|\n| 1 | {text} | 3 |\n")
    cells = re.findall(r"<td>(.*?)</td>", html, re.DOTALL)
    assert len(cells) == 3, html
    return cells[1]


def seen(html):
    """The text of HTML that has no elements."""
    assert "<" not in html, html
    return html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_seen_as_it_is(name):
    assert seen(cell(markdown_name(name))) == name


@pytest.mark.parametrize("name", NAMES)
def test_a_name_as_code_is_seen_as_it_is(name):
    found = cell(markdown_code(name))
    assert found.startswith("<code>")
    assert seen(found.removeprefix("<code>").removesuffix("</code>")) == name


def test_addresses_in_text_stay_addresses_and_in_names_they_do_not():
    assert markdown_text("see https://example.org <b>") == "see https://example.org \\<b\\>"
    assert markdown_name("see https://example.org") == "see https:\\//example.org"
    assert markdown_name("www.x.org, me@x.org") == "www\\.x.org, me\\@x.org"


def test_a_name_stays_on_one_line_and_its_control_characters_are_shown():
    assert one_line("two\n lines\x1b[2J\u202e") == "two lines\\x1b[2J\\u202e"
    assert markdown_name("a\n\n# b\x07") == "a # b\\\\x07"
    assert markdown_code("a\nb\x00") == "`a b\\x00`"


def test_what_is_no_text_is_shown_too():
    assert (one_line(3), markdown_name(None), markdown_code([1])) == ("3", "None", "`[1]`")


def test_a_long_name_is_cut():
    assert shortened("x" * 26) == "x" * 26
    assert shortened("x" * 27) == "x" * 25 + "…"
    assert shortened("a\x1bb", 4) == "a\\x…"
