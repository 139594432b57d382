import gzip
import io
import random
import stat
import tarfile
import zipfile

import pytest

from hf_fewshot import archive_entries
from hf_fewshot.archives import UnsafeArchiveError, unpack

FILES = {"episode-data/inter/train.jsonl": b'{"a": 1}\n', "episode-data/empty.txt": b"", "readme": b"hello"}


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return path


def write_tar(path, files, mode="w"):
    with tarfile.open(path, mode) as packed:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return path


def contents(folder):
    """Path and content of every file below a folder."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def leftovers(folder):
    """What a refused archive leaves in the folder it was to be unpacked in, without locks."""
    return [path.name for path in folder.iterdir() if path.suffix != ".lock"]


WRITERS = {
    "data.zip": write_zip,
    "data.tar": write_tar,
    "data.tar.gz": lambda path, files: write_tar(path, files, "w:gz"),
    "data.tar.xz": lambda path, files: write_tar(path, files, "w:xz"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_an_archive_is_unpacked_with_its_folders(name, tmp_path):
    archive = WRITERS[name](tmp_path / name, FILES)
    assert contents(unpack(archive, tmp_path / "unpacked")) == dict(sorted(FILES.items()))


def test_the_second_call_reuses_the_folder(tmp_path):
    archive = write_zip(tmp_path / "data.zip", FILES)
    folder = unpack(archive, tmp_path / "unpacked")
    (folder / "readme").write_bytes(b"changed")
    assert unpack(archive, tmp_path / "unpacked") == folder
    assert (folder / "readme").read_bytes() == b"changed"


def test_another_archive_of_the_same_name_has_a_folder_of_its_own(tmp_path):
    first = unpack(write_zip(tmp_path / "data.zip", {"a": b"1"}), tmp_path / "unpacked")
    second = unpack(write_zip(tmp_path / "data.zip", {"a": b"2"}), tmp_path / "unpacked")
    assert (first / "a").read_bytes() == b"1"
    assert (second / "a").read_bytes() == b"2"


def test_what_a_killed_process_left_is_cleared_away(tmp_path):
    archive = write_zip(tmp_path / "data.zip", FILES)
    folder = unpack(archive, tmp_path / "unpacked")
    folder.rename(folder.with_name(f".unpacking-{folder.name}"))
    (folder.with_name(f".unpacking-{folder.name}") / "half").write_bytes(b"")
    assert contents(unpack(archive, tmp_path / "unpacked")) == dict(sorted(FILES.items()))
    assert leftovers(tmp_path / "unpacked") == [folder.name]


@pytest.mark.parametrize("write", [write_zip, write_tar])
@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", "C:/x", "C:x", "..\\x", "\\\\server\\x"])
def test_a_name_that_leads_out_of_the_folder_is_refused(name, write, tmp_path):
    archive = write(tmp_path / "bad", {"good": b"1", name: b"2"})
    with pytest.raises(UnsafeArchiveError, match="which would be written outside its folder"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []
    assert not (tmp_path / "x").exists()


def test_a_link_in_a_zip_is_refused(tmp_path):
    archive = tmp_path / "data.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("good", b"1")
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
    with pytest.raises(UnsafeArchiveError, match="holds a link, 'link'; only plain files are unpacked"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE]
)
def test_a_link_or_device_in_a_tar_is_refused(kind, tmp_path):
    archive = tmp_path / "data.tar"
    with tarfile.open(archive, "w") as packed:
        packed.addfile(tarfile.TarInfo("good"))
        entry = tarfile.TarInfo("odd")
        entry.type, entry.linkname = kind, "good"
        packed.addfile(entry)
    with pytest.raises(UnsafeArchiveError, match="holds 'odd', which is no plain file"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


@pytest.mark.parametrize("name", WRITERS)
def test_an_archive_of_more_than_the_allowed_bytes_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.setattr(archive_entries, "MAX_BYTES", 1000)
    files = {"a": b"\0" * 600, "b": b"\0" * 400}
    unpack(WRITERS[name](tmp_path / name, files), tmp_path / "unpacked")
    bomb = WRITERS[name](tmp_path / f"bomb_{name}", {**files, "c": b"\0"})
    with pytest.raises(UnsafeArchiveError, match="at least 1,001 bytes in 3 files; the limits are 1,000 and"):
        unpack(bomb, tmp_path / "refused")
    assert leftovers(tmp_path / "refused") == []


@pytest.mark.parametrize("write", [write_zip, write_tar])
def test_an_archive_of_more_than_the_allowed_files_is_refused(write, tmp_path, monkeypatch):
    monkeypatch.setattr(archive_entries, "MAX_FILES", 2)
    archive = write(tmp_path / "many", {"a": b"", "b": b"", "c": b""})
    with pytest.raises(UnsafeArchiveError, match="in 3 files; the limits are"):
        unpack(archive, tmp_path / "unpacked")


@pytest.mark.parametrize("stated", [5, 500])
def test_a_zip_entry_of_another_size_than_stated_is_refused(stated, tmp_path):
    archive = write_zip(tmp_path / "data.zip", {"a": b"x" * 100})
    data = archive.read_bytes()
    # The directory at the end of a zip holds the size at offset 24 of an entry.
    entry = data.index(b"PK\x01\x02")
    archive.write_bytes(data[: entry + 24] + stated.to_bytes(4, "little") + data[entry + 28 :])
    with pytest.raises(UnsafeArchiveError, match=r"is damaged \(Bad CRC-32|is smaller than the archive states"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("data.zip", "is neither a zip nor a tar archive"),
        ("data.tar", "is damaged"),
        ("data.tar.gz", "is damaged"),
        ("data.tar.xz", "is damaged"),
    ],
)
def test_a_truncated_archive_is_refused(name, message, tmp_path):
    # Random bytes do not compress: the cut goes through the file's content.
    archive = WRITERS[name](tmp_path / name, {"noise": random.Random(0).randbytes(60_000)})
    data = archive.read_bytes()
    archive.write_bytes(data[: len(data) // 2])
    with pytest.raises(UnsafeArchiveError, match=f"{message}.*delete it and try again"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


def test_a_garbled_zip_is_refused(tmp_path):
    archive = write_zip(tmp_path / "data.zip", {"a": b"some text " * 50})
    data = bytearray(archive.read_bytes())
    data[40] ^= 0xFF
    archive.write_bytes(data)
    with pytest.raises(UnsafeArchiveError, match="is damaged"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


@pytest.mark.parametrize(
    "content",
    [b"", b"<html>this link has expired</html>", gzip.compress(b"no tar", mtime=0)],
    ids=["empty", "page", "gzip"],
)
def test_what_is_no_archive_is_refused(content, tmp_path):
    archive = tmp_path / "data.zip"
    archive.write_bytes(content)
    with pytest.raises(UnsafeArchiveError, match="is neither a zip nor a tar archive; delete it and try again"):
        unpack(archive, tmp_path / "unpacked")
