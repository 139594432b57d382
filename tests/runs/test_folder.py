"""The records of a folder: what cannot be believed is named and left out."""

import pytest

from hf_fewshot.runs.folder import find_records, read_records, record_folders
from hf_fewshot.runs.record import RecordError
from hf_fewshot.runs.run import Run


def test_a_record_that_lies_is_left_out_and_the_others_stay(make_record, tmp_path):
    make_record().write(tmp_path / "true")
    make_record(run=Run("few_nerd", "nnshot"), scores={"f1": 0.75}).write(tmp_path / "false")
    found = find_records(tmp_path)
    assert list(found.records) == [tmp_path / "true"]
    (sentence,) = found.left_out
    assert sentence.startswith(f"{tmp_path / 'false' / 'record.json'} is no record: its score says 75.00 %, but its")


def test_all_that_is_left_out_is_one_error_where_all_records_are_needed(make_record, tmp_path):
    for name in ("a", "b"):
        make_record(run=Run("few_nerd", name), scores={"f1": 0.75}).write(tmp_path / name)
    with pytest.raises(RecordError, match=r"(?s)a/record\.json is no record: .*b/record\.json is no record: "):
        read_records(tmp_path)


def test_the_same_record_in_two_places_counts_once(make_record, tmp_path):
    for name in ("a", "b"):
        make_record(started=f"2026-01-01T00:00:0{len(name)}").write(tmp_path / name)
    found = find_records(tmp_path)
    assert list(found.records) == [tmp_path / "a"]
    assert found.left_out == [f"The same run stands in {tmp_path / 'a'}, {tmp_path / 'b'} and is counted once."]


def test_different_records_of_one_run_are_all_left_out(make_record, tmp_path):
    make_record().write(tmp_path / "a")
    make_record(scores={"f1": 0.25}, numerators=[1.0, 1.0]).write(tmp_path / "b")
    found = find_records(tmp_path)
    assert found.records == {}
    assert found.left_out[0].endswith("and differs, so none of them is used. Keep the one that is right.")


def test_a_record_that_cannot_be_opened_is_named(make_record, tmp_path):
    make_record().write(tmp_path / "true")
    (tmp_path / "folder" / "record.json").mkdir(parents=True)
    found = find_records(tmp_path)
    assert list(found.records) == [tmp_path / "true"]
    assert "folder/record.json" in found.left_out[0]


def test_results_that_were_made_again_are_not_counted(make_record, tmp_path):
    make_record().write(tmp_path / "run")
    make_record().write(tmp_path / "earlier" / "run_20260101T000000Z")
    assert record_folders(tmp_path) == [tmp_path / "run"]
