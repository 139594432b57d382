"""What shows only in data and models: runs are tried out as far as both are at hand; nothing is loaded or trained."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.files.at_hand import NotAtHandError, nothing_fetched
from hf_fewshot.files.sources import MIRROR, RawFilesNotFoundError
from hf_fewshot.progress import bar
from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.loaded_model import loaded_model
from hf_fewshot.runs.own_code import is_ours
from hf_fewshot.runs.planning import Checks, described
from hf_fewshot.runs.rehearsed_data import PREDICTED, Part, parts, try_part
from hf_fewshot.runs.rehearsed_models import Models, try_arguments, try_model
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of


class Rehearsed(NamedTuple):
    """What was found: all that is wrong, a sentence each; what could not be tried out, and who was asked."""

    problems: list[str]
    remarks: list[str]


class _Step(NamedTuple):
    """Something to try out once, by its key; what is wrong is said of `whom`."""

    key: str
    whom: str
    try_out: Callable[[], None]


class _Outcome(NamedTuple):
    """What a step has shown: a problem, of one system or of all, or why nothing was tried out."""

    problem: str = ""
    remark: str = ""
    is_of_all: bool = False

    def said_of(self, whom: str) -> str:
        return self.problem if self.is_of_all else f"{whom}{self.problem}"


def rehearse(
    runs: Sequence[Run], checks: Checks, source: dict[str, Any] | None = None, *, progress: bool = False
) -> Rehearsed:
    """Tries out runs; of those that something else is wrong with, whether there is something to predict.

    Models are looked for on this machine and on the Hub, those that are here compared with the options by their
    configurations; training arguments are put together; the first episodes are drawn, and rows read, of all data that
    is here. Nothing is downloaded.

    Args:
        checks: what is wrong with them besides, which is not said again.
        source: where raw files are, such as `{"data_dir": folder}`.
        progress: show how far it is, where it takes long.
    """
    models = Models()
    steps = [step for run in runs for step in _steps(run, checks, models, source or {})]
    outcomes: dict[str, _Outcome] = {}
    total = len({step.key for step in steps})
    with (
        bar(total=total, desc="check", unit="step", delay=1, leave=False, shown=progress) as shown,
        nothing_fetched(),
    ):
        for step in steps:
            if step.key not in outcomes:
                outcomes[step.key] = _outcome(step.try_out)
                shown.update()
    problems = [outcomes[step.key].said_of(step.whom) for step in steps if outcomes[step.key].problem]
    remarks = [one.remark for one in outcomes.values() if one.remark]
    return Rehearsed(list(dict.fromkeys(problems)), list(dict.fromkeys([*remarks, *models.remarks])))


def _outcome(try_out: Callable[[], None]) -> _Outcome:
    try:
        try_out()
    except NotAtHandError as error:
        return _Outcome(remark=f"not checked: {error}")
    except (ValueError, OSError, ImportError) as error:
        return _Outcome(described(error), is_of_all=isinstance(error, RawFilesNotFoundError))
    return _Outcome()


def _steps(run: Run, checks: Checks, models: Models, source: dict[str, Any]) -> Iterator[_Step]:
    """All that can be tried out of a run."""
    if next(checks.problems(run), None) is None:
        yield from _of_system(run, models)
        yield from (_of_data(run, part, source) for part in parts(run))
    elif checks.has_sound_data(run):
        yield _of_data(run, PREDICTED, source)


def _of_system(run: Run, models: Models) -> Iterator[_Step]:
    whom, training = _whom(run), run.written["training"]
    name = loaded_model(run)
    if name is not None:
        yield _Step(_key("model", name), whom, partial(models.find, name))
        data = {option: value for option, value in run.data.items() if option not in DRAWS}
        options = (run.benchmark, run.config, data, run.method, run.options, training)
        yield _Step(_key("options", name, *options), whom, partial(try_model, run, name))
    encoder = run.options.get("encoder")
    if isinstance(encoder, str):
        yield _Step(_key("model", encoder), whom, partial(models.find, encoder))
    if is_ours(SYSTEMS[run.method].reference.partition(":")[0]):
        yield _Step(_key("arguments", run.method, training), whom, partial(try_arguments, run))


def _of_data(run: Run, part: Part, source: dict[str, Any]) -> _Step:
    # Another seed draws other episodes of the same kind.
    data = {option: value for option, value in run.data.items() if option != "seed"}
    whom = "" if part == PREDICTED else _whom(run)
    key = _key("data", run.benchmark, run.config, data, run.split, part)
    return _Step(key, whom, partial(_try_data, part, run, source))


def _whom(run: Run) -> str:
    return "" if run.system == run.method else f"System {run.system!r}: "


def _key(*content: Any) -> str:
    return json.dumps(content, sort_keys=True, default=repr)


def _try_data(part: Part, run: Run, source: dict[str, Any]) -> None:
    data = data_of(run, source)
    try:
        try_part(part, data)
    except NotAtHandError as error:
        raise NotAtHandError(f"the data of {data.benchmark}/{data.config_name}, which would be downloaded") from error
    except RawFilesNotFoundError as error:
        if data.source or data.options.get("sample") or os.environ.get(MIRROR):
            raise
        # Nobody has said yet where these are that cannot be downloaded.
        raise NotAtHandError(str(error)) from error
