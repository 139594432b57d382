from dataclasses import replace

import pytest

from hf_fewshot.tables.footnotes import Footnotes
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table


def only_table(*records):
    (setting,) = settings(records)
    return table(setting)


def test_our_rows_have_mean_deviation_interval_and_number_of_runs(make_record):
    found = only_table(*(make_record("A", score, seed=seed) for seed, score in enumerate((0.4, 0.5, 0.6))))
    line = found.lines[0]
    assert (line.kind, line.system, line.encoder, line.n) == ("ours", "A", "bert-base-uncased", 3)
    assert str(line.values["f1"]) == "50.00 ± 10.00"
    assert line.low < 50 < line.high
    assert line.over == ("seeds", "episodes")
    assert (found.confidence, found.encoder) == ("95 %", "bert-base-uncased")


def test_one_run_has_the_interval_of_its_record_and_no_deviation(make_record):
    line = only_table(make_record("A", 0.5)).lines[0]
    assert (str(line.values["f1"]), line.interval, line.over) == ("50.00", "48.00 to 52.00", ("episodes",))


@pytest.mark.parametrize(("right", "score"), [(20.0, 1.0), (0.0, 0.0)])
def test_units_that_are_all_alike_have_no_interval_and_that_is_said(make_record, right, score):
    units = {str(number): (right, 20.0) for number in range(3)}
    record = replace(make_record("A", score, units=units), intervals={"f1": (score, score)})
    line = only_table(record).lines[0]
    assert (line.interval, line.low, line.high, line.over) == ("none: all 3 episodes alike", None, None, ())


def test_the_main_measure_comes_first_and_only_measures_that_all_runs_have_are_shown(make_record):
    found = only_table(
        make_record(
            "A",
            0.5,
            seed=0,
            measure="accuracy",
            scores={"f1": 0.2, "recall": 0.3, "n": 7, "per_type/x/f1": 1},
            data={"sample": True},
        ),
        make_record("A", 0.5, seed=1, measure="accuracy", scores={"f1": 0.4}, data={"sample": True}),
    )
    assert found.measures == ["accuracy", "f1"]
    assert found.lines[0].values["f1"].mean == pytest.approx(30)


def test_a_baseline_counts_once_for_each_draw_of_the_data(make_record):
    records = [
        make_record(
            system,
            benchmark="clues",
            config="sst2",
            measure="s1",
            data={"shots": 10, "fold": fold, "sample": True},
            baselines={"always_empty": 0.0, "most_frequent": score},
        )
        for system in ("A", "B")
        for fold, score in ((1, 0.4), (2, 0.6))
    ]
    lines = [line for line in only_table(*records).lines if line.kind == "baseline"]
    assert [(line.system, str(line.values["s1"]), line.n) for line in lines] == [
        ("always empty", "0.00 ± 0.00", 2),
        ("most frequent", "50.00 ± 14.14", 2),
    ]


def test_published_numbers_stand_last_with_encoder_data_and_source(make_record):
    found = only_table(make_record("A", config="intra"))
    assert [line.kind for line in found.lines[:2]] == ["ours", "baseline"]
    assert {line.kind for line in found.lines[2:]} == {"published"}
    proto = next(line for line in found.lines if line.kind == "published" and line.system == "ProtoBERT")
    assert proto.values["f1"].mean == 20.76
    assert "bert-base-uncased" in proto.encoder
    footnotes = Footnotes.of(found.lines)
    assert [footnotes.notes[number - 1] for number in footnotes.numbers(proto)] == list(proto.notes)
    assert any("Ding et al. (2021)" in note for note in proto.notes)


def test_sample_data_has_no_published_numbers(make_record):
    found = only_table(make_record("A", data={"n_way": 5, "shots": 1, "sample": True}))
    assert [line.kind for line in found.lines] == ["ours", "baseline"]


def test_errors_are_rows_of_their_own_with_the_published_ones(make_record):
    errors = {"fp_error": 0.05, "fn_error": 0.04, "within_error": 0.03, "outer_error": 0.1}
    found = only_table(make_record("A", data={"n_way": 5, "shots": 5}, scores=errors))
    assert "fp_error" not in found.measures
    assert [str(value) for value in found.errors[0].values.values()] == ["5.00", "4.00", "3.00", "10.00"]
    # Table 7 of the paper.
    proto = next(line for line in found.errors if line.kind == "published" and line.system == "ProtoBERT")
    assert [value.mean for value in proto.values.values()] == [6.01, 3.25, 5.13, 11.69]


def test_answers_that_a_language_model_did_not_give_are_said_beside_its_score(make_record):
    counts = {"n_queries": 1000, "unparsed": 12, "refused": 0, "too_long": 3, "prompt_tokens": 9999}
    records = [replace(make_record(seed=seed, training={"max_steps": 1}), answers=counts) for seed in (0, 1)]
    (line, *_) = only_table(*records).lines
    expected = "Of 2,000 queries, 24 got an answer that could not be parsed, 6 did not fit the context: never right."
    assert line.notes == (expected,)
    (line, *_) = only_table(replace(make_record(), answers={"n_queries": 5, "unparsed": 0})).lines
    assert line.notes == ()
