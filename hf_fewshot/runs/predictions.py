"""Predictions in a file that anyone's system can write: a header, then one line per episode."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark_options import check_benchmark_options
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.options import require_seed
from hf_fewshot.episodes.split_episode import original_id
from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.runs.run import Run
from hf_fewshot.text.short_value import short

FORMAT = "hf_fewshot/predictions"
VERSION = 1
SHOWN = 20  # problems named in an error
MAX_HEADER = 1 << 20  # bytes


class PredictionsError(ValueError):
    """A file does not hold one prediction for each query of its episodes."""


@dataclass(frozen=True)
class Header:
    """The first line: which episodes are predicted, and by what.

    Args:
        data: options of the benchmark, and no others: see `benchmark_options`.
        fingerprint: that of the episode set; it may be left out, the ids are checked anyway.
        seed: that the system was trained with, where several models of it are scored.
    """

    benchmark: str
    config: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    split: str = "test"
    system: str = ""
    fingerprint: str = ""
    seed: int = 0

    @property
    def run(self) -> Run:
        """The header as a run whose method is not known."""
        system = self.system or "predictions"
        return Run(self.benchmark, "predictions", self.config, self.data, self.split, system, seed=self.seed)


def write_predictions(path: Path, header: Header, episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> None:
    """Writes predictions; the file appears when it is whole."""
    content = asdict(header)
    if not header.seed:
        del content["seed"]  # as files were written before they had one
    first = {"format": FORMAT, "version": VERSION, **content}
    rest = (
        {"index": index, "ids": query_ids(episodes, episode), "predictions": list(predicted)}
        for index, (episode, predicted) in enumerate(zip(episodes, predictions, strict=True))
    )
    write_lines(path, chain([first], rest))


def require_answers(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]], by: str) -> None:
    """One prediction for each query, in the form of the task; a system of one's own may give others.

    Args:
        by: what has predicted, to begin a sentence.
    """
    if len(predictions) != len(episodes):
        raise PredictionsError(f"{by} gave predictions of {len(predictions)} episodes, but there are {len(episodes)}.")
    for index, (episode, predicted) in enumerate(zip(episodes, predictions, strict=True)):
        if len(predicted) != len(episode.query):
            raise PredictionsError(
                f"{by} gave {len(predicted)} predictions for the {len(episode.query)} queries of episode {index}."
            )
        for row, prediction in zip(episode.query, predicted, strict=True):
            wrong = episodes.kind.wrong(prediction, episodes.plain_examples[row], episode.classes)
            if wrong:
                raise PredictionsError(f"{by}, episode {index}, id {episodes.example_ids[row]!r}: {wrong}.")


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Writes JSON objects, one per line; the file appears when it is whole."""
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def query_ids(episodes: EpisodeSet, episode: Episode) -> list[str]:
    """The ids of an episode's queries, as the benchmark gives them."""
    return [original_id(episodes, row) for row in episode.query]


def read_header(path: str | Path, *, data_dir: str | Path | None = None) -> Header:
    """The first line of a file of predictions, if it asks for nothing that it may not.

    A stranger's file chooses among the benchmark's own options, of sizes that its lines can hold.

    Args:
        data_dir: where the raw files are: some options make sense with it alone.
    """
    path = Path(path)
    header = _first_line(path)
    try:
        check_benchmark_options(header.benchmark, header.config, header.data, data_dir=data_dir)
        require_seed(header.seed)
        _require_lines(path, header.data)
    except ValueError as error:
        raise PredictionsError(f"The header of {path} cannot be used: {error}") from error
    return header


def _first_line(path: Path) -> Header:
    """The first line with values of the right types."""
    with path.open("rb") as file:
        line = file.readline(MAX_HEADER)
    try:
        content = strict_json(line.decode("utf-8-sig"))
        wrong = "is no object" if not isinstance(content, dict) else ""
    except ValueError as error:
        content, wrong = None, f"cannot be read: {error}"
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT or not _is_version(content):
        raise PredictionsError(
            f"{path} does not begin with a header. Its first line {wrong or 'has another format or version'}, and "
            f'must be {{"format": "{FORMAT}", "version": {VERSION}, "benchmark": ..., "config": ..., "data": {{...}}, '
            '"split": ...}; docs/predictions.md describes the format.'
        )
    try:
        return from_mapping(Header, content, f"The header of {path}")
    except ValueError as error:
        raise PredictionsError(str(error)) from error


