"""Downloads over HTTP: resumable, checked, limited, atomic."""

import hashlib
import os
import time
from pathlib import Path

import httpx
from filelock import FileLock

from hf_fewshot.files.at_hand import NotAtHandError, may_fetch
from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.files.file_version import Version, announced_length
from hf_fewshot.progress import bar
from hf_fewshot.text.address import Address

ATTEMPTS = 4
# Few-NERD's episodes, the largest file that is fetched, take less than a quarter of it.
MAX_BYTES = 2 << 30
# Bytes per second, over so many seconds: a server that only trickles would never end.
SLOWEST, PATIENCE = 100, 60.0


class DownloadError(OSError):
    """A file could not be downloaded whole and unchanged."""


def downloaded(url: str, folder: Path, *, sha256: str | None = None) -> Path | None:
    """The local copy of `url` below `folder`, if it is there and its checksum right."""
    target = _target(Address.of(url, what="file"), folder)
    return target if target.is_file() and (sha256 is None or sha256_of(target) == sha256) else None


def download(url: str, folder: Path, *, sha256: str | None = None) -> Path:
    """The local copy of `url` below `folder`, downloaded unless it is there.

    A file appears under its final name only when it is complete and its checksum right. What an interrupted download
    has fetched stays beside it and is continued, if the server still has the same version. User and password of a URL
    are sent to its host only, and shown nowhere.
    """
    address = Address.of(url, what="file")
    target = _target(address, folder)
    if not may_fetch():
        if downloaded(url, folder, sha256=sha256):
            return target
        raise NotAtHandError(f"{address.shown} would have to be downloaded")
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{target}.lock"):
        if downloaded(url, folder, sha256=sha256):
            return target
        part = target.with_name(target.name + ".incomplete")
        _fetch(address, part, is_checked=sha256 is not None)
        Version.forget(part)
        if sha256 is not None and (got := sha256_of(part)) != sha256:
            part.unlink()
            raise DownloadError(
                f"{address.shown} has SHA-256 {got}, expected {sha256}; it is damaged or another version"
            )
        os.replace(part, target)
    return target


def _target(address: Address, folder: Path) -> Path:
    name = Path(httpx.URL(address.url).path).name or "file"
    return folder / hashlib.sha256(address.url.encode()).hexdigest()[:16] / name


def _fetch(address: Address, part: Path, is_checked: bool) -> None:
    """Fetches all of a file into `part`, going on from what is there after a cut connection."""
    for attempt in range(ATTEMPTS):
        try:
            _continue(address, part, is_checked)
            return
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            if status < 500 and status != 429:
                reason = address.safe(error.response.reason_phrase)
                raise DownloadError(f"{address.shown} answers {status} {reason}") from error
            problem: Exception = error
        except httpx.RequestError as error:
            problem = error
        if attempt + 1 < ATTEMPTS:
            time.sleep(0.2 * 2**attempt)
    raise DownloadError(
        f"{address.shown} could not be fetched in {ATTEMPTS} attempts ({address.safe(problem)})"
    ) from problem


def _continue(address: Address, part: Path, is_checked: bool) -> None:
    begun = Version.read(part)
    have = 0 if begun is None else part.stat().st_size
    # Compressed on the way, the bytes of a range would not be those of the file.
    headers = {"Accept-Encoding": "identity"}
    if address.authorization is not None:
        headers["Authorization"] = address.authorization  # which the library does not take along to another host
    if begun is not None and have:
        # The server sends the rest of that version, or all of another one.
        headers |= {"Range": f"bytes={have}-", "If-Range": begun.name}
    with httpx.stream("GET", address.url, headers=headers, follow_redirects=True, timeout=30) as response:
        if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise _begin_anew(part, f"the server has no bytes from {have} on", response)
        response.raise_for_status()
        if response.status_code == httpx.codes.PARTIAL_CONTENT:
            wrong = begun.denies(response, have) if begun is not None and have else "a part came, all was asked for"
            if wrong:
                raise _begin_anew(part, wrong, response)
        elif response.status_code == httpx.codes.OK:
            _drop(part)
            begun, have = Version.of(response), 0
            if begun is not None:
                begun.write(part)
        else:
            raise httpx.ReadError(f"status {response.status_code} came, expected 200", request=response.request)
        _check_announced(address, response, part, have, is_checked)
        _receive(address, response, part, have)
    size = part.stat().st_size
    if begun is not None and begun.length is not None and size != begun.length:
        if size > begun.length:
            _drop(part)
        raise httpx.ReadError(f"{size} of {begun.length} bytes came", request=response.request)


def _check_announced(address: Address, response: httpx.Response, part: Path, have: int, is_checked: bool) -> None:
    length = announced_length(response)
    if length is not None and have + length > MAX_BYTES:
        _drop(part)
        raise DownloadError(f"{address.shown} has {have + length:,} bytes; the limit is {MAX_BYTES:,}")
    ends = "content-length" in response.headers or "chunked" in response.headers.get("transfer-encoding", "").lower()
    if not ends and not is_checked:
        _drop(part)
        raise DownloadError(
            f"{address.shown} comes without a length and has no known checksum, so whether it is whole cannot be told"
        )


def _receive(address: Address, response: httpx.Response, part: Path, have: int) -> None:
    """Adds the body to what is there."""
    length = announced_length(response)
    received, since, recent = 0, time.monotonic(), 0
    with (
        part.open("ab") as file,
        bar(total=length, unit="B", unit_scale=True, desc=part.stem, delay=2, leave=False) as shown,
    ):
        # No chunk size: httpx would hold back, and lose with the connection, what does not fill one.
        for chunk in response.iter_bytes():
            received += len(chunk)
            if have + received > MAX_BYTES:
                break
            file.write(chunk)
            shown.update(len(chunk))
            recent += len(chunk)
            if time.monotonic() - since > PATIENCE:
                if recent < SLOWEST * PATIENCE:
                    raise httpx.ReadTimeout(f"{recent} bytes came in {PATIENCE:.0f} seconds", request=response.request)
                since, recent = time.monotonic(), 0
    if have + received > MAX_BYTES:
        _drop(part)
        raise DownloadError(f"{address.shown} has more than {MAX_BYTES:,} bytes, which is the limit")
    if length is not None and received < length:
        raise httpx.ReadError(f"{received} of {length} bytes came", request=response.request)


def _begin_anew(part: Path, why: str, response: httpx.Response) -> httpx.ReadError:
    """The error after which the next attempt asks for all of the file."""
    _drop(part)
    return httpx.ReadError(why, request=response.request)


def _drop(part: Path) -> None:
    part.unlink(missing_ok=True)
    Version.forget(part)
