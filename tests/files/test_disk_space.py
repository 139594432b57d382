"""A full disk: told in one sentence, whatever library met it, and before memory maps are written to."""

import errno
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from hf_fewshot.files import disk_space
from hf_fewshot.files.disk_space import DiskFullError, allocate, disk_full_explained, free_at, size_in_words


def fail_with(error: Exception, folder: Path, needed: int | None = None) -> None:
    with disk_full_explained(folder, "the model", needed):
        raise error


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        RuntimeError("Error while serializing: I/O error: No space left on device (os error 28)"),
    ],
)
def test_every_guise_of_a_full_disk_is_one_error(tmp_path, error, monkeypatch):
    monkeypatch.setattr(disk_space, "free_at", lambda path: 1_500)
    with pytest.raises(DiskFullError) as caught:
        fail_with(error, tmp_path, 2_500_000_000)
    assert str(caught.value) == (
        f"The disk is full: the model takes 2.5 GB and does not fit in {tmp_path}, where 1.5 kB are free. Free space "
        "there, or write elsewhere (--output for results and models, HF_HOME for caches). What is finished is kept; "
        "the same command goes on."
    )
    assert caught.value.__cause__ is error


def test_an_error_without_a_reason_is_one_of_a_full_disk_where_nothing_is_left(tmp_path, monkeypatch):
    error = RuntimeError("PytorchStreamWriter failed writing file data/0: file write failed")
    with pytest.raises(RuntimeError, match="PytorchStreamWriter"):
        fail_with(error, tmp_path)
    monkeypatch.setattr(disk_space, "free_at", lambda path: 0)
    with pytest.raises(DiskFullError, match="the model does not fit"):
        fail_with(error, tmp_path)


def test_an_error_that_came_from_a_full_disk_is_one_too(tmp_path):
    def save():
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        except OSError as error:
            raise ValueError("could not save") from error

    with pytest.raises(DiskFullError, match="the model does not fit"), disk_full_explained(tmp_path, "the model"):
        save()


def test_other_errors_stay_what_they_are(tmp_path):
    with pytest.raises(PermissionError, match="not yours"):
        fail_with(PermissionError(errno.EACCES, "not yours"), tmp_path)


def test_space_is_taken_at_once(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"begin")
    allocate(path, 100_000, "a file", tmp_path)
    assert path.stat().st_size == 100_000
    assert path.stat().st_blocks * 512 >= 100_000
    assert path.read_bytes()[:7] == b"begin\0\0"


def test_space_is_taken_without_a_call_of_the_system_too(tmp_path, monkeypatch):
    monkeypatch.delattr("os.posix_fallocate")
    path = tmp_path / "a"
    path.write_bytes(b"begin")
    allocate(path, 20 << 20, "a file", tmp_path)
    assert path.stat().st_size == 20 << 20


def test_more_than_a_disk_has_is_refused(tmp_path):
    with pytest.raises(DiskFullError, match=r"^The disk is full: vectors takes 1000.0 TB and does not fit in .*free"):
        allocate(tmp_path / "a", 10**15, "vectors", tmp_path)


def test_the_space_of_a_folder_that_is_not_there_yet_is_that_of_its_disk(tmp_path):
    assert abs(free_at(tmp_path / "not" / "there") - free_at(tmp_path)) < 1 << 30


def test_sizes_are_in_units_that_people_read():
    sizes = (0, 999, 1_000, 1_250_000, 3_000_000_000, 7 * 10**15)
    assert [size_in_words(size) for size in sizes] == [
        "0 bytes",
        "999 bytes",
        "1.0 kB",
        "1.2 MB",
        "3.0 GB",
        "7000.0 TB",
    ]


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: (folder / "a").write_bytes(bytes(3 << 20)),
        lambda folder: save_file({"weight": torch.zeros(1 << 20)}, folder / "model.safetensors"),
        lambda folder: torch.save({"state": torch.zeros(1 << 20)}, folder / "optimizer.pt"),
        lambda folder: allocate(folder / "vectors.npy", 3 << 20, "the vectors", folder),
    ],
    ids=["python", "safetensors", "torch", "allocate"],
)
def test_a_disk_that_really_is_full_ends_in_a_sentence(small_disk, write):
    with (
        pytest.raises(DiskFullError, match=r"^The disk is full: .* Free space there"),
        disk_full_explained(small_disk, "it"),
    ):
        write(small_disk)
