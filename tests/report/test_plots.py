import logging
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from matplotlib.figure import Figure

from hf_fewshot.report.heat_map import HeatMap
from hf_fewshot.report.plots import table_plots, write_plots
from hf_fewshot.report.score_curves import curves
from hf_fewshot.report.theme import FILE_COLOURS
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table

ERRORS = {"fp_error": 0.05, "fn_error": 0.04, "within_error": 0.03, "outer_error": 0.1}
CONFUSION = {"labels": ["x", "y"], "counts": [[3, 1], [0, 4]]}


def tables(*records):
    return [table(setting) for setting in settings(records)]


def shots(make_record, system, *scores, **more):
    return [
        make_record(system, score, data={"n_way": 5, "shots": 2 * place + 1, "sample": True}, **more)
        for place, score in enumerate(scores)
    ]


def test_a_curve_has_the_scores_of_all_systems(make_record):
    (plot,) = curves(tables(*shots(make_record, "A", 0.2, 0.3), *shots(make_record, "B", 0.4)))
    assert plot.title == "F1 by shots: few_nerd/inter, 5-way, test, sample data"
    assert plot.description == "Lines of F1 in percent over shots. A: 20.0 at 1, 30.0 at 3; B: 40.0 at 1."


def test_one_number_of_shots_or_different_protocols_make_no_curve(make_record):
    other = make_record(data={"n_way": 10, "shots": 3, "sample": True})
    assert curves(tables(*shots(make_record, "A", 0.2), other)) == []


def axes_of(plot):
    figure = Figure(figsize=plot.size)
    plot.paint(figure, FILE_COLOURS)
    return figure.axes[0]


def test_curves_of_one_benchmark_and_measure_have_equal_axes(make_record):
    records = [*shots(make_record, "A", 0.2, 0.3), *shots(make_record, "A", 0.7, 0.8, config="intra")]
    one, other = (axes_of(plot) for plot in curves(tables(*records)))
    # The highest end of an interval is 82 percent.
    assert one.get_ylim() == other.get_ylim() == (0, pytest.approx(1.04 * 82))


def test_bars_of_one_measure_have_equal_axes(make_record):
    records = [
        make_record("A", score, data={"shots": shot, "sample": True}, unit="domain", units={"drama": (20 * score, 20)})
        for shot, score in ((1, 0.25), (3, 0.75))
    ]
    limits = [axes_of(one.domains[0]).get_xlim() for one in table_plots(tables(*records))]
    assert limits == [(0, pytest.approx(1.03 * 75))] * 2


def test_published_numbers_stand_in_curves_beside_ours_and_the_best_of_them_only(make_record):
    records = [
        make_record("A", 0.5, benchmark="clues", config="mnli", measure="s1", data={"shots": shot, "fold": 1})
        for shot in (10, 30)
    ]
    (plot,) = curves(tables(*records))
    assert "human, published: 78.1 at 10, 69.4 at 30; " in plot.description
    assert "DeBERTa-large prompts, published: 44.5 at 10, 62.9 at 30" in plot.description
    assert "DeBERTa-large fine-tuning" not in plot.description
    assert plot.caption.endswith("test (of 12 published systems the 5 with the highest scores)")


def test_nota_rates_make_a_curve(make_record):
    records = [
        make_record("A", score, benchmark="fewrel", config=None, data={"shots": 1, "nota_rate": rate, "sample": True})
        for rate, score in ((0.15, 0.7), (0.5, 0.6))
    ]
    (plot,) = curves(tables(*records))
    assert plot.title == "F1 by NOTA rate: fewrel, 1-shot, test, sample data"
    assert plot.description.endswith("A: 70.0 at 0.15, 60.0 at 0.5.")


def test_kinds_of_errors_are_bars(make_record):
    (one,) = table_plots(tables(make_record("A", scores=ERRORS), make_record("B")))
    (plot,) = one.errors
    assert "False positive tokens: A 5.0; False negative tokens: A 4.0; Wrong fine type: A 3.0" in plot.description
    assert table_plots(tables(make_record("A")))[0].errors == []


def test_domains_are_ratios_of_their_own_averaged_over_runs(make_record):
    records = [
        make_record("A", 0.25, seed=0, unit="domain", units={"drama": (1, 2), "length": (0, 2), "empty": (0, 0)}),
        make_record("A", 0.75, seed=1, unit="domain", units={"drama": (2, 2), "length": (1, 2), "empty": (0, 0)}),
    ]
    (plot,) = table_plots(tables(*records))[0].domains
    assert plot.description == "Bars of F1 in percent. drama: A 75.0; length: A 25.0."
    assert table_plots(tables(make_record()))[0].domains == []


