"""Where papers report the median model, tables do, and no reader takes one number for the other."""

import numpy as np
import pytest

from hf_fewshot.cli.results_table import results_tables
from hf_fewshot.report.page import write_report
from hf_fewshot.report.plots import curves
from hf_fewshot.tables import markdown_tables
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table

# F1 of five models on five draws; their means are 0.20, 0.32, 0.26, 0.40, 0.30: the median model is that of seed 4.
SCORES = np.array(
    [
        [0.19, 0.20, 0.21, 0.20, 0.20],
        [0.30, 0.32, 0.34, 0.32, 0.32],
        [0.25, 0.26, 0.27, 0.26, 0.26],
        [0.40, 0.40, 0.40, 0.41, 0.39],
        [0.28, 0.30, 0.32, 0.29, 0.31],
    ]
)
TACRED = {"n_way": 5, "shots": 5, "episodes": "published"}


@pytest.fixture
def runs(make_record):
    """Records of one system by model and draw."""

    def make(scores, system="MNAV", benchmark="fs_tacred", draw_option="test_seed", data=TACRED, **more):
        return [
            make_record(
                system,
                float(score),
                benchmark=benchmark,
                config=None,
                task="relation",
                seed=seed,
                data={**data, draw_option: 160290 + draw},
                fingerprint=f"f{draw}",
                scores={"accuracy": float(score) / 2},
                **more,
            )
            for seed, draws in enumerate(scores)
            for draw, score in enumerate(draws)
        ]

    return make


def lines_of(records):
    (setting,) = settings(records)
    return [line for line in table(setting).lines if line.kind in ("ours", "all_models")]


def test_the_line_of_a_system_is_its_median_model_and_the_mean_of_all_stands_apart(runs):
    median, mean = lines_of(runs(SCORES))
    assert (median.kind, median.system, median.n) == ("ours", "MNAV, median of 5 models", 5)
    assert (mean.kind, mean.system, mean.n) == ("all_models", "MNAV, mean of 5 models", 25)
    assert median.values["f1"].mean == pytest.approx(100 * SCORES[4].mean())
    assert median.values["f1"].std == pytest.approx(100 * SCORES[4].std(ddof=1))
    assert mean.values["f1"].mean == pytest.approx(100 * SCORES.mean())
    assert mean.values["f1"].std == pytest.approx(100 * SCORES.std(ddof=1))
    # Other measures are those of the same model.
    assert median.values["accuracy"].mean == pytest.approx(50 * SCORES[4].mean())
    assert median.over == ("draws",)
    assert median.notes[0].startswith("Median model: of all trained models the one with the median score")
    assert median.notes[1] == "Median model of MNAV, 5-way 5-shot: seed 4."
    assert "is not the number that Sabo et al. (2021) report" in mean.notes[0]


def test_of_an_even_number_of_models_the_lower_one_of_the_middle_two_is_shown(runs):
    median, _ = lines_of(runs(SCORES[:4]))  # means 0.20, 0.32, 0.26, 0.40
    assert median.notes[1].endswith("seed 2.")


def test_fewrel_reports_the_median_model_with_none_of_the_above_only(runs):
    data = {"n_way": 5, "shots": 1, "nota_rate": 0.5}
    options = {"benchmark": "fewrel", "draw_option": "seed", "split": "validation"}
    assert [line.kind for line in lines_of(runs(SCORES, data=data, **options))] == ["ours", "all_models"]
    without = {"n_way": 5, "shots": 1}
    (line,) = lines_of(runs(SCORES, data=without, **options))
    assert (line.kind, line.system, line.n) == ("ours", "MNAV", 25)


def test_one_model_is_no_median(runs):
    (line,) = lines_of(runs(SCORES[:1]))
    assert (line.system, line.n, line.notes) == ("MNAV", 5, ())


def test_models_that_cannot_be_ranked_have_a_mean_only_and_that_is_said(runs):
    (line,) = lines_of(runs(SCORES)[:-1])
    assert (line.kind, line.system) == ("ours", "MNAV, mean of 5 models")
    assert line.notes[0].startswith("No median model. MNAV: models must be scored on the same draws of episodes")


def test_both_numbers_are_named_in_markdown_and_on_the_screen(runs):
    records = runs(SCORES)
    rows = [line for line in markdown_tables(records).splitlines() if line.startswith("| MNAV, me")]
    assert len(rows) == 2
    assert "| MNAV, median of 5 models | bert-base-uncased | 30.00 ± 1.58 |" in rows[0]
    assert "| MNAV, mean of 5 models | bert-base-uncased | 29.60 ± 6.83 | all models:" in rows[1]
    (grid,) = results_tables(records)
    names = [str(cell) for cell in grid.columns[0].cells]
    assert names[:2] == ["MNAV, median of 5 models", "  MNAV, mean of 5 models"]


def test_the_page_has_both_lines_their_notes_and_the_one_tailed_test(runs, tmp_path):
    records = [*runs(SCORES), *runs(SCORES - [0.05, 0.06, 0.05, 0.06, 0.05], system="NAV")]
    text = write_report(records, tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.count('<span class="badge plain">all models</span>') == 2
    assert "Median model of NAV, 5-way 5-shot: seed 4." in text
    assert "Median models: difference, one-tailed p" in text
    # Differences of 5, 6, 5, 6, 5 points: t is 5.4 / (0.548 / sqrt 5) = 22.05, with four degrees of freedom.
    assert ">5.40, &lt; 0.001</td>" in text
    other = [*runs(SCORES[:1], benchmark="my_data"), *runs(SCORES[:1], "NAV", benchmark="my_data")]
    assert "Median models" not in write_report(other, tmp_path / "other.html").read_text(encoding="utf-8")


def test_curves_are_those_of_the_median_models(runs):
    records = [*runs(SCORES), *runs(SCORES[:, ::-1] / 2, data={**TACRED, "shots": 1})]
    (plot,) = curves([table(setting) for setting in settings(records)])
    assert "MNAV, median of 5 models: 15.0 at 1, 30.0 at 5" in plot.description
