"""Where a machine far away gets this package from, and the versions of what it stands on."""

import importlib.metadata
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from hf_fewshot.text.redaction import holds_secret

PACKAGE = "hf_fewshot"
FORMS = (
    "a version (hf_fewshot==0.2.0), a wheel (dist/hf_fewshot-0.2.0-py3-none-any.whl) or git+https://host/repo@commit"
)
GIT = re.compile(r"git\+https://[\w.-]+/[\w./~-]+@[\w./-]+", re.ASCII)
RELEASE = re.compile(r"hf[-_]fewshot==([\w.!+-]+)", re.ASCII)


@dataclass(frozen=True)
class PackageSource:
    """Where it comes from.

    Args:
        place: a version, the URL of a commit, or the name of a wheel.
        wheel: the file that has to be there; None: it is fetched from elsewhere.
    """

    place: str
    wheel: Path | None = None

    @classmethod
    def read(cls, text: str | None) -> "PackageSource":
        """What was asked for; None: as it was installed here."""
        if text is None:
            return _as_installed()
        if holds_secret(text):
            raise ValueError("--package holds a password or a key, which others could read. Take it out.")
        if text.endswith(".whl"):
            wheel = Path(text)
            if not wheel.is_file():
                raise ValueError(f"--package {text}: there is no such file. `pip wheel --no-deps .` makes a wheel.")
            return cls(wheel.name, wheel)
        if GIT.fullmatch(text) or RELEASE.fullmatch(text):
            return cls(text)
        raise ValueError(f"--package {text}: expected {FORMS}.")

    def requirement(self, extras: Iterable[str], folder: str) -> str:
        """As it stands among requirements.

        Args:
            extras: of the package.
            folder: where a wheel will be.
        """
        names = ",".join(sorted(extras))
        name = f"{PACKAGE}[{names}]" if names else PACKAGE
        release = RELEASE.fullmatch(self.place)
        if release:
            return f"{name}=={release[1]}"
        return f"{name} @ file://{folder}/{self.place}" if self.wheel is not None else f"{name} @ {self.place}"


def pins(extras: Iterable[str]) -> list[str]:
    """The versions installed here of all that the package stands on, as `name==version`."""
    found: dict[str, str] = {}
    open_ones = list(_required(PACKAGE, extras))
    while open_ones:
        wanted = open_ones.pop()
        try:
            version = Version(importlib.metadata.version(wanted.name))
        except importlib.metadata.PackageNotFoundError:
            continue  # of an extra that is not used here, or for another system
        if found.setdefault(canonicalize_name(wanted.name), version.public) == version.public:
            known = set() if not wanted.extras else set(wanted.extras)
            open_ones += [one for one in _required(wanted.name, known) if canonicalize_name(one.name) not in found]
    return sorted(f"{name}=={version}" for name, version in found.items())


def _required(name: str, extras: Iterable[str]) -> Iterator[Requirement]:
    """What a package requires on this machine."""
    for text in importlib.metadata.requires(name) or ():
        wanted = Requirement(text)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield wanted


def _as_installed() -> PackageSource:
    """The version here; what was installed from elsewhere says so (PEP 610)."""
    installed = importlib.metadata.distribution(PACKAGE)
    written = installed.read_text("direct_url.json")
    if written is None:
        return PackageSource(f"{PACKAGE}=={installed.version}")
    origin = json.loads(written)
    url, vcs = origin["url"], origin.get("vcs_info")
    if vcs is not None:
        return PackageSource.read(f"{vcs['vcs']}+{url}@{vcs['commit_id']}")
    if "archive_info" in origin and url.startswith("file:"):
        return PackageSource.read(unquote(urlsplit(url).path))
    raise ValueError(
        f"{PACKAGE} is installed from {url}, which other machines cannot reach. Say where they get it with "
        f"--package: {FORMS}; `pip wheel --no-deps .` makes a wheel."
    )
