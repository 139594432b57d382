import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from hf_fewshot.report.page import write_report

CONFUSION = {"labels": ["x", "<b>"], "counts": [[3, 1], [0, 4]]}


class Outline(HTMLParser):
    """Texts by tag, and all attributes."""

    VOID = ("meta", "input", "path", "use", "br")

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.attributes = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.attributes += [(tag, name, value) for name, value in attributes]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.attributes += [(tag, name, value) for name, value in attributes]

    def handle_data(self, data):
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())


def report(tmp_path, records, browse=None):
    return write_report(records, tmp_path / "report.html", browse).read_text(encoding="utf-8")


def test_a_report_is_whole_and_its_elements_are_closed(make_record, tmp_path):
    records = [
        make_record("A", 0.5, seed=0),
        make_record("A", 0.6, seed=1),
        make_record("B", 0.4, seed=0, confusion=CONFUSION, scores={"fp_error": 0.1}),
        make_record("B", 0.3, seed=1),
        make_record("A", 0.7, data={"n_way": 5, "shots": 5}),
        make_record("C", 0.7, benchmark="clues", config="sst2", measure="s1", data={"shots": 10, "fold": 1}),
    ]
    page = Outline(report(tmp_path, records))
    assert page.open == []
    assert page.texts["h1"] == ["Few-shot results"]
    assert page.texts["h2"] == ["clues", "few_nerd"]
    assert page.texts["p"][0] == "6 runs in 3 settings of 2 benchmarks, 2026-02-03"
    assert "Curves" in page.texts["h3"]
    assert {"Paired comparisons", "Confusions"} <= set(page.texts["summary"])
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_settings_that_differ_in_shots_stand_side_by_side(make_record, tmp_path):
    shots = {1: 0.5, 5: 0.7}
    records = [make_record("A", score, data={"shots": n, "sample": True}) for n, score in shots.items()]
    page = report(tmp_path, records)
    assert "Overview" in Outline(page).texts["h3"]
    texts = Outline(page[page.index("<table") : page.index("</table>") + len("</table>")]).texts
    assert texts["button"] == ["System", "1-shot", "5-shot"]
    assert texts["span"][1:] == ["A", "50.00", "70.00", "most frequent", "trivial", "10.00", "10.00"]
    assert "Overview" not in Outline(report(tmp_path, records[:1])).texts["h3"]


def test_encoders_that_differ_stand_apart_from_the_names_of_systems(make_record, tmp_path):
    page = report(tmp_path, [make_record("Alpha", 0.3, model="small"), make_record("Beta", 0.4, model="large")])
    heads = re.findall(r'<th scope="row"[^>]*>(.*?)</th>', page, flags=re.DOTALL)
    texts = [re.sub(r"<[^>]+>", "", head) for head in heads]
    assert [text for text in texts if text.startswith(("Alpha", "Beta"))][:2] == ["Alpha small", "Beta large"]


def test_provenance_names_what_a_score_comes_from(make_record, tmp_path):
    page = Outline(report(tmp_path, [make_record("A", 0.5, seed=3, training={"max_steps": 20})]))
    facts = dict(zip(page.texts["dt"], page.texts["dd"], strict=True))
    assert facts["Score"] == "F1 50.00"
    assert facts["Episodes"] == "fingerprint f00d, n_episodes 10, n_queries 200, official True"
    assert facts["Environment"] == "versions torch 2.13.0, transformers 5.0.0, device cpu, commit abc1234"
    assert facts["Training"] == "max_steps 20"
    assert facts["Seconds"] == "train 12.3, predict 6.0, score 0.5"
    assert facts["Command"] == "hf-fewshot run --benchmark few_nerd"
    assert "A, seed 3" in page.texts["h4"]


def test_text_of_records_and_episodes_is_never_read_as_html(make_record, browse_item, write_browse, tmp_path):
    evil = "<script>alert(1)</script>"
    records = [
        make_record(evil, model=f'"{evil}', data={"shots": shots, "option": evil}, confusion=CONFUSION)
        for shots in (1, 5)
    ]
    item = browse_item([evil, "&amp;"], [[0, 1, evil]], [], label=evil, predicted_label=f"{evil}!")
    row = {"index": 0, "title": evil, "classes": [evil], "support": [item], "query": [item]}
    text = report(tmp_path, records, {records[0].run.name: write_browse(tmp_path / "browse.jsonl", row)})
    assert "alert(1)" in text
    assert text.lower().count("<script") == 1
    assert "<b>" not in text
    page = Outline(text)
    assert page.open == []
    assert evil in page.texts["mark"]


def test_nothing_is_asked_from_outside(make_record, tmp_path):
    text = report(tmp_path, [make_record("A"), make_record("A", data={"n_way": 5, "shots": 5}, confusion=CONFUSION)])
    links = [value for _, name, value in Outline(text).attributes if name in ("src", "href", "xlink:href", "action")]
    assert all(link.startswith("#") for link in links)
    assert "default-src 'none'" in text
    assert not re.search(r"@import|url\((?!#)", text)


def test_the_same_records_give_the_same_report(make_record, tmp_path):
    records = [make_record("A"), make_record("B", 0.4), make_record("A", data={"n_way": 5, "shots": 5})]
    assert report(tmp_path, records) == report(tmp_path, records)


def test_systems_on_other_episodes_are_not_compared_and_the_page_says_why(make_record, tmp_path):
    text = report(tmp_path, [make_record("A", fingerprint="f00d"), make_record("B", fingerprint="beef")])
    assert "Not compared: A and B were not run on the same episodes" in text


def test_intervals_that_say_nothing_are_said_in_words(make_record, tmp_path):
    units = {str(number): (0.0, 5.0) for number in range(3)}
    alike = [replace(make_record(name, 0.0, units=units), intervals={"f1": (0.0, 0.0)}) for name in ("A", "B")]
    text = report(tmp_path, alike)
    assert text.count('<td class="number">none: all 3 episodes alike</td>') == 3  # of each, and of their difference
    assert "0.00 to 0.00" not in text


def test_published_numbers_and_sample_data_are_marked(make_record, tmp_path):
    text = report(tmp_path, [make_record("A", config="intra")])
    assert '<span class="badge">published</span>' in text
    assert "Published numbers were not run here" in text
    text = report(tmp_path, [make_record("A", data={"shots": 1, "sample": True})])
    assert "Sample data of our own" in text
    assert '<span class="badge">published</span>' not in text


def test_a_benchmark_of_the_user_is_shown_too(make_record, tmp_path):
    text = report(tmp_path, [make_record("A", benchmark="my_data", config=None)])
    assert "<h2>my_data</h2>" in text


def test_what_cannot_be_reported_is_refused_and_leaves_the_old_file(make_record, browse_item, write_browse, tmp_path):
    old = report(tmp_path, [make_record("A")])
    with pytest.raises(ValueError, match="Expected at least one record, got none"):
        write_report([], tmp_path / "report.html")
    with pytest.raises(ValueError, match="Episodes to browse of nobody, but there is no record of that name"):
        write_report([make_record("A")], tmp_path / "report.html", {"nobody": tmp_path / "browse.jsonl"})
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == old
