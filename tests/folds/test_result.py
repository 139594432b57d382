import json

import pytest

from hf_fewshot.folds.result import FoldResult, ResultFolder

RESULT = FoldResult("sst2", 10, 2, 0.5, {"always_empty": 0.0}, {"1": ["positive"], "2": []})


def test_a_written_result_is_read_back(tmp_path):
    folder = ResultFolder(tmp_path / "run", {"model": "m", "rates": (1, 2)})
    assert folder.read("sst2", 10, 2) is None
    folder.write(RESULT)
    assert folder.read("sst2", 10, 2) == RESULT
    assert folder.read("sst2", 10, 3) is None
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["sst2_10_2.json"]


def test_a_result_of_another_run_is_refused(tmp_path):
    ResultFolder(tmp_path, {"model": "a"}).write(RESULT)
    with pytest.raises(ValueError, match=r"result of another run, {'model': 'a'}, not of {'model': 'b'}"):
        ResultFolder(tmp_path, {"model": "b"}).read("sst2", 10, 2)


@pytest.mark.parametrize("content", ["{", "[]", '{"run": {}}', json.dumps({"run": {}, "result": {"task": "sst2"}})])
def test_a_damaged_file_is_named(content, tmp_path):
    (tmp_path / "sst2_10_2.json").write_text(content)
    with pytest.raises(ValueError, match=r"sst2_10_2.json is no result of a fold .* Delete it or give another folder"):
        ResultFolder(tmp_path, {}).read("sst2", 10, 2)


def test_an_interrupted_write_leaves_no_result(tmp_path, monkeypatch):
    def fail(source, target):
        raise KeyboardInterrupt

    folder = ResultFolder(tmp_path, {})
    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(KeyboardInterrupt):
        folder.write(RESULT)
    assert folder.read("sst2", 10, 2) is None
