"""Predictions in a file that anyone's system can write: a header, then one line per episode."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from hf_fewshot.episodes.class_index import OUTSIDE
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.episodes.split_episode import original_id
from hf_fewshot.results.run import Run
from hf_fewshot.whole_file import whole_file

FORMAT = "hf_fewshot/predictions"
VERSION = 1
SHOWN = 20  # problems named in an error


class PredictionsError(ValueError):
    """A file does not hold one prediction for each query of its episodes."""


@dataclass(frozen=True)
class Header:
    """The first line: which episodes are predicted, and by what.

    `fingerprint` is that of the episode set; it may be left out, the ids are checked anyway.
    """

    benchmark: str
    config: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    split: str = "test"
    system: str = ""
    fingerprint: str = ""

    @property
    def run(self) -> Run:
        """The header as a run whose method is not known."""
        return Run(self.benchmark, "predictions", self.config, self.data, self.split, self.system or "predictions")


def write_predictions(path: Path, header: Header, episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> None:
    """Writes predictions; the file appears when it is whole."""
    lines = [{"format": FORMAT, "version": VERSION, **asdict(header)}]
    lines += [
        {"index": index, "ids": query_ids(episodes, episode), "predictions": list(predicted)}
        for index, (episode, predicted) in enumerate(zip(episodes, predictions, strict=True))
    ]
    write_lines(path, lines)


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Writes JSON objects, one per line; the file appears when it is whole."""
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def query_ids(episodes: EpisodeSet, episode: Episode) -> list[str]:
    """The ids of an episode's queries, as the benchmark gives them."""
    return [original_id(episodes, row) for row in episode.query]


def read_header(path: str | Path) -> Header:
    """The first line of a file of predictions."""
    path = Path(path)
    with path.open(encoding="utf-8") as file:
        line = file.readline()
    try:
        content = json.loads(line)
        kind, version = content.pop("format"), content.pop("version")
    except (ValueError, KeyError, AttributeError, TypeError):
        kind, version, content = None, None, {}
    if kind != FORMAT or version != VERSION:
        raise PredictionsError(
            f"{path} does not begin with a header. Its first line must be "
            f'{{"format": "{FORMAT}", "version": {VERSION}, "benchmark": ..., "config": ..., "data": {{...}}, '
            '"split": ...}; docs/predictions.md describes the format.'
        )
    known = {one.name for one in fields(Header)}
    problems = [f"it has an unknown {name!r}" for name in sorted(content.keys() - known)]
    if "benchmark" not in content:
        problems.append("it has no 'benchmark'")
    if problems:
        raise PredictionsError(f"The header of {path} cannot be used: {'; '.join(problems)}.")
    return Header(**content)


def read_predictions(path: str | Path, episodes: EpisodeSet) -> list[list[Any]]:
    """The predictions for the queries of all episodes in order; all that is wrong is named in one error.

    Within an episode the ids may come in any order.
    """
    path = Path(path)
    header = read_header(path)
    if header.fingerprint and header.fingerprint != episodes.fingerprint:
        raise PredictionsError(
            f"{path} was written for other episodes: fingerprint {header.fingerprint[:12]}..., these have "
            f"{episodes.fingerprint[:12]}.... Check version, options and seed of the data."
        )
    problems: list[str] = []
    found: dict[int, list[Any]] = {}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if number > 1 and line.strip():
                _read_line(number, line, episodes, found, problems)
    problems += [f"episode {index}: missing" for index in range(len(episodes)) if index not in found]
    if problems:
        more = f"\n  ... and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        listed = "".join(f"\n  {problem}" for problem in problems[:SHOWN])
        raise PredictionsError(f"{path} has {len(problems)} problems:{listed}{more}")
    return [found[index] for index in range(len(episodes))]


def _read_line(number: int, line: str, episodes: EpisodeSet, found: dict[int, list[Any]], problems: list[str]) -> None:
    try:
        row = json.loads(line)
        index, ids, predictions = row["index"], row["ids"], row["predictions"]
    except (ValueError, KeyError, TypeError) as error:
        problems.append(f"line {number}: no object with index, ids and predictions ({error!r})")
        return
    if not isinstance(index, int) or not 0 <= index < len(episodes):
        problems.append(f"line {number}: index {index!r}, but there are episodes 0 to {len(episodes) - 1}")
        return
    if not isinstance(ids, list) or not isinstance(predictions, list) or len(ids) != len(predictions):
        problems.append(f"line {number}: ids and predictions must be lists of the same length")
        return
    if index in found:
        problems.append(f"line {number}: episode {index} comes twice")
        return
    episode = episodes[index]
    wanted = query_ids(episodes, episode)
    given = dict(zip(map(str, ids), predictions, strict=True))
    before = len(problems)
    where = f"line {number}, episode {index}"
    problems += [f"{where}: id {one!r} comes twice" for one in sorted({i for i in ids if ids.count(i) > 1}, key=str)]
    problems += [f"{where}: id {one!r} is missing" for one in wanted if one not in given]
    problems += [f"{where}: id {one!r} is no query" for one in given if one not in wanted]
    if len(problems) == before:
        check = _Check(episodes, episode)
        for one, row_number in zip(wanted, episode.query, strict=True):
            wrong = check(given[one], row_number)
            if wrong:
                problems.append(f"{where}, id {one!r}: {wrong}")
    found[index] = [given.get(one) for one in wanted]


class _Check:
    """What is wrong with a prediction of an episode's query."""

    def __init__(self, episodes: EpisodeSet, episode: Episode) -> None:
        self.episodes = episodes
        self.task = episodes.task
        self.classes = {*episode.classes}
        self.slots = {name.removeprefix("slot:") for name in episode.classes if name.startswith("slot:")}

    def __call__(self, prediction: Any, row: int) -> str:
        if self.task in ("relation", "classification"):
            return self._label(prediction)
        if self.task == "spans":
            fits = isinstance(prediction, list) and all(isinstance(answer, str) for answer in prediction)
            return "" if fits else f"expected a list of answers, got {prediction!r}"
        if self.task == "tagging":
            return self._tags(prediction, row, self.classes)
        if not isinstance(prediction, dict) or set(prediction) != {"intent", "slot_tags"}:
            return f"expected {{'intent': ..., 'slot_tags': [...]}}, got {prediction!r}"
        if f"intent:{prediction['intent']}" not in self.classes:
            return f"intent {prediction['intent']!r} is none of the episode's"
        known = {f"{prefix}-{name}" for name in self.slots for prefix in "BI"}
        return self._tags(prediction["slot_tags"], row, known)

    def _label(self, prediction: Any) -> str:
        if isinstance(prediction, str) and (prediction in self.classes or prediction == NOTA):
            return ""
        return f"class {prediction!r} is none of {', '.join(sorted(self.classes))} or {NOTA}"

    def _tags(self, tags: Any, row: int, known: set[str]) -> str:
        length = len(self.episodes.examples[row]["tokens"])
        if not isinstance(tags, list) or len(tags) != length:
            got = f"{len(tags)} tags" if isinstance(tags, list) else repr(tags)
            return f"expected one tag for each of {length} words, got {got}"
        strange = sorted({str(tag) for tag in tags if tag != OUTSIDE and tag not in known})
        return f"tags {', '.join(strange)} are none of the episode's" if strange else ""
