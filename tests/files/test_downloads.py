import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace

import pytest

from hf_fewshot.files import downloads
from hf_fewshot.files.downloads import DownloadError, download, downloaded
from tests.attacks.faulty_server import ENDLESS, FaultyServer, etag

CONTENT = bytes(range(256)) * 40
SHA256 = "e96760a87768717bcebcfd25ddc7d46b4dbc95a4b0014def080c08539f7d90d0"


@pytest.fixture
def served(tmp_path):
    """The folder that is served, with one file of 10,240 bytes."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "data.bin").write_bytes(CONTENT)
    return folder


@pytest.fixture
def local(tmp_path):
    """The folder of downloads."""
    return tmp_path / "local"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Between attempts."""
    monkeypatch.setattr(downloads, "time", SimpleNamespace(sleep=lambda seconds: None, monotonic=time.monotonic))


def files(folder):
    """The names below a folder, without locks."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


def test_a_file_comes_once_and_is_whole(http_folder, served, local):
    server = http_folder(served)
    path = download(f"{server.url}/data.bin", local, sha256=SHA256)
    assert path.read_bytes() == CONTENT
    assert path.name == "data.bin"
    assert download(f"{server.url}/data.bin", local, sha256=SHA256) == path
    assert server.requests == [("GET", "/data.bin", None)]
    assert files(local) == ["data.bin"]


def test_a_cut_connection_goes_on_where_it_stopped(http_folder, served, local):
    server = http_folder(served, cut=4000, cuts=2)
    assert download(f"{server.url}/data.bin", local).read_bytes() == CONTENT
    assert [asked for _, _, asked in server.requests] == [None, "bytes=4000-", "bytes=8000-"]
    assert files(local) == ["data.bin"]


def test_a_server_that_knows_no_ranges_is_asked_for_all_of_it_again(http_folder, served, local):
    server = http_folder(served, cut=4000, cuts=1, ranges=False)
    assert download(f"{server.url}/data.bin", local, sha256=SHA256).read_bytes() == CONTENT
    assert [asked for _, _, asked in server.requests] == [None, "bytes=4000-"]


def test_a_server_that_names_no_version_is_asked_for_all_of_it_again(http_folder, served, local):
    # The rest of another version of the file must not be joined to the beginning of this one.
    server = http_folder(served, cut=4000, cuts=1, headers={"ETag": 'W/"weak"'})
    assert download(f"{server.url}/data.bin", local).read_bytes() == CONTENT
    assert [asked for _, _, asked in server.requests] == [None, None]


def test_a_connection_cut_every_time_is_an_error_and_a_later_call_goes_on(http_folder, served, local):
    server = http_folder(served, cut=1000, cuts=4)
    url = f"{server.url}/data.bin"
    with pytest.raises(DownloadError, match=r"/data\.bin could not be fetched in 4 attempts"):
        download(url, local, sha256=SHA256)
    assert downloaded(url, local) is None
    assert files(local) == ["data.bin.incomplete", "data.bin.incomplete.version"]
    assert download(url, local, sha256=SHA256).read_bytes() == CONTENT
    assert server.requests[4:] == [("GET", "/data.bin", "bytes=4000-")]
    assert files(local) == ["data.bin"]


def test_a_file_that_changed_since_the_connection_was_cut_is_fetched_anew(http_folder, served, local):
    server = http_folder(served, cut=1000, cuts=4)
    url = f"{server.url}/data.bin"
    with pytest.raises(DownloadError, match="could not be fetched"):
        download(url, local)
    changed = CONTENT[::-1]
    (served / "data.bin").write_bytes(changed)
    assert download(url, local).read_bytes() == changed


@pytest.mark.parametrize("size", [10_240, 20_000])
def test_a_stale_beginning_as_long_as_the_file_or_longer_is_dropped(size, http_folder, served, local):
    server = http_folder(served, cut=1000, cuts=4)
    url = f"{server.url}/data.bin"
    with pytest.raises(DownloadError, match="could not be fetched"):
        download(url, local)
    (part,) = local.rglob("*.incomplete")
    part.write_bytes(b"x" * size)
    assert download(url, local).read_bytes() == CONTENT
    assert [asked for _, _, asked in server.requests[4:]] == [f"bytes={size}-", None]


def test_a_wrong_checksum_leaves_nothing_and_the_next_good_download_works(http_folder, served, local):
    server = http_folder(served)
    url = f"{server.url}/data.bin"
    (served / "data.bin").write_bytes(b"damaged")
    with pytest.raises(DownloadError, match=rf"data\.bin has SHA-256 [0-9a-f]{{64}}, expected {SHA256}"):
        download(url, local, sha256=SHA256)
    assert files(local) == []
    (served / "data.bin").write_bytes(CONTENT)
    assert download(url, local, sha256=SHA256).read_bytes() == CONTENT


def test_a_local_copy_with_a_wrong_checksum_is_replaced(http_folder, served, local):
    server = http_folder(served)
    url = f"{server.url}/data.bin"
    download(url, local).write_bytes(b"damaged on disk")
    assert downloaded(url, local, sha256=SHA256) is None
    assert download(url, local, sha256=SHA256).read_bytes() == CONTENT


def test_a_missing_file_is_an_error_at_once(http_folder, served, local):
    server = http_folder(served)
    with pytest.raises(DownloadError, match=r"/nothing\.bin answers 404 Not Found"):
        download(f"{server.url}/nothing.bin", local)
    assert len(server.requests) == 1
    assert files(local) == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status, http_folder, served, local):
    server = http_folder(served, statuses=(status, status))
    assert download(f"{server.url}/data.bin", local).read_bytes() == CONTENT
    assert len(server.requests) == 3


def test_a_server_that_stays_busy_is_an_error_that_names_its_answer(http_folder, served, local):
    server = http_folder(served, statuses=(503,) * 4)
    with pytest.raises(DownloadError, match=r"could not be fetched in 4 attempts .*503 Service Unavailable"):
        download(f"{server.url}/data.bin", local)


def test_a_server_that_is_not_there_is_an_error(http_folder, served, local):
    server = http_folder(served)
    server.shutdown()
    server.server_close()
    with pytest.raises(DownloadError, match="could not be fetched in 4 attempts"):
        download(f"{server.url}/data.bin", local)


def test_an_empty_file_is_downloaded(http_folder, served, local):
    (served / "data.bin").write_bytes(b"")
    assert download(f"{http_folder(served).url}/data.bin", local).read_bytes() == b""


def test_two_processes_at_once_download_a_file_once(http_folder, served, local):
    server = http_folder(served, delay=0.5)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        tasks = [pool.submit(download, f"{server.url}/data.bin", local, sha256=SHA256) for _ in range(2)]
        first, second = (task.result(timeout=60) for task in tasks)
    assert first == second
    assert first.read_bytes() == CONTENT
    assert len(server.requests) == 1


@pytest.fixture
def faulty():
    """A server of the file that answers wrongly as told."""
    with FaultyServer({"data.bin": CONTENT}) as server:
        yield server


def ranges(server):
    """What was asked for."""
    return [request["headers"].get("Range") for request in server.requests]


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("range:bytes 0-2999/10240", "bytes from 5120 on were asked for, bytes 0-2999/10240 came"),
        ("range:bytes 5120-7679/10240", "all bytes from 5120 on were asked for, bytes 5120-7679/10240 came"),
        ("range:bytes 5120-10239/20000", "the file had 10240 bytes, it now has 20000"),
        ("range:bytes 5120-5000/*", "all bytes from 5120 on were asked for"),
        ("range:bytes 5120-10239", "bytes from 5120 on were asked for, bytes 5120-10239 came"),
        ("range:" + "bytes " + "9" * 5000 + "-10239/10240", "bytes from 5120 on were asked for, bytes 999"),
        ("range:", "bytes from 5120 on were asked for"),
        ('etag:"other"', f'the version {etag(CONTENT)} was asked for, "other" came'),
        ('etag:W/"weak"', f"the version {etag(CONTENT)} was asked for, another came"),
    ],
    ids=lambda value: value[:40],
)
def test_a_part_that_does_not_follow_is_never_joined(fault, why, faulty, local, monkeypatch):
    url = f"{faulty.url}/data.bin"
    faulty.faults = ["cut:0.5", fault]
    assert download(url, local).read_bytes() == CONTENT
    assert ranges(faulty) == [None, "bytes=5120-", None]
    monkeypatch.setattr(downloads, "ATTEMPTS", 2)
    faulty.faults = ["cut:0.5", fault]
    with pytest.raises(DownloadError, match="could not be fetched in 2 attempts") as caught:
        download(url, local / "other")
    assert why in str(caught.value)
    assert files(local / "other") == []


def test_a_part_that_nobody_asked_for_is_refused(faulty, local):
    faulty.faults = ["range:bytes 0-5119/10240"]
    assert download(f"{faulty.url}/data.bin", local).read_bytes() == CONTENT
    assert ranges(faulty) == [None, None]


def test_a_beginning_without_a_version_is_not_gone_on_with(faulty, local):
    url = f"{faulty.url}/data.bin"
    faulty.faults = ["cut:0.5"] + ["status:503"] * 3
    with pytest.raises(DownloadError, match="503"):
        download(url, local)
    (version,) = local.rglob("*.version")
    version.write_bytes(b"\xff")
    assert download(url, local).read_bytes() == CONTENT
    assert ranges(faulty)[-1] is None


@pytest.mark.parametrize("fault", [f"endless:{1 << 40}", "endless:", "gzip:bomb"])
def test_a_file_larger_than_the_limit_is_refused_and_not_kept(fault, faulty, local, monkeypatch):
    monkeypatch.setattr(downloads, "MAX_BYTES", 1 << 20)
    faulty.faults = [fault]
    announced = r"has 1,099,511,627,776 bytes; the limit is 1,048,576"
    unknown = r"has more than 1,048,576 bytes, which is the limit"
    with pytest.raises(DownloadError, match=announced if fault[8:] and "endless" in fault else unknown):
        download(f"{faulty.url}/data.bin", local)
    assert files(local) == []
    assert len(faulty.requests) == 1
    assert ENDLESS > 1 << 20


def test_the_limit_counts_what_came_before(faulty, local, monkeypatch):
    url = f"{faulty.url}/data.bin"
    faulty.faults = ["cut:0.5"] + ["status:503"] * 3
    with pytest.raises(DownloadError, match="503"):
        download(url, local)
    monkeypatch.setattr(downloads, "MAX_BYTES", 10_000)
    with pytest.raises(DownloadError, match=r"has 10,240 bytes; the limit is 10,000"):
        download(url, local)


def test_a_server_that_trickles_is_given_up(faulty, local, monkeypatch):
    monkeypatch.setattr(downloads, "PATIENCE", 0.1)
    monkeypatch.setattr(downloads, "SLOWEST", 1_000_000)
    monkeypatch.setattr(downloads, "ATTEMPTS", 1)
    faulty.faults = ["slow"]
    with pytest.raises(DownloadError, match=r"could not be fetched in 1 attempts \(\d+ bytes came in 0 seconds\)"):
        download(f"{faulty.url}/data.bin", local)


def test_a_body_whose_end_cannot_be_told_needs_a_checksum(faulty, local):
    url = f"{faulty.url}/data.bin"
    faulty.faults = ["length:"]
    with pytest.raises(
        DownloadError, match="comes without a length and has no known checksum, so whether it is whole"
    ):
        download(url, local)
    faulty.faults = ["length:"]
    assert download(url, local, sha256=SHA256).read_bytes() == CONTENT


@pytest.mark.parametrize(
    "fault",
    [
        *(
            "chunks:whole",
            "chunks:cut",
            "chunks:bad",
            "gzip:right",
            "gzip:bad",
            "status:204",
            "redirect:",
            "redirect:loop",
        ),
        *("raw:nothing", "raw:garbage", "raw:half", "raw:header", "length:abc", "length:-5", "length:" + "9" * 5000),
    ],
)
def test_passing_faults_end_in_the_whole_file(fault, faulty, local):
    faulty.faults = [fault]
    assert download(f"{faulty.url}/data.bin", local).read_bytes() == CONTENT


@pytest.mark.parametrize("number", range(6))
def test_a_redirect_to_no_place_is_an_error_without_its_password(number, faulty, local):
    faulty.faults = [f"redirect:{number}"] * 4
    with pytest.raises(DownloadError, match="could not be fetched in 4 attempts") as caught:
        download(f"{faulty.url}/data.bin", local)
    assert "s3cret" not in str(caught.value)


def test_user_and_password_are_sent_to_their_host_only_and_shown_nowhere(faulty, local):
    with FaultyServer(faulty.files) as other:
        faulty.elsewhere = other.url
        faulty.faults = ["redirect:"]
        url = f"{faulty.url}/data.bin".replace("http://", "http://anna:s3cret%40word@")
        path = download(url, local)
        assert path.read_bytes() == CONTENT
        # Another password leads to the same file.
        assert download(f"{faulty.url}/data.bin", local) == path
        assert faulty.requests[0]["headers"]["Authorization"] == "Basic YW5uYTpzM2NyZXRAd29yZA=="
        assert other.requests[0]["headers"]["Authorization"] is None
    faulty.faults = ["status:403"]
    with pytest.raises(DownloadError, match=r"^http://127\.0\.0\.1:\d+/gone\.bin answers 403 Forbidden$"):
        download(url.replace("data", "gone"), local)
