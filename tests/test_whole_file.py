import pytest

from hf_fewshot.whole_file import whole_file


def test_a_file_appears_at_the_end(tmp_path):
    path = tmp_path / "new" / "a.txt"
    with whole_file(path) as unfinished:
        unfinished.write_text("one")
        assert not path.exists()
    assert path.read_text() == "one"
    assert list(path.parent.iterdir()) == [path]


def test_what_was_there_stays_if_writing_fails(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write_half():
        with whole_file(path) as unfinished:
            unfinished.write_text("half")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
