"""Records of strangers in tables, plots and pages: whatever they are called, it is text, and no secret is shown."""

import re
from dataclasses import replace
from xml.etree import ElementTree

from markdown_it import MarkdownIt

from hf_fewshot.report.page import write_report
from hf_fewshot.report.plots import write_plots
from hf_fewshot.report.provenance import provenance
from hf_fewshot.tables.markdown import markdown_page
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table

ACTS = "\x1b[2J\x00\u202e\uffff"
SHOWN = "\\x1b[2J\\x00\\u202e\\uffff"
MARKUP = "<img src=x onerror=alert(7)>"
MATHS = "$\\frac{1}$ _a 100% \U0001f600"
ADDRESS = "http://me:swordfish@localhost/v1"


def hostile(make_record, word):
    """Two records with a word wherever a stranger can put one."""
    confusion = {"labels": [word, "x"], "counts": [[3, 1], [0, 4]]}
    units = {word: (5.0, 10.0), "other": (5.0, 10.0)}
    records = [
        make_record(
            word,
            benchmark=word,
            config=word,
            measure=word,
            model=word,
            method=word,
            split=word,
            unit="domain",
            units=units,
            baselines={word: 0.1},
            confusion=confusion,
            fingerprint=word,
            options={word: word},
            training={word: word},
            data={"shots": shots, word: word},
        )
        for shots in (1, 5)
    ]
    return [replace(one, environment={"commit": word, word: word}, command=f"run {word}") for one in records]


def test_control_characters_are_shown_in_pages_tables_and_plots(make_record, write_browse, browse_item, tmp_path):
    records = hostile(make_record, ACTS)
    item = browse_item([ACTS, "b"], [[0, 1, ACTS]], [], label=ACTS, predicted_label=ACTS)
    row = {"index": 0, "title": ACTS, "classes": [ACTS], "support": [item], "query": [item]}
    browse = {records[0].run.name: write_browse(tmp_path / "browse.jsonl", row)}
    page = write_report(records, tmp_path / "page.html", browse).read_text(encoding="utf-8")
    plots = [path.read_text(encoding="utf-8") for path in write_plots(records, tmp_path, formats=("svg",))]
    for text in (page, markdown_page(records), *plots):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\uffff]", text)
        assert SHOWN in text.replace("\\\\", "\\").replace("\\[", "[")
    assert plots
    assert all(ElementTree.fromstring(plot) is not None for plot in plots)


def test_markup_is_text_in_tables_and_plots(make_record, tmp_path):
    records = hostile(make_record, MARKUP)
    renderer = MarkdownIt("commonmark", {"html": True}).enable("table")
    html = renderer.render(markdown_page(records))
    assert "&lt;img src=x onerror=alert(7)&gt;" in html
    assert "<img" not in html
    for path in write_plots(records, tmp_path, formats=("svg",)):
        assert "<img" not in path.read_text(encoding="utf-8")
    assert "<img" not in write_report(records, tmp_path / "page.html").read_text(encoding="utf-8")


def test_maths_missing_glyphs_and_long_names_do_not_stop_a_plot(make_record, tmp_path):
    for word in (MATHS, "é" * 3000, "你" * 200):
        paths = write_plots(hostile(make_record, word), tmp_path)
        assert {path.suffix for path in paths} == {".png", ".svg"}
        assert all(path.stat().st_size > 1000 for path in paths)
    text = next(path for path in paths if path.suffix == ".svg").read_text(encoding="utf-8")
    assert "你你" in text


def test_a_system_keeps_its_name_in_the_legend_whatever_it_begins_with(make_record, tmp_path):
    records = [make_record("_hidden", data={"shots": shots, "sample": True}) for shots in (1, 5)]
    (plot, *_) = write_plots(records, tmp_path, formats=("svg",))
    assert ">_hidden</text>" in plot.read_text(encoding="utf-8")


def test_names_that_look_the_same_are_numbered(make_record):
    (setting,) = settings([make_record("A", data={}), make_record("A\n", data={})])
    assert [system.label for system in setting.systems] == ["A", "A #2"]


def test_secrets_of_old_records_are_not_shown(make_record, tmp_path):
    old = replace(
        make_record("A", model=ADDRESS, options={"endpoint": ADDRESS}, training={"hub": [ADDRESS]}),
        environment={"mirror": ADDRESS, "commit": "abc"},
        command=f"hf-fewshot run -o endpoint={ADDRESS}",
    )
    other = make_record("A", model=ADDRESS, options={"endpoint": ADDRESS + "/x"})
    page = write_report([old, other], tmp_path / "page.html").read_text(encoding="utf-8")
    (setting,) = settings([old, other])
    texts = [page, markdown_page([old, other]), str(table(setting)), str(provenance(setting.records[0]))]
    assert not [text for text in texts if "swordfish" in text]
    assert "http://&lt;redacted&gt;@localhost/v1" in page


def test_other_data_is_a_setting_of_its_own_without_published_numbers(make_record, tmp_path):
    own, also = (make_record("A", config="intra", seed=seed) for seed in (0, 1))
    other = replace(also, episodes={**also.episodes, "official": False, "fingerprint": "beef"})
    first, second = map(table, settings([other, own]))
    assert [first.setting.title, second.setting.title] == [
        "few_nerd/intra, 5-way 1-shot, test",
        "few_nerd/intra, 5-way 1-shot, test, other data",
    ]
    assert "published" in {line.kind for line in first.lines}
    assert "published" not in {line.kind for line in second.lines}
    assert [one.setting.records[0].run.seed for one in (first, second)] == [0, 1]
    page = write_report([other, own], tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("Other data in the format of few_nerd, or a part of its data: published numbers do not") == 1


def test_a_benchmark_of_the_user_is_not_called_other_data(make_record):
    record = make_record(benchmark="my_data", config=None, data={})
    (setting,) = settings([replace(record, episodes={**record.episodes, "official": False})])
    assert setting.title == "my_data, test"
