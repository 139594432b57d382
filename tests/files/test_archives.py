import errno
import gzip
import io
import lzma
import random
import stat
import tarfile
import warnings
import zipfile

import pytest

from hf_fewshot.files import archive_entries, archives
from hf_fewshot.files.archives import UnsafeArchiveError, unpack
from hf_fewshot.files.disk_space import DiskFullError

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


def refusal(archive, folder):
    """What is said when an archive is refused; "" if it is unpacked."""
    try:
        unpack(archive, folder)
    except UnsafeArchiveError as error:
        return str(error)
    return ""


def write_names(path, names, kind):
    """An archive of empty files and folders, whose names may come twice."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Duplicate name")
        if kind == "zip":
            with zipfile.ZipFile(path, "w") as packed:
                for name in names:
                    packed.writestr(name, b"")
            return path
    with tarfile.open(path, "w") as packed:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            packed.addfile(entry)
    return path


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
    folder.rename(folder.with_name(f".{folder.name}.123"))
    (folder.with_name(f".{folder.name}.123") / "half").write_bytes(b"")
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


def test_an_encrypted_zip_is_refused_with_a_way_out(tmp_path):
    archive = write_zip(tmp_path / "data.zip", FILES)
    data = bytearray(archive.read_bytes())
    # The flags of the second entry, in the directory at the end.
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    data[second + 8] |= 1
    archive.write_bytes(data)
    message = (
        r"is encrypted \('episode-data/empty\.txt' asks for a password\)\. Unpack it with its password, and give the"
    )
    with pytest.raises(UnsafeArchiveError, match=message):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


def test_a_zip_packed_by_an_unknown_method_is_refused_with_a_way_out(tmp_path):
    archive = write_zip(tmp_path / "data.zip", {"a": b"1" * 100})
    data = bytearray(archive.read_bytes())
    for place in (8, data.index(b"PK\x01\x02") + 10):
        data[place : place + 2] = b"\x63\x00"
    archive.write_bytes(data)
    with pytest.raises(UnsafeArchiveError, match=r"is packed in a way that is unknown here .* folder as data_dir"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


def pax_sparse(path, size, sparse_map="0,3"):
    """A tar archive with one file of three bytes at the beginning and a hole behind them."""
    entry = tarfile.TarInfo("hole")
    entry.size = 3
    entry.pax_headers = {"GNU.sparse.size": str(size), "GNU.sparse.map": sparse_map, "GNU.sparse.name": "hole"}
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as packed:
        packed.addfile(tarfile.TarInfo("first"))
        packed.addfile(entry, io.BytesIO(b"abc"))
    return path


def old_gnu_sparse(path, size):
    """The same in the format of old GNU tar, which has the map and the size in the header."""
    header = tarfile.TarInfo("hole")
    header.size = 3
    block = bytearray(header.tobuf(tarfile.GNU_FORMAT))
    block[156:157] = tarfile.GNUTYPE_SPARSE
    for place, value in ((386, 0), (398, 3), (410, size), (422, 0), (483, size)):
        block[place : place + 12] = tarfile.itn(value, 12, tarfile.GNU_FORMAT)
    block[148:156] = b"        "
    block[148:156] = b"%06o\0 " % sum(block)
    path.write_bytes(bytes(block) + b"abc".ljust(512, b"\0") + bytes(1024))
    return path


@pytest.mark.parametrize("write", [pax_sparse, old_gnu_sparse])
def test_a_sparse_file_counts_with_its_size_when_unpacked(write, tmp_path, monkeypatch):
    folder = unpack(write(tmp_path / "small.tar", 5000), tmp_path / "unpacked")
    assert (folder / "hole").read_bytes() == b"abc" + bytes(4997)
    monkeypatch.setattr(archive_entries, "MAX_BYTES", 10_000)
    with pytest.raises(UnsafeArchiveError, match=r"would unpack to at least 20,000 bytes in \d files; the limits are"):
        unpack(write(tmp_path / "large.tar", 20_000), tmp_path / "refused")
    assert leftovers(tmp_path / "refused") == []


@pytest.mark.parametrize("size", [1 << 40, 1 << 62])
@pytest.mark.parametrize("write", [pax_sparse, old_gnu_sparse])
def test_a_sparse_file_of_terabytes_is_refused_before_a_byte_is_written(write, size, tmp_path):
    with pytest.raises(UnsafeArchiveError, match=f"would unpack to at least {size:,} bytes"):
        unpack(write(tmp_path / "data.tar", size), tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


@pytest.mark.parametrize("sparse_map", ["0", "a,b", "0,3,-5,10", "0," + "9" * 30])
def test_a_sparse_file_with_a_map_that_is_none_is_refused_or_bounded(sparse_map, tmp_path):
    said = refusal(pax_sparse(tmp_path / "data.tar", 5000, sparse_map), tmp_path / "unpacked")
    sizes = [path.stat().st_size for path in (tmp_path / "unpacked").rglob("hole")]
    assert ("data.tar is damaged" in said, sizes) in ((True, []), (False, [5000]))


def test_a_negative_size_is_refused_and_does_not_hang(tmp_path):
    entry = tarfile.TarInfo("odd")
    block = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    block[124:136] = tarfile.itn(-1024, 12, tarfile.GNU_FORMAT)
    block[148:156] = b"        "
    block[148:156] = b"%06o\0 " % sum(block)
    good = bytearray(tarfile.TarInfo("good").tobuf(tarfile.GNU_FORMAT))
    (tmp_path / "data.tar").write_bytes(bytes(good) + bytes(block) + bytes(1024))
    with pytest.raises(UnsafeArchiveError, match=r"is damaged \(an entry has a negative size\)"):
        unpack(tmp_path / "data.tar", tmp_path / "unpacked")


def test_a_header_that_claims_gigabytes_is_not_read_into_memory(tmp_path):
    entry = tarfile.TarInfo("x")
    entry.type, entry.size = tarfile.XHDTYPE, 6 << 30
    start = tarfile.TarInfo("good").tobuf(tarfile.GNU_FORMAT) + entry.tobuf(tarfile.GNU_FORMAT)
    with gzip.open(tmp_path / "data.tar.gz", "wb") as file:
        file.write(start + bytes(1 << 20))
    with pytest.raises(UnsafeArchiveError, match=r"is damaged \(a header of 6,442,450,944 bytes\)"):
        unpack(tmp_path / "data.tar.gz", tmp_path / "unpacked")


@pytest.mark.parametrize("name", ["data.tar", "data.tar.gz", "data.tar.xz"])
def test_a_tar_whose_list_breaks_off_is_refused(name, tmp_path):
    # Otherwise the files behind the damage would be missing without a word.
    plain = write_tar(tmp_path / "plain.tar", {"a": b"1" * 600, "b": b"2" * 600}).read_bytes()
    second = plain.index(b"b\0\0\0")
    damaged = plain[:second] + b"c" + plain[second + 1 :]
    opener = {"data.tar.gz": gzip.open, "data.tar.xz": lzma.open}.get(name, open)
    with opener(tmp_path / name, "wb") as file:
        file.write(damaged)
    with pytest.raises(UnsafeArchiveError, match=r"is damaged \(its list of files does not end as it should\)"):
        unpack(tmp_path / name, tmp_path / "unpacked")
    (tmp_path / "cut.tar").write_bytes(plain[:second])
    with pytest.raises(UnsafeArchiveError, match=r"is damaged \(its list of files does not end as it should\)"):
        unpack(tmp_path / "cut.tar", tmp_path / "unpacked")


def test_the_checksum_behind_a_compressed_tar_is_read(tmp_path):
    archive = write_tar(tmp_path / "data.tar.gz", FILES, "w:gz")
    data = bytearray(archive.read_bytes())
    data[-8] ^= 0xFF
    archive.write_bytes(data)
    with pytest.raises(UnsafeArchiveError, match=r"is damaged \(CRC check failed"):
        unpack(archive, tmp_path / "unpacked")


@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.parametrize(
    "names",
    [("a", "a"), ("x/a", "x//a"), ("a", "./a"), ("a", "a/b"), ("a/b", "a"), ("a/", "a")],
    ids=lambda names: " ".join(names),
)
def test_a_name_that_comes_twice_or_as_file_and_folder_is_refused(names, kind, tmp_path):
    with pytest.raises(UnsafeArchiveError, match="twice, or both as a file and as a folder"):
        unpack(write_names(tmp_path / "data", names, kind), tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


@pytest.mark.parametrize("name", ["a" * 256, "a/" * 51 + "a", "é" * 128])
def test_a_name_that_no_file_can_have_is_refused(name, tmp_path):
    with pytest.raises(UnsafeArchiveError, match="which is no name that a file can have here"):
        unpack(write_zip(tmp_path / "data.zip", {name: b"1"}), tmp_path / "unpacked")


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_folders_may_be_listed_more_than_once(kind, tmp_path):
    archive = write_names(tmp_path / "data", ("a/", "a/b", "a/"), kind)
    assert contents(unpack(archive, tmp_path / "unpacked")) == {"a/b": b""}


def test_a_device_in_a_zip_is_refused(tmp_path):
    archive = tmp_path / "data.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        device = zipfile.ZipInfo("odd")
        device.external_attr = (stat.S_IFCHR | 0o777) << 16
        packed.writestr(device, b"")
    with pytest.raises(UnsafeArchiveError, match="holds a device, 'odd'; only plain files are unpacked"):
        unpack(archive, tmp_path / "unpacked")


def test_a_full_disk_is_no_damage_and_leaves_nothing(tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    archive = write_zip(tmp_path / "data.zip", FILES)
    monkeypatch.setattr(archives, "_write", full)
    with pytest.raises(DiskFullError, match=r"The disk is full: what is in data\.zip does not fit in"):
        unpack(archive, tmp_path / "unpacked")
    assert leftovers(tmp_path / "unpacked") == []


@pytest.mark.parametrize("name", WRITERS)
def test_any_garbled_byte_ends_in_the_files_or_in_a_sentence(name, tmp_path):
    whole = WRITERS[name](tmp_path / name, FILES).read_bytes()
    draw = random.Random(0)
    for number in range(60):
        data = bytearray(whole)
        for _ in range(draw.choice((1, 3))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        (tmp_path / name).write_bytes(data)
        said = refusal(tmp_path / name, tmp_path / f"unpacked-{number}")
        assert bool(said) == (leftovers(tmp_path / f"unpacked-{number}") == [])
