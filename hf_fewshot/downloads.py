"""Downloads over HTTP: resumable, checked, atomic."""

import hashlib
import os
import time
from pathlib import Path

import httpx
from filelock import FileLock
from tqdm.auto import tqdm

from hf_fewshot.file_hashes import sha256_of

ATTEMPTS = 4


class DownloadError(OSError):
    """A file could not be downloaded whole and unchanged."""


def downloaded(url: str, folder: Path, *, sha256: str | None = None) -> Path | None:
    """The local copy of `url` below `folder`, if it is there and its checksum right."""
    target = _target(url, folder)
    return target if target.is_file() and (sha256 is None or sha256_of(target) == sha256) else None


def download(url: str, folder: Path, *, sha256: str | None = None) -> Path:
    """The local copy of `url` below `folder`, downloaded unless it is there.

    A file appears under its final name only when it is complete and its checksum right. What an interrupted download
    has fetched stays beside it and is continued.
    """
    target = _target(url, folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{target}.lock"):
        if downloaded(url, folder, sha256=sha256):
            return target
        part = target.with_name(target.name + ".incomplete")
        _fetch(url, part)
        _version_file(part).unlink(missing_ok=True)
        if sha256 is not None and (got := sha256_of(part)) != sha256:
            part.unlink()
            raise DownloadError(f"{url} has SHA-256 {got}, expected {sha256}; it is damaged or another version")
        os.replace(part, target)
    return target


def _target(url: str, folder: Path) -> Path:
    return folder / hashlib.sha256(url.encode()).hexdigest()[:16] / (Path(httpx.URL(url).path).name or "file")


def _version_file(part: Path) -> Path:
    """Holds the server's name for the version of the file that `part` is the beginning of."""
    return part.with_name(part.name + ".version")


def _fetch(url: str, part: Path) -> None:
    """Fetches all of `url` into `part`, going on from what is there after a cut connection."""
    for attempt in range(ATTEMPTS):
        try:
            _continue(url, part)
            return
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            if status < 500 and status != 429:
                raise DownloadError(f"{url} answers {status} {error.response.reason_phrase}") from error
            problem: Exception = error
        except httpx.RequestError as error:
            problem = error
        if attempt + 1 < ATTEMPTS:
            time.sleep(0.2 * 2**attempt)
    raise DownloadError(f"{url} could not be fetched in {ATTEMPTS} attempts ({problem})") from problem


def _continue(url: str, part: Path) -> None:
    version_file = _version_file(part)
    have = part.stat().st_size if part.exists() and version_file.exists() else 0
    # Compressed on the way, the bytes of a range would not be those of the file.
    headers = {"Accept-Encoding": "identity"}
    if have:
        # The server sends the rest of that version, or all of another one.
        headers |= {"Range": f"bytes={have}-", "If-Range": version_file.read_text(encoding="ascii")}
    with httpx.stream("GET", url, headers=headers, follow_redirects=True, timeout=30) as response:
        resumed = response.status_code == httpx.codes.PARTIAL_CONTENT
        unfit = resumed and not response.headers.get("content-range", "").startswith(f"bytes {have}-")
        if unfit or response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            # What is there does not belong to the file of today: begin anew.
            part.unlink(missing_ok=True)
            raise httpx.ReadError(f"the server has no bytes from {have} on", request=response.request)
        response.raise_for_status()
        encoded = "content-encoding" in response.headers
        length = None if encoded else int(response.headers.get("content-length", 0)) or None
        if not resumed:
            part.unlink(missing_ok=True)
            version = None if encoded else _version(response)
            if version is None:
                version_file.unlink(missing_ok=True)
            else:
                version_file.write_text(version, encoding="ascii")
        with (
            part.open("ab") as file,
            tqdm(total=length, unit="B", unit_scale=True, desc=part.stem, delay=2, leave=False) as bar,
        ):
            received = 0
            # No chunk size: httpx would hold back, and lose with the connection, what does not fill one.
            for chunk in response.iter_bytes():
                file.write(chunk)
                received += len(chunk)
                bar.update(len(chunk))
        if length is not None and received < length:
            raise httpx.ReadError(f"{received} of {length} bytes came", request=response.request)


def _version(response: httpx.Response) -> str | None:
    """What names this version of a file byte for byte: a strong ETag, or else the date of its last change."""
    etag = response.headers.get("etag", "")
    return etag if etag.startswith('"') else response.headers.get("last-modified")
