"""Tables for LaTeX and spreadsheets."""

import csv
import io
from dataclasses import replace

import pytest

from hf_fewshot.tables.csv_text import csv_text
from hf_fewshot.tables.family import families
from hf_fewshot.tables.grid import Grid, Probability, Score
from hf_fewshot.tables.grids import benchmark_grids, comparisons_grid, overview_grid, scores_grid
from hf_fewshot.tables.latex import latex_table, latex_text
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import Value, table

SAMPLE = {"shots": 1, "sample": True}


def only_table(*records):
    (setting,) = settings(records)
    return table(setting)


def trained(make_record, system, *scores):
    return [
        make_record(system, score, seed=seed, data=SAMPLE, model="m", training={"max_steps": 1}, baselines={})
        for seed, score in enumerate(scores)
    ]


def test_a_latex_table_has_rules_of_booktabs_and_only_the_best_is_bold(make_record):
    records = [make_record("R&D_1", 0.5, data=SAMPLE, model="m"), make_record("B", 0.25, data=SAMPLE, model="m")]
    assert latex_table(scores_grid(only_table(*records))).startswith(
        r"""\begin{table}
\centering
\caption{few\_nerd/inter, 1-shot, test, sample data: F1 in percent.}
\small
\begin{tabular}{@{}llrrr@{}}
\toprule
System & Encoder & F1 & 95 \% interval & Runs \\
\midrule
R\&D\_1 & m & \textbf{50.00} & 48.00 to 52.00 & 1 \\
B & m & 25.00 & 23.00 to 27.00 & 1 \\
\midrule
most frequent &  & 10.00 &  & 1 \\
\bottomrule
\end{tabular}
"""
    )


def test_text_of_strangers_is_text_in_latex_too():
    assert latex_text(r"\input{x} 50% $a_b$ #1 &") == r"\textbackslash{}input\{x\} 50\% \$a\_b\$ \#1 \&"
    assert latex_text("^~ <b> [2]") == r"\textasciicircum{}\textasciitilde{} \textless{}b\textgreater{} {[}2{]}"


def test_a_csv_has_numbers_with_deviation_ends_and_standing_in_columns_of_their_own(make_record):
    records = [*trained(make_record, "A", 0.4, 0.6), *trained(make_record, "B", 0.1, 0.2)]
    rows = list(csv.DictReader(io.StringIO(csv_text(scores_grid(only_table(*records))))))
    assert list(rows[0]) == [
        "System",
        "Encoder",
        "F1",
        "F1, standard deviation",
        "F1, standing",
        "95 % interval, low",
        "95 % interval, high",
        "95 % interval, remark",
        "Runs",
    ]
    assert [rows[0][name] for name in ("System", "F1", "F1, standing", "Runs")] == ["A", "50.0", "best", "2"]
    assert float(rows[0]["F1, standard deviation"]) == 14.1421356237
    assert 0 <= float(rows[0]["95 % interval, low"]) < 50


def test_a_csv_has_no_formulas(make_record):
    rows = list(csv.reader(io.StringIO(csv_text(scores_grid(only_table(make_record("=1+1", data=SAMPLE)))))))
    assert rows[1][0] == "'=1+1"


def test_notes_are_numbered_in_latex_and_stand_in_their_line_in_csv(make_record):
    grid = scores_grid(only_table(make_record("A", config="intra")))
    proto = next(number for number, row in enumerate(grid.rows) if row[0] == "ProtoBERT")
    assert "\\textsuperscript{1}~Ding et al. (2021)" in latex_table(grid)
    assert "Ding et al. (2021)" in csv_text(grid).splitlines()[1 + proto]


def test_all_tables_of_a_benchmark_are_there(make_record):
    errors = {"fp_error": 0.05}
    records = [
        make_record(name, score, data={"shots": shots, "sample": True}, scores=errors)
        for shots in (1, 5)
        for name, score in (("A", 0.5), ("B", 0.25))
    ]
    tables = [table(setting) for setting in settings(records)]
    own = families(tables)
    grids = benchmark_grids([family.overview for family in own], own)
    where = "few_nerd/inter, {}-shot, test, sample data"
    assert [grid.title for grid in grids] == [
        "few_nerd/inter, test, sample data: F1 in percent",
        *(
            f"{where.format(shots)}: {what}"
            for shots in (1, 5)
            for what in ("F1 in percent", "kinds of errors in percent", "paired comparisons")
        ),
    ]
    assert overview_grid(own[0].overview).heads == ["System", "Encoder", "1-shot", "5-shot"]


def test_comparisons_have_differences_in_points_and_p_values(make_record):
    grid = comparisons_grid(only_table(make_record("A", 0.5), make_record("B", 0.25)))
    (row,) = csv.DictReader(io.StringIO(csv_text(grid)))
    assert (row["First"], row["Second"], row["Difference"]) == ("A", "B", "25.0")
    assert float(row["p (permutation)"]) == pytest.approx(2 / 1024)  # all ten episodes agree: 2 of 1024 swaps
    assert r"A & B & 25.00 & " in latex_table(grid)
    assert r" & 0.002 & " in latex_table(grid)


def test_small_p_values_are_no_zeros_in_latex():
    grid = Grid("t", ["Difference", "p"], [[Score(Value(0.857)), Probability(0.0004)], [Score(Value(-12.5)), None]])
    assert "0.86 & \\textless{} 0.001 \\\\\n$-$12.50 &  \\\\\n" in latex_table(grid)
    assert csv_text(grid) == "Difference,p\n0.857,0.0004\n-12.5,\n"


def test_what_was_not_compared_says_why(make_record):
    found = comparisons_grid(
        only_table(make_record("A"), replace(make_record("B"), units=[f"x{n}" for n in range(10)]))
    )
    assert "not compared: A and B were not run on the same episodes" in csv_text(found)