def _is_version(content: dict[str, Any]) -> bool:
    version = content.pop("version", None)
    return type(version) is int and version == VERSION


def _require_lines(path: Path, data: dict[str, Any]) -> None:
    """The file is large enough for the episodes and queries that its header asks for.

    A few missing ones are better named, which takes the episodes; so many that to make them would take long are not.
    """
    if (data.get("n_query") or 0) > path.stat().st_size:
        raise ValueError(f"n_query={data['n_query']} queries of an episode cannot stand in so small a file.")
    if data.get("n_episodes") is None:
        return
    with path.open("rb") as file:
        n_lines = sum(1 for line in file if line.strip()) - 1
    if data["n_episodes"] > 2 * n_lines + 1000:
        raise ValueError(f"n_episodes={data['n_episodes']}, but there are lines of {n_lines} episodes.")


def read_predictions(path: str | Path, episodes: EpisodeSet) -> list[list[Any]]:
    """The predictions for the queries of all episodes in order; all that is wrong is named in one error.

    Within an episode the ids may come in any order.
    """
    path = Path(path)
    header = _first_line(path)
    if header.fingerprint and header.fingerprint != episodes.fingerprint:
        raise PredictionsError(
            f"{path} was written for other episodes: fingerprint {header.fingerprint[:12]}..., these have "
            f"{episodes.fingerprint[:12]}.... Check version, options and seed of the data."
        )
    problems: list[str] = []
    found: dict[int, list[Any]] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number > 1 and line.strip():
                _read_line(number, line, episodes, found, problems)
    problems += [f"episode {index}: missing" for index in range(len(episodes)) if index not in found]
    if problems:
        more = f"\n  ... and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        listed = "".join(f"\n  {problem}" for problem in problems[:SHOWN])
        raise PredictionsError(f"{path} has {len(problems)} problems:{listed}{more}")
    return [found[index] for index in range(len(episodes))]


def _read_line(
    number: int, line: bytes, episodes: EpisodeSet, found: dict[int, list[Any]], problems: list[str]
) -> None:
    try:
        row = strict_json(line.decode())
        index, ids, predictions = row["index"], row["ids"], row["predictions"]
    except (ValueError, KeyError, TypeError) as error:
        why = f"no {error}" if isinstance(error, KeyError) else str(error)
        problems.append(f"line {number}: no object with index, ids and predictions ({why})")
        return
    if type(index) is not int or not 0 <= index < len(episodes):
        problems.append(f"line {number}: index {short(index)}, but there are episodes 0 to {len(episodes) - 1}")
        return
    if not isinstance(ids, list) or not isinstance(predictions, list) or len(ids) != len(predictions):
        problems.append(f"line {number}: ids and predictions must be lists of the same length")
        return
    if index in found:
        problems.append(f"line {number}: episode {index} comes twice")
        return
    where = f"line {number}, episode {index}"
    found[index] = []
    other = next((one for one in ids if not isinstance(one, str)), None)
    if other is not None or None in ids:
        problems.append(f"{where}: id {short(other)} is no text; write ids as the benchmark gives them, in quotes")
        return
    episode = episodes[index]
    given: dict[str, list[Any]] = defaultdict(list)
    for one, prediction in zip(ids, predictions, strict=True):
        given[one].append(prediction)
    before = len(problems)
    wanted = query_ids(episodes, episode)
    # Of an episode whose queries are drawn one by one, a query may be asked twice.
    times = Counter(wanted)
    problems += [f"{where}: id {short(one)} comes twice" for one in given if 0 < times[one] < len(given[one])]
    problems += [f"{where}: id {short(one)} is missing" for one in times if len(given.get(one, ())) < times[one]]
    problems += [f"{where}: id {short(one)} is no query" for one in given if one not in times]
    if len(problems) > before:
        return
    for one, row_number in zip(wanted, episode.query, strict=True):
        prediction = given[one].pop(0)
        wrong = episodes.kind.wrong(prediction, episodes.plain_examples[row_number], episode.classes)
        if wrong:
            problems.append(f"{where}, id {short(one)}: {wrong}")
        found[index].append(prediction)
