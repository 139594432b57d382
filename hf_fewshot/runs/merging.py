"""Parts of a run to its record."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from hf_fewshot.runs.claim import ChangedError, claimed_run
from hf_fewshot.runs.dependencies import changes_since
from hf_fewshot.runs.episode_part import EpisodePart, PartError
from hf_fewshot.runs.execution import usable, write_results
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.predictions import require_answers
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run_data import data_of
from hf_fewshot.runs.work_done import WorkDone

# What must be the same where the parts were made, or their numbers do not belong together.
SAME = ("versions", "precision", "commit")
# The option by which a part was asked for.
OPTION = "--episodes"


def merge(parts: Sequence[EpisodePart], results: str | Path, *, source: dict[str, Any] | None = None) -> Record:
    """The record of a run whose parts are given, as one run over all episodes would have made it.

    Args:
        parts: of one run, sorted; gaps, overlaps and other episodes are an error.
        results: the folder of all results.
        source: where raw files are.
    """
    run, n_episodes = parts[0].run, parts[0].n_episodes
    check_runs([run], (source or {}).get("data_dir"))
    done = together(parts)
    if run.data.get("n_episodes", n_episodes) != n_episodes:
        raise PartError(f"The parts of {run.name} are of {n_episodes} episodes, but its run has other ones.")
    record = usable(run, results, source, again=False)
    if record is not None:
        return record
    data = data_of(run, source)
    if data.episodes.fingerprint != parts[0].fingerprint:
        raise PartError(
            f"The parts of {run.name} are of the episodes {parts[0].fingerprint[:12]}, but the data has "
            f"{data.episodes.fingerprint[:12]}. Give the data that they were made with."
        )
    require_answers(data.episodes, done.predictions, f"The parts of {run.name} together")
    changed = changes_since(done.depends_on, run, data)
    if changed:
        raise ChangedError(
            f"What the parts of {run.name} depend on has changed: {'; '.join(changed)}. Make them again."
        )
    folder = Path(results) / run.name
    with claimed_run(folder):
        return write_results(run, folder, data, done)


def together(parts: Sequence[EpisodePart]) -> WorkDone:
    """The work of all parts as that of one run."""
    first = parts[0]
    name = first.run.name
    for part in parts[1:]:
        _require_same(name, "episodes", first.fingerprint, part.fingerprint)
        _require_same(name, "data, code or files", first.done.depends_on, part.done.depends_on)
        for what in SAME:
            _require_same(name, what, first.done.environment.get(what), part.done.environment.get(what))
    _require_whole(name, [part.episodes for part in parts], first.n_episodes)
    work = [part.done for part in parts]
    return WorkDone(
        predictions=[own for one in work for own in one.predictions],
        environment=_environment([one.environment for one in work]),
        started=min(one.started for one in work),
        seconds=_sums(one.seconds for one in work),
        command=_command(work[0].command),
        depends_on=first.done.depends_on,
        answers=_sums(one.answers for one in work),
    )


def _require_same(name: str, what: str, one: Any, other: Any) -> None:
    if one != other:
        raise PartError(
            f"The parts of {name} differ in {what}: {_short(one)} and {_short(other)}. Make those again that are not "
            "as the others."
        )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def _require_whole(name: str, episodes: Sequence[range], n_episodes: int) -> None:
    """All episodes once."""
    for before, after in pairwise((range(0), *episodes, range(n_episodes, n_episodes))):
        if after.start > before.stop:
            raise PartError(
                f"Episodes {before.stop}:{after.start} of {name} are missing. Run them: --episodes "
                f"{before.stop}:{after.start}."
            )
        if after.start < before.stop:
            raise PartError(
                f"Episodes {after.start}:{min(before.stop, after.stop)} of {name} are in two parts, {before.start}:"
                f"{before.stop} and {after.start}:{after.stop}. Delete the folder of one of them."
            )


def _environment(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Where the parts were made; several machines are all named."""
    merged = dict(found[0])
    for key in ("python", "platform", "device"):
        merged[key] = " and ".join(dict.fromkeys(one[key] for one in found))
    merged["n_processes"] = max(one["n_processes"] for one in found)
    return merged


def _sums(counts: Iterable[dict[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for own in counts:
        for name, value in own.items():
            total[name] = total.get(name, 0) + value
    return total


def _command(line: str) -> str:
    """The command of a part without that it is one."""
    return re.sub(rf" {OPTION}[ =]\S+", "", line)
