"""Charts of findings as plots, and findings on the page."""

import xml.etree.ElementTree as ElementTree

import pytest

from hf_fewshot.analyses.charts import BarChart, Histogram, RankChart, RingChart, SimilarityChart
from hf_fewshot.analyses.findings import Findings, Sheet
from hf_fewshot.report.findings_plots import cell_text, findings_plots, numeric_columns
from hf_fewshot.report.page import write_report
from hf_fewshot.report.rings import _apart

BARS = BarChart("F1 of each type", "F1 (%)", {"art": {"art-film": 10.0, "art-music": 20.0}, "other": {"other-god": 5}})
RINGS = RingChart("Entities", {"art": {"art-film": 300, "art-music": 0}, "person": {"person-actor": 12_345}})
RANKS = RankChart("Frequent", "share (%)", {"test": (75.0, 25.0), "train": (100.0,)})
HISTOGRAM = Histogram("Overlap", "overlap", (0.0, 0.5, 1.0), {"hits": (40.0, 60.0), "misses": (100.0, 0.0)})
ALIKE = SimilarityChart(
    "Alike", "dot product", {"art": ("art-film", "art-music"), "b": ("b-x",)}, ((9, 1, 2), (1, 8, -3), (2, -3, 7))
)
DRAWN = [
    (BARS, "Bars of F1 (%). art: art-film 10, art-music 20; other: other-god 5."),
    (RINGS, "Two rings of counts. art 300: art-film 300; person 12,345: person-actor 12,345."),
    (
        RANKS,
        "Lines of the share (%) by rank, on a logarithmic scale. test: 2 classes, from 75 to 25; train: 1 classes, "
        "from 100 to 100.",
    ),
    (
        HISTOGRAM,
        "Histograms of overlap. hits: most, 60.0 percent, from 0.5 to 1; misses: most, 100.0 percent, from 0 to 0.5.",
    ),
    (
        ALIKE,
        "Heat map of the dot product of 3 types, from -3 to 9. Most similar: film and x, film and music, music and x.",
    ),
]


def findings(*charts, benchmark="few_nerd", sheets=()):
    return Findings(benchmark, "few_nerd/inter, <b>", tuple(sheets), charts)


@pytest.mark.parametrize(("chart", "description"), DRAWN, ids=[chart.kind for chart, _ in DRAWN])
def test_a_chart_is_drawn_with_its_numbers_in_words(chart, description, tmp_path):
    (plot,) = findings_plots(findings(chart))
    assert plot.description == description
    assert plot.title == f"{chart.title}: few_nerd/inter, <b>"
    for kind in ("svg", "png"):
        plot.save(tmp_path / f"a.{kind}")
    assert ElementTree.parse(tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "var(--series-1)" in plot.svg()


def texts(plot):
    return ["".join(one.itertext()) for one in ElementTree.fromstring(plot.svg()).iter() if one.tag.endswith("text")]


def test_fine_types_stand_beside_their_coarse_type_by_their_short_names():
    (plot,) = findings_plots(findings(BARS))
    assert {"film", "music", "art", "god"} <= set(texts(plot))
    (plot,) = findings_plots(findings(RINGS))
    # The wedge of art is too small for its name; nothing is written of what does not occur.
    assert {"art-film 300", "actor 12.3k"} <= set(texts(plot))
    assert not any("music" in text for text in texts(plot))


def test_the_heat_map_of_66_types_stays_small():
    names = tuple(f"a-{number}" for number in range(66))
    values = tuple(tuple(float((row * 7 + column * 7) % 31) for column in range(66)) for row in range(66))
    (plot,) = findings_plots(findings(SimilarityChart("Alike", "dot product", {"a": names}, values)))
    assert len(plot.svg()) < 600_000


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ([10, 50, 90], [10, 50, 90]),
        ([10, 11, 90], [5.5, 15.5, 90]),
        ([1, 2, 90], [0, 10, 90]),
        ([300, 355, 358], [300, 340, 350]),
    ],
)
def test_names_around_the_rim_are_moved_apart(wanted, found):
    assert _apart(wanted, 10) == pytest.approx(found)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (12345, "12,345"),
        (0.5, "0.50"),
        (0.0, "0.00"),
        (0.0004, "0.0004"),
        (1234.567, "1,234.57"),
        ("a", "a"),
    ],
)
def test_cells_are_shown_as_people_write_numbers(cell, text):
    assert cell_text(cell) == text


def test_columns_of_numbers_are_known():
    assert numeric_columns([["a", 1, None, None], ["b", None, 2.5, None]], 4) == [False, True, True, False]


@pytest.fixture
def page(make_record, tmp_path):
    """The text of a report of three runs of A and one of B, with analyses."""

    def page(**given):
        records = [make_record("A", score, seed=seed) for seed, score in enumerate((0.2, 0.9, 0.5))]
        records.append(make_record("B", 0.4))
        analyses = {
            record.run.name: findings(BARS, sheets=[Sheet.of(f"Of {record.score}", ["x"], [["<i>"], [3]])])
            for record in records[: given.pop("analysed", 3)]
        }
        return write_report(records, tmp_path / "r.html", analyses=analyses, **given).read_text(encoding="utf-8")

    return page


def test_the_page_has_the_analysis_of_the_median_run_of_a_system(page):
    text = page()
    assert "Analysis of A, the median of 3 runs (seed 2)" in text
    assert "Of 0.5" in text
    assert "Of 0.9" not in text
    assert "&lt;i&gt;" in text
    assert "Analysis of B" not in text
    assert "Analysis of A</summary>" in page(analysed=1)


def test_the_page_shows_findings_about_data(page):
    text = page(findings=[findings(RINGS)])
    assert "<h3>Data</h3>" in text
    assert "few_nerd/inter, &lt;b&gt;" in text
    assert "12,345" in text


def test_findings_and_analyses_of_what_has_no_record_are_refused(page, make_record, tmp_path):
    with pytest.raises(ValueError, match="Findings about clues, but there is no record of that benchmark"):
        page(findings=[findings(RINGS, benchmark="clues")])
    with pytest.raises(ValueError, match="Analyses of nobody, but there is no record of that name"):
        write_report([make_record("A")], tmp_path / "r.html", analyses={"nobody": findings(BARS)})
