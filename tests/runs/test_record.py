import json

import pytest

from hf_fewshot.runs import record as module
from hf_fewshot.runs.folder import cells, read_records
from hf_fewshot.runs.record import Record, RecordError
from hf_fewshot.runs.run import Run


def test_a_record_is_read_as_it_was_written(make_record, tmp_path):
    record = make_record()
    path = record.write(tmp_path / "run")
    assert Record.read(path) == Record.read(tmp_path / "run") == record
    assert record.score == 0.5
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["record.json"]


def test_what_is_no_number_is_refused_and_nothing_is_left(make_record, tmp_path):
    with pytest.raises(ValueError, match="Out of range float"):
        make_record(scores={"f1": float("nan")}).write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_all_that_is_wrong_is_named(make_record, tmp_path):
    path = make_record().write(tmp_path)
    content = json.loads(path.read_text())
    del content["scores"], content["run"]["seed"]
    content["extra"] = 1
    path.write_text(json.dumps(content))
    with pytest.raises(
        RecordError, match=r"it has no 'scores'; it has an unknown 'extra'; its run has no 'seed'. Delete it"
    ):
        Record.read(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measure": "s1"}, "its scores have no 's1', the main measure"),
        ({"units": ["0"]}, "there are 1 units, 2 numerators, 2 denominators"),
        ({"schema_version": 2}, "has schema_version 2, this version reads 1"),
    ],
)
def test_contents_that_contradict_each_other_are_refused(make_record, tmp_path, change, message):
    path = make_record().write(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(RecordError, match=message):
        Record.read(path)


def test_records_of_others_have_a_bound_of_their_own(make_record, tmp_path, monkeypatch):
    path = make_record().write(tmp_path / "run")
    monkeypatch.setattr(module, "MAX_BYTES_OF_OTHERS", 100)
    with pytest.raises(
        RecordError, match=r"^someone/a@1/run/record\.json is damaged: it is larger than 100 bytes\. T"
    ):
        Record.read(path, origin="someone/a@1")
    assert Record.read(path) == make_record()
    monkeypatch.setattr(module, "MAX_BYTES", 100)
    with pytest.raises(RecordError, match=r"record\.json is damaged: it is larger than 100 bytes\. Delete it"):
        Record.read(path)


def test_damaged_records_of_a_folder_are_all_named(make_record, tmp_path):
    make_record().write(tmp_path / "good")
    for name in ("cut", "empty"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "record.json").write_text('{"run": ' if name == "cut" else "")
    with pytest.raises(RecordError, match=r"(?s)cut.*is damaged.*empty.*is damaged"):
        read_records(tmp_path)
    assert len(read_records(tmp_path / "good")) == 1


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"is no folder\. Give a folder with results"):
        read_records(tmp_path / "nowhere")


def test_seeds_and_folds_of_a_system_are_one_cell(make_record):
    data = {"shots": 10}
    runs = [
        Run("clues", "in_context", "sst2", {**data, "fold": fold}, seed=seed) for fold in (1, 2) for seed in (0, 1)
    ]
    other = Run("clues", "in_context", "sst2", {"shots": 20, "fold": 1})
    found = cells([make_record(run=run) for run in [*runs, other]])
    assert [len(records) for records in found] == [4, 1]
