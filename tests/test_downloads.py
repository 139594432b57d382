import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace

import pytest

from hf_fewshot import downloads
from hf_fewshot.downloads import DownloadError, download, downloaded

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
