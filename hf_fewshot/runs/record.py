"""The record of a run: its scores and all that is needed to trust them, as one JSON file."""

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.runs.record_checks import problems
from hf_fewshot.runs.run import Run
from hf_fewshot.text.short_value import short

SCHEMA_VERSION = 1
FILE_NAME = "record.json"
# A million episodes take a tenth of it.
MAX_BYTES = 1 << 30
# Of a record that was downloaded, which takes many times as much memory.
MAX_BYTES_OF_OTHERS = 1 << 27
SHOWN = 20  # problems named in an error
ORIGIN = "origin"  # the field that is not in the file


class RecordError(ValueError):
    """A file is no record that this version can read."""


@dataclass(frozen=True, repr=False)
class Record:
    """What came out of a run.

    The main measure is a ratio of sums over units (episodes, domains or questions): micro F1 is twice the correct over
    predicted and gold, accuracy the right over all, and a mean over units has denominators of one. So numerators and
    denominators are all that resampling and paired tests need.

    Args:
        run: what was asked for.
        task: joint, tagging, relation, spans or classification.
        measure: the name of the main measure in `scores`.
        scores: all measures, from 0 to 1, and counts.
        intervals: of measures, the low and the high end of the bootstrap confidence interval over units.
        confidence_level: of the intervals.
        unit: what the units are: "episode", "domain" or "question".
        units: the names of the units.
        numerators: of the main measure, one per unit.
        denominators: of the main measure, one per unit.
        baselines: the main measure of trivial answers.
        confusion: `labels`, and `counts[gold][predicted]`; None where the task has none.
        episodes: `fingerprint`, `n_episodes`, `n_queries`, and `official`: are these the benchmark's own data?
        environment: versions, device, number of processes, size of the networks, commit.
        started: date and time in UTC.
        seconds: by step: "train", "predict", "score".
        command: the command line.
        depends_on: what the scores depend on beside the run, as hashes: `data` that was read, `files` and code of the
            user's own, weights. A record is used again only where they are the same.
        answers: of a language model: how many were refused or could not be parsed, and the tokens they took.
        origin: the repository and commit that it was downloaded from, such as "someone/fewrel-mnav@1a2b3c4"; nothing
            of a record of this machine. It is no part of the file.
    """

    run: Run
    task: str
    measure: str
    scores: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    confidence_level: float
    unit: str
    units: list[str]
    numerators: list[float]
    denominators: list[float]
    baselines: dict[str, float]
    confusion: dict[str, Any] | None
    episodes: dict[str, Any]
    environment: dict[str, Any]
    started: str
    seconds: dict[str, float]
    command: str
    depends_on: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, float] = field(default_factory=dict)
    schema_version: int = field(default=SCHEMA_VERSION)
    origin: str = ""

    def __repr__(self) -> str:
        name, split, data = self.run.setting
        where = ", ".join(filter(None, (name, split, data)))
        interval = self.intervals.get(self.measure)
        around = "" if interval is None else f" [{interval[0]:.4f}, {interval[1]:.4f}]"
        return f"Record({self.run.system}, seed {self.run.seed}, on {where}: {self.measure} {self.score:.4f}{around})"

    @property
    def score(self) -> float:
        """The main measure."""
        return self.scores[self.measure]

    @property
    def owner(self) -> str:
        """Whose repository it was downloaded from; nothing of a record of this machine."""
        return self.origin.partition("/")[0]

    @property
    def cell(self) -> tuple[Any, ...]:
        """What results are summed up over: the cell of its run; never over records of several owners."""
        return self.owner, *self.run.cell

    def write(self, folder: str | Path) -> Path:
        """Writes `record.json`; it appears when it is whole."""
        path = Path(folder) / FILE_NAME
        content = {name: value for name, value in vars(self).items() if name != ORIGIN}
        text = json.dumps({**content, "run": self.run.written}, ensure_ascii=False, allow_nan=False)
        with whole_file(path) as unfinished:
            unfinished.write_text(text + "\n", encoding="utf-8")
        return path

    @classmethod
    def read(cls, path: str | Path, origin: str = "") -> "Record":
        """Reads a record file, or the one in a folder; one whose score does not follow from its units is an error.

        Args:
            origin: the repository and commit that it was downloaded from.
        """
        path = Path(path)
        path = path / FILE_NAME if path.is_dir() else path
        shown = f"{origin}/{path.parent.name}/{path.name}" if origin else str(path)
        remedy = "Tell its owner." if origin else "Delete it; the same run makes it again."
        try:
            most = MAX_BYTES_OF_OTHERS if origin else MAX_BYTES
            if path.stat().st_size > most:
                raise ValueError(f"it is larger than {most:,} bytes")
            content = strict_json(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise RecordError(f"{shown} is damaged: {error}. {remedy}") from error
        version = content.get("schema_version") if isinstance(content, dict) else None
        if version != SCHEMA_VERSION or isinstance(version, bool):
            raise RecordError(
                f"{shown} has schema_version {short(version, 20)}, this version reads {SCHEMA_VERSION}. "
                "Use the version of hf_fewshot that wrote it, or run it again."
            )
        wrong = problems(content, *({one.name for one in fields(kind)} - {ORIGIN} for kind in (cls, Run)))
        if wrong:
            raise RecordError(f"{shown} is no record: {'; '.join(wrong[:SHOWN])}. {remedy}")
        intervals = {name: (low, high) for name, (low, high) in content["intervals"].items()}
        return cls(**{**content, "run": Run(**content["run"]), "intervals": intervals}, origin=origin)
