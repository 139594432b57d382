import errno

import pytest

from hf_fewshot.files.abandoned import claimed
from hf_fewshot.files.whole_file import whole_file


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


def test_what_killed_processes_left_of_the_same_file_is_removed(tmp_path):
    for name in (".a.txt.4000001", ".a.txt.12", ".b.txt.12", ".a.txt.notes", ".a.txt"):
        (tmp_path / name).write_text("half")
    with whole_file(tmp_path / "a.txt") as unfinished:
        unfinished.write_text("one")
        with whole_file(tmp_path / "b.txt") as other:
            other.write_text("two")
        assert unfinished.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.txt", ".a.txt.notes", "a.txt", "b.txt"]


def test_what_another_process_is_writing_stays(tmp_path):
    other = tmp_path / ".a.txt.4000001"
    with claimed(other), whole_file(tmp_path / "a.txt") as unfinished:
        unfinished.write_text("one")
        assert other.exists()


def test_a_full_disk_is_named_with_the_file(tmp_path):
    def write():
        with whole_file(tmp_path / "record.json"):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=r"^The disk is full: record.json does not fit in .* Free space there"):
        write()
    assert list(tmp_path.iterdir()) == []
