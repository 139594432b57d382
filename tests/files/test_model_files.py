import pytest

from hf_fewshot.files.model_files import model_json


def test_a_file_of_a_folder_is_read_and_a_missing_one_is_none(tmp_path):
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"a": [1]}')
    assert model_json(tmp_path, "1_Pooling/config.json") == {"a": [1]}
    assert model_json(tmp_path, "modules.json") is None


@pytest.mark.parametrize("content", ["{", '{"a": 1, "a": 2}', "[NaN]", "\udcff"])
def test_a_damaged_file_is_named(tmp_path, content):
    (tmp_path / "modules.json").write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(ValueError, match=r"modules.json of '.*' is no JSON that can be used: .*\. Get it again"):
        model_json(tmp_path, "modules.json")