def test_confusions_of_several_runs_are_summed(make_record):
    other = {"labels": ["y", "z"], "counts": [[1, 2], [0, 0]]}
    records = [make_record("A", seed=0, confusion=CONFUSION), make_record("A", seed=1, confusion=other)]
    assert HeatMap.of([CONFUSION, other]) == HeatMap(["x", "y", "z"], [[3, 1, 0], [0, 5, 2], [0, 0, 0]])
    (plot,) = table_plots(tables(*records))[0].confusions
    assert plot.description == (
        "Heat map of 11 predictions, 8 of them right. Most frequent confusions: y as z 2, x as y 1."
    )


def test_of_many_classes_the_rarest_are_counted_together():
    labels = [f"class {number}" for number in range(40)]
    counts = [[number + 1 if column == number else 0 for column in range(40)] for number in range(40)]
    found = HeatMap.of([{"labels": labels, "counts": counts}])
    assert found.labels == [*labels[11:], "11 others"]
    assert found.counts[-1][-1] == sum(range(1, 12))


def test_all_plots_are_written_as_files_and_again_the_same(make_record, tmp_path):
    units = {"drama": (1, 4), "length": (3, 4)}
    more = {"scores": ERRORS, "unit": "domain", "units": units, "confusion": CONFUSION}
    records = [*shots(make_record, "A", 0.5, 0.5, **more), *shots(make_record, "B/C", 0.5, **more)]
    paths = write_plots(records, tmp_path / "plots")
    # A curve; errors and domains for 1 and 3 shots; confusions of A twice and of B once; each in two formats.
    assert len(set(paths)) == 2 * (1 + 2 + 2 + 3)
    assert {path.suffix for path in paths} == {".png", ".svg"}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths if path.suffix == ".png")
    assert all(ElementTree.parse(path) for path in paths if path.suffix == ".svg")
    svg = [path for path in paths if path.suffix == ".svg"]
    before = [path.read_bytes() for path in svg]
    write_plots(records, tmp_path / "plots", formats=("svg",))
    assert [path.read_bytes() for path in svg] == before


def test_plots_of_the_page_follow_its_theme_and_have_names_of_their_own(make_record):
    one, other = curves(tables(*shots(make_record, "A", 0.2, 0.3), *shots(make_record, "A", 0.2, 0.3, config="intra")))
    svg = one.svg()
    assert svg.startswith("<svg")
    for colour in ("currentColor", "var(--rule)", "var(--series-1)"):
        assert colour in svg
    assert "#010101" not in svg
    identifiers = [
        {element.get("id") for element in ElementTree.fromstring(text).iter()} - {None} for text in (svg, other.svg())
    ]
    assert all(identifiers)
    assert not identifiers[0] & identifiers[1]


@pytest.mark.parametrize("system", ["<script>alert(1)</script>", "$\\frac{$ & _x_", "_hidden", "#010101", "原型网络"])
def test_any_name_of_a_system_is_drawn_as_it_stands(make_record, system):
    (plot,) = curves(tables(*shots(make_record, system, 0.2, 0.3)))
    texts = [
        "".join(element.itertext()) for element in ElementTree.fromstring(plot.svg()).iter() if "text" in element.tag
    ]
    assert system in texts


def test_characters_that_no_font_has_are_reported_for_files_of_pixels(make_record, caplog, tmp_path):
    records = shots(make_record, "\U00013000", 0.2, 0.3)
    with caplog.at_level(logging.WARNING):
        write_plots(records, tmp_path, formats=("svg",))
        assert caplog.messages == []
        write_plots(records, tmp_path, formats=("png",))
    assert "No installed font has some characters of few_nerd-inter" in caplog.text


def test_without_matplotlib_the_error_says_what_to_install(make_record, monkeypatch):
    (plot,) = curves(tables(*shots(make_record, "A", 0.2, 0.3)))
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"Plots need matplotlib: pip install 'hf_fewshot\[report\]'"):
        plot.svg()


def test_importing_the_report_does_not_load_matplotlib():
    code = "import sys, hf_fewshot.report.page, hf_fewshot.report.plots; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
