"""A folder appears when it is whole."""

import errno
import os

import pytest

from hf_fewshot.files.abandoned import claimed_folder
from hf_fewshot.files.disk_space import DiskFullError
from hf_fewshot.files.whole_folder import whole_folder, written_once


def test_a_folder_is_there_at_the_end_and_nothing_else(tmp_path):
    with whole_folder(tmp_path / "new" / "a") as unfinished:
        (unfinished / "file").write_text("one")
        assert not (tmp_path / "new" / "a").exists()
    assert os.listdir(tmp_path / "new") == ["a"]
    assert (tmp_path / "new" / "a" / "file").read_text() == "one"


def test_nothing_is_left_when_it_fails(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"), whole_folder(tmp_path / "a") as unfinished:
        (unfinished / "missing" / "file").write_text("half")
    assert os.listdir(tmp_path) == []


def test_what_killed_processes_left_is_removed_and_what_others_write_is_not(tmp_path):
    (tmp_path / ".a.123").mkdir()
    (tmp_path / ".a.123.lock").touch()
    (tmp_path / ".a.other").mkdir()
    with claimed_folder(tmp_path / ".a.456"), whole_folder(tmp_path / "a"):
        names = {".a.456", ".a.456.lock", f".a.{os.getpid()}", f".a.{os.getpid()}.lock", ".a.other"}
        assert set(os.listdir(tmp_path)) == names
    assert sorted(os.listdir(tmp_path)) == [".a.other", "a"]


def test_a_full_disk_is_explained(tmp_path):
    with (
        pytest.raises(DiskFullError, match="The disk is full: the trained model does not fit in"),
        whole_folder(tmp_path / "a", "the trained model"),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_that_is_there_is_not_written_again(tmp_path):
    def write(folder):
        (folder / "file").write_text("one")

    assert written_once(tmp_path / "a", write, "a file") == tmp_path / "a"
    (tmp_path / "a" / "file").write_text("kept")
    assert (written_once(tmp_path / "a", write, "a file") / "file").read_text() == "kept"
