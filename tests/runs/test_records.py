from hf_fewshot.runs.records import Records
from tests.tables.records import make_record


def test_records_are_a_list_and_a_table():
    records = Records([make_record("A", 0.5, seed=0), make_record("<b>", 0.25, seed=1)])
    assert [record.run.system for record in records] == ["A", "<b>"]
    table = records.to_pandas()
    assert table[["benchmark", "system", "seed", "measure", "score"]].to_numpy().tolist() == [
        ["few_nerd", "A", 0, "f1", 0.5],
        ["few_nerd", "<b>", 1, "f1", 0.25],
    ]
    assert list(table["scores.f1"]) == [0.5, 0.25]
    assert "&lt;b&gt;" in records._repr_html_()
    assert "<td><b>" not in records._repr_html_()
    assert Records()._repr_html_() == "<p>no records</p>"


def test_a_record_is_shown_in_a_line():
    said = repr(make_record("A", 0.5, seed=3))
    assert said.startswith("Record(A, seed 3, on few_nerd/inter, test")
    assert ": f1 0.5000" in said
