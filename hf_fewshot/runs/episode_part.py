"""A part of the episodes of a run, predicted alone: on another machine, or at another time."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.runs.predictions import query_ids, write_lines
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.work_done import WorkDone
from hf_fewshot.text.redaction import redacted

FILE_NAME = "part.jsonl"
FORMAT = "hf_fewshot/part"
VERSION = 1


class PartError(ValueError):
    """A file is no part of a run, or parts do not make up one."""


@dataclass(frozen=True)
class EpisodePart:
    """The work done on some episodes of a run.

    Args:
        run: of which it is a part.
        episodes: the numbers of its episodes.
        fingerprint: of the set of all episodes.
        n_episodes: of all.
        ids: of the queries of its episodes.
        done: with the predictions of its episodes alone.
    """

    run: Run
    episodes: range
    fingerprint: str
    n_episodes: int
    ids: list[list[str]]
    done: WorkDone

    @classmethod
    def of(cls, run: Run, episodes: EpisodeSet, only: range, done: WorkDone) -> "EpisodePart":
        """What a run has done on some of its episodes."""
        ids = [query_ids(episodes, episodes[number]) for number in only]
        return cls(run.shown, only, episodes.fingerprint, len(episodes), ids, done)

    def write(self, folder: Path) -> Path:
        """Writes the part; its file appears when it is whole."""
        how = {one.name: getattr(self.done, one.name) for one in fields(WorkDone) if one.name != "predictions"}
        head = {
            "format": FORMAT,
            "version": VERSION,
            "run": self.run.written,
            "episodes": [self.episodes.start, self.episodes.stop],
            "fingerprint": self.fingerprint,
            "n_episodes": self.n_episodes,
            **how,
            "command": redacted(self.done.command),
        }
        rows = zip(self.episodes, self.ids, self.done.predictions, strict=True)
        lines = [{"index": number, "ids": ids, "predictions": own} for number, ids, own in rows]
        write_lines(folder / FILE_NAME, [head, *lines])
        return folder / FILE_NAME

    @classmethod
    def read(cls, path: Path) -> "EpisodePart":
        """Reads a part; one that is damaged or not whole is an error."""
        try:
            with path.open(encoding="utf-8") as file:
                head, *rows = map(strict_json, file)
            if head["format"] != FORMAT or head["version"] != VERSION:
                raise ValueError(f"it is of format {head['format']!r}, version {head['version']!r}")
            first, stop = head["episodes"]
            episodes = range(first, stop)
            if [row["index"] for row in rows] != list(episodes):
                raise ValueError(f"it has {len(rows)} episodes, but says that they are {first}:{stop}")
            how = {one.name: head[one.name] for one in fields(WorkDone) if one.name != "predictions"}
            done = from_mapping(WorkDone, {"predictions": [row["predictions"] for row in rows], **how}, "its head")
            ids = [row["ids"] for row in rows]
            return cls(Run(**head["run"]), episodes, head["fingerprint"], head["n_episodes"], ids, done)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise PartError(
                f"{path} is no part of a run: {error}. Delete it; the same command makes it again."
            ) from error


def part_folder(run: Run, results: str | Path, only: range) -> Path:
    """Where a part of a run is made: beside other runs, so that trained models are shared."""
    return Path(results) / f"{run.name}_episodes={only.start}-{only.stop}"


def part_files(*places: str | Path) -> list[Path]:
    """The files of parts below places, at any depth, in a fixed order."""
    found: dict[Path, None] = {}
    for place in map(Path, places):
        if not place.is_dir():
            raise PartError(f"{place} is no folder. Give one with results of `hf-fewshot run --episodes`.")
        found |= dict.fromkeys(sorted(place.rglob(FILE_NAME)))
    return list(found)


def grouped(parts: Sequence[EpisodePart]) -> list[list[EpisodePart]]:
    """The parts of each run, in the order of their episodes."""
    runs: dict[str, list[EpisodePart]] = {}
    for part in parts:
        runs.setdefault(part.run.digest, []).append(part)
    return [sorted(own, key=lambda part: (part.episodes.start, part.episodes.stop)) for own in runs.values()]
