"""Servers that cut, lie, trickle, echo and never end: of raw files, of a mirror, and of a language model."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest import mock

import datasets

from hf_fewshot.files import downloads
from hf_fewshot.files.downloads import download
from tests.attacks.arena import environment
from tests.attacks.attacker import Attacker
from tests.attacks.faulty_server import LOCATIONS, FaultyServer
from tests.attacks.mutations import Mutator
from tests.attacks.small_data import all_small_data
from tests.attacks.verdict import Call, End, Verdict, judge, worst

USER = "anna:s3cret%2Dword@"
SECRETS = ("s3cret", "YW5uYTpzM2NyZXQ")
CONTENT = bytes(range(256)) * 16
OTHER = bytes(255 - byte for byte in CONTENT)  # what the server calls another version
QUERIES = 6

TRANSPORT = (
    *("cut:0", "cut:0.3", "cut:0.9", "chunks:whole", "chunks:cut", "chunks:bad", "gzip:right", "gzip:bad", "slow"),
    *("endless:", f"endless:{1 << 40}", "length:abc", "length:-5", "length:" + "9" * 5000),
    *("raw:nothing", "raw:garbage", "raw:half", "raw:header", "redirect:", "redirect:loop"),
    *("header:X-HF-Warning: topic; \u009b2J", "header:ETag: \u00b2", "header:Retry-After: \u00b2"),
    *(f"redirect:{number}" for number in range(len(LOCATIONS))),
)
PASSING = ("status:429", "status:500", "status:503", "status:504")
FINAL = ("status:401", "status:403", "status:404", "status:451", "status:304")
REFUSALS = ("status:400", "status:413", "status:422", "ended:content_filter")
UNPARSED = ("text:what?", "text:\x1b[2J", "ended:length", "text:" + "a" * 3000)
NONSENSE = (
    *("body:not JSON", "body:[1, 2]", "body:{}", "body:null", "body:" + "[" * 3000, r"body:\xff\xfe", "gzip:bomb"),
    *('body:{"choices": [{"message": "text"}]}', 'body:{"choices": [{"message": {"content": ["job"]}}]}'),
    *("text:", "ended:stop"),
)


class Http(Attacker):
    """Answers downloads and queries wrongly, one after the other, and then rightly."""

    name = "http"
    short = 24

    def prepare(self) -> None:
        self.server = FaultyServer(reply=lambda messages: "none of the above")
        self.data = next(data for data in all_small_data() if data.name == "tagged text")
        self.expected = self._verify("expected").output

    def close(self) -> None:
        self.server.__exit__()

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        self.server.faults, self.server.requests = [], []
        return random.choice((self._download, self._mirror, self._endpoint))(random)

    def _download(self, random: Random) -> Verdict:
        """Whatever the server does, a file is whole and of one version, or not there; and a later call gets it."""
        self.server.files = {"data.bin": CONTENT}
        faults = [_of_files(random) for _ in range(random.randint(1, 4))]
        if random.random() < 0.6:
            faults[:0] = [random.choice(("cut:0.3", "cut:0.9")), random.choice(_parts(random))]
        self.server.faults = list(faults)
        told = repr(faults)
        sha256 = hashlib.sha256(CONTENT).hexdigest() if random.random() < 0.3 else None
        url, folder = self._url("data.bin"), self.arena.outputs / "downloads"
        with hurried():
            call, path = self.arena.attempt(f"download {told}", _fetched, url, folder, sha256)
        verdict = self._judge(call)
        if path is None and (left := [one.name for one in folder.rglob("data.bin")]):
            return Verdict(End.WRONG_NUMBER, f"{left} after an error\n{verdict.detail}", verdict.peak)
        self.server.faults = []
        again, second = self.arena.attempt(f"after {told}", _fetched, url, folder, sha256)
        allowed = (CONTENT,) if sha256 or (path is None and "etag" not in told) else (CONTENT, OTHER)
        if not {path, second} <= {None, *allowed} or second is None:
            return Verdict(End.WRONG_NUMBER, f"parts that do not belong together\n{verdict.detail}", verdict.peak)
        return worst(verdict, self._judge(again))

    def _mirror(self, random: Random) -> Verdict:
        """A command reads from a mirror what is there, or ends with a sentence."""
        begun = f"{random.getrandbits(64):x}"  # no download of an earlier attack
        faults = [_of_files(random, etags=False) for _ in range(random.randint(1, 5))]
        with hurried():
            call = self._verify(begun, faults)
        verdict = self._judge(call)
        if call.code == 0 and call.output != self.expected:
            return Verdict(End.WRONG_NUMBER, f"{faults}: not what the mirror holds\n{verdict.detail}", verdict.peak)
        again = self._verify(begun)
        if again.output != self.expected:
            return Verdict(End.WRONG_NUMBER, f"{faults}: damage stays\n{again.output}{again.errors}", verdict.peak)
        return worst(verdict, self._judge(again))

    def _verify(self, begun: str, faults: list[str] | None = None) -> Call:
        self.server.files = {f"{begun}/Few-NERD/{path}": data for path, data in self.data.files.items()}
        self.server.faults = faults or []
        kept = mock.patch.object(datasets.config, "DOWNLOADED_DATASETS_PATH", str(self.arena.kept / "downloads"))
        with kept, environment(HF_FEWSHOT_MIRROR=self._url(begun)):
            return self.arena.call("verify", self.data.benchmark, *self.data.options, "--split", self.data.split)

    def _endpoint(self, random: Random) -> Verdict:
        """No record while queries failed; the next command asks only for those; refusals are counted."""
        quick = tuple(fault for fault in TRANSPORT if fault != "slow")
        kinds = (quick, PASSING, PASSING, REFUSALS, UNPARSED, NONSENSE, ("right",), ("right",), FINAL)
        chosen = random.choices(kinds, (4, 4, 4, 4, 4, 4, 8, 8, 1), k=random.randint(1, 10))
        faults = self.server.faults = [random.choice(kind) for kind in chosen]
        told = repr(faults)
        with hurried():
            first = self._run()
        verdict = self._judge(first)
        records = list(self.arena.outputs.rglob("record.json"))
        if bool(records) != (first.code == 0):
            return Verdict(End.WRONG_NUMBER, f"{told}: {len(records)} records\n{verdict.detail}", verdict.peak)
        answered = self.arena.outputs.rglob("predictions-*.jsonl")
        lines = [line for path in answered for line in path.read_text(encoding="utf-8").splitlines()]
        kept, asked = max(0, len(lines) - 1), len(self.server.requests)
        met = [request["fault"] for request in self.server.requests]
        self.server.faults = []
        again = self._run()
        if again.code != 0 or len(self.server.requests) - asked != QUERIES - kept:
            said = f"{told}: {kept} kept, {len(self.server.requests) - asked} of {QUERIES} asked for again"
            return Verdict(End.WRONG_NUMBER, f"{said}\n{verdict.detail}\n{again.errors}", verdict.peak)
        (record,) = self.arena.outputs.rglob("record.json")
        answers = json.loads(record.read_text(encoding="utf-8"))["answers"]
        counted = answers["n_queries"], answers["refused"], answers["unparsed"]
        right = QUERIES, sum(fault in REFUSALS for fault in met), sum(fault in UNPARSED for fault in met)
        if counted != right:
            return Verdict(
                End.WRONG_NUMBER, f"{told}: counted {counted}, were {right}\n{verdict.detail}", verdict.peak
            )
        return worst(verdict, self._judge(again))

    def _run(self) -> Call:
        data = ["--n-way", "3", "--shots", "1", "--n-episodes", "2", "-o", "n_query=1", "--sample"]
        data += ["--split", "validation"]
        options = [f"endpoint={self._url('v1')}", "max_retries=1", "concurrency=1", "timeout=20", "nota=true"]
        pairs = [word for option in options for word in ("--method-option", option)]
        return self.arena.call("run", "--benchmark", "fewrel", *data, "--method", "in_context", "--model", "m", *pairs)

    def _url(self, path: str) -> str:
        return f"{self.server.url}/{path}".replace("http://", f"http://{USER}")

    def _judge(self, call: Call) -> Verdict:
        """As all commands are judged; and the password stands neither in what was said nor in what was written."""
        verdict = judge(call)
        files = [path for path in self.arena.outputs.rglob("*") if path.is_file()]
        texts = [call.output, call.errors, *(path.read_text(encoding="utf-8", errors="replace") for path in files)]
        if any(secret in text for secret in SECRETS for text in texts):
            return worst(Verdict(End.ESCAPE, f"the password was told\n{verdict.detail}", verdict.peak), verdict)
        return verdict


def _of_files(random: Random, etags: bool = True) -> str:
    """A fault of a server of files that a client can notice."""
    odd = [fault for fault in _parts(random) if etags or not fault.startswith("etag")]
    (kind,) = random.choices((TRANSPORT, PASSING, odd, FINAL, ("right",)), (5, 3, 5, 1, 3))
    return random.choice(kind)


def _parts(random: Random) -> list[str]:
    """Parts that were not asked for, and versions that are others."""
    ends = random.choice(("*", str(len(CONTENT)), str(random.randint(0, 9000))))
    start = random.choice((0, 1228, 3686, random.randint(0, len(CONTENT))))
    ranges = [f"range:bytes {start}-{len(CONTENT) - 1}/{ends}", "range:bytes", "range:", "length:"]
    return [*ranges, f'etag:"{random.getrandbits(16)}"', 'etag:W/"weak"', "etag:\u00b2"]


def _fetched(url: str, folder: Path, sha256: str | None) -> bytes:
    return download(url, folder, sha256=sha256).read_bytes()


@contextmanager
def hurried() -> Iterator[None]:
    """Small limits and no waiting while there are faults, so that every attack is short.

    On a busy machine right answers may fail by these limits too: what must succeed is tried without them.
    """
    limits = mock.patch.multiple(downloads, MAX_BYTES=1 << 20, PATIENCE=0.1, SLOWEST=100_000)
    clock = SimpleNamespace(sleep=lambda seconds: None, monotonic=time.monotonic)
    answers = mock.patch("hf_fewshot.endpoints.client.MAX_BYTES", 1 << 20)
    waits = mock.patch("hf_fewshot.endpoints.courier.LONGEST_WAIT", 0.0)
    with limits, answers, waits, mock.patch.object(downloads, "time", clock):
        yield
