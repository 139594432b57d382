"""Archives that are bombs, lead outside, are encrypted, sparse, damaged or not what they say."""

import io
import stat
import struct
import tarfile
import zipfile
from pathlib import Path
from random import Random

from huggingface_hub import constants

from tests.attacks.attacker import Attacker
from tests.attacks.mutations import Mutator
from tests.attacks.small_data import all_small_data
from tests.attacks.verdict import End, Verdict, judge, worst

ARCHIVE = "data/episode-data.zip"
FOLDER = "data/episode-data/"
ESCAPED = "hf_fewshot_escaped"
# The first of them lead out of the folder that is unpacked to.
PATHS = (f"../{ESCAPED}", f"../../../{ESCAPED}", "{outside}/x", f"..\\{ESCAPED}", "C:\\x", f"inter/../../{ESCAPED}")
ODD_PATHS = ("a" * 300, "\x1b[2J", "inter")
HUGE = 1 << 40
KINDS = (
    "damaged", "damaged", "damaged", "path", "zip link", "tar link", "tar hard link", "tar device", "tar sparse",
    "encrypted", "bomb", "lying size", "many files", "file as folder", "tar", "tar damaged", "odd method",
)  # fmt: skip


REFUSED = (
    "path", "zip link", "tar link", "tar hard link", "tar device", "tar sparse", "encrypted", "odd method",
    "lying size",
)  # fmt: skip


class Archives(Attacker):
    """Gives an archive in the place of Few-NERD's released episodes."""

    name = "archives"
    short = 40

    def prepare(self) -> None:
        self.data = next(data for data in all_small_data() if data.name == "released episodes")
        self.files = {path.removeprefix(FOLDER): data for path, data in self.data.files.items()}

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        kind = random.choice(KINDS)
        archive = self.arena.inputs / ARCHIVE
        archive.parent.mkdir(parents=True)
        archive.write_bytes(self._archive(kind, random, mutator))
        call = self.arena.call("verify", "few_nerd", *self.data.options, "--data-dir", self.arena.inputs)
        verdict = judge(call)
        escaped = [*self.arena.escaped(), *(self._found_in_cache() if kind in ("path", "tar link") else [])]
        if escaped:
            return Verdict(End.ESCAPE, f"{kind}: {escaped} written\n{verdict.detail}", verdict.peak)
        if kind in REFUSED and call.code == 0:
            return worst(Verdict(End.WRONG_NUMBER, f"{kind} was unpacked\n{verdict.detail}"), verdict)
        return verdict

    def _found_in_cache(self) -> list[str]:
        return [str(path) for path in Path(constants.HF_HOME).rglob(ESCAPED)]

    def _archive(self, kind: str, random: Random, mutator: Mutator) -> bytes:
        if kind.startswith("tar"):
            return self._tar(kind, random, mutator)
        extra: dict[zipfile.ZipInfo | str, bytes] = {}
        if kind == "path":
            extra[random.choice(PATHS).format(outside=self.arena.outside)] = b"x"
        elif kind == "zip link":
            link = zipfile.ZipInfo("inter/link")
            link.external_attr = (stat.S_IFLNK | 0o777) << 16
            extra[link] = str(self.arena.outside).encode()
        elif kind == "bomb":
            extra["bomb"] = bytes(200 << 20)
        elif kind == "many files":
            extra |= {f"many/{number}": b"" for number in range(3000)}
        elif kind == "file as folder":
            extra |= {"inter/deep": b"x", "inter/deep/er": b"x", random.choice(ODD_PATHS): b"x"}
        data = self._zip(extra)
        if kind == "damaged":
            return mutator.bytes(data).data
        if kind in ("encrypted", "odd method", "lying size"):
            return _patched(data, kind)
        return data

    def _zip(self, extra: dict[zipfile.ZipInfo | str, bytes]) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
            for path, content in {**self.files, **extra}.items():
                packed.writestr(path, content)
        return buffer.getvalue()

    def _tar(self, kind: str, random: Random, mutator: Mutator) -> bytes:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode=random.choice(("w", "w:gz", "w:xz", "w:bz2"))) as packed:
            for path, content in self.files.items():
                entry = tarfile.TarInfo(path)
                entry.size = len(content)
                packed.addfile(entry, io.BytesIO(content))
            entry = tarfile.TarInfo(random.choice(("inter/odd", f"../{ESCAPED}")))
            entry.linkname = str(self.arena.outside / "x")
            types = {"tar link": tarfile.SYMTYPE, "tar hard link": tarfile.LNKTYPE, "tar device": tarfile.CHRTYPE}
            if kind in types:
                entry.type = types[kind]
                packed.addfile(entry)
            elif kind == "tar sparse":
                size = random.choice((HUGE, 1 << 62))
                entry.name = "inter/sparse"
                entry.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.name": "inter/s",
                                     "GNU.sparse.size": str(size), "GNU.sparse.map": "0,0"}  # fmt: skip
                packed.addfile(entry)
        data = buffer.getvalue()
        return mutator.bytes(data).data if kind == "tar damaged" else data


def _patched(data: bytes, kind: str) -> bytes:
    """All entries, in both lists of a zip archive, encrypted, packed by a method of the future, or of another size."""
    patched = bytearray(data)
    for signature, flags, method, size in ((b"PK\x03\x04", 6, 8, 22), (b"PK\x01\x02", 8, 10, 24)):
        at = data.find(signature)
        while at >= 0:
            if kind == "encrypted":
                patched[at + flags] |= 1
            elif kind == "odd method":
                patched[at + method : at + method + 2] = struct.pack("<H", 99)
            else:
                patched[at + size : at + size + 4] = struct.pack("<I", 5)
            at = data.find(signature, at + 4)
    return bytes(patched)
