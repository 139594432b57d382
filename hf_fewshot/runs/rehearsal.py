"""What shows only in data and models: runs are tried out as far as both are at hand; nothing is loaded or trained."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from tqdm.auto import tqdm

from hf_fewshot.data.benchmark_data import EPISODES
from hf_fewshot.files.at_hand import NotAtHandError, nothing_fetched
from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.model_names import loaded_model
from hf_fewshot.runs.own_code import is_ours
from hf_fewshot.runs.planning import described
from hf_fewshot.runs.rehearsed_data import Part, parts, try_part
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


def rehearse(runs: Sequence[Run], source: dict[str, Any] | None = None, *, progress: bool = False) -> Rehearsed:
    """Tries out runs that `check_runs` finds nothing wrong with.

    Models are looked for on this machine and on the Hub, those that are here compared with the options by their
    configurations; training arguments are put together; the first episodes are drawn, and rows read, of all data that
    is here. Nothing is downloaded.

    Args:
        source: where raw files are, such as `{"data_dir": folder}`.
        progress: show how far it is, where it takes long.
    """
    models = Models()
    steps = [step for run in runs for step in _steps(run, models, source or {})]
    outcomes: dict[str, Rehearsed] = {}
    total = len({step.key for step in steps})
    with (
        tqdm(total=total, desc="check", unit="step", delay=1, leave=False, disable=not progress) as bar,
        nothing_fetched(),
    ):
        for step in steps:
            if step.key not in outcomes:
                outcomes[step.key] = _outcome(step.try_out)
                bar.update()
    problems = [f"{step.whom}{problem}" for step in steps for problem in outcomes[step.key].problems]
    remarks = [remark for one in outcomes.values() for remark in one.remarks]
    return Rehearsed(list(dict.fromkeys(problems)), list(dict.fromkeys([*remarks, *models.remarks])))


def _outcome(try_out: Callable[[], None]) -> Rehearsed:
    try:
        try_out()
    except NotAtHandError as error:
        return Rehearsed([], [f"not checked: {error}"])
    except (ValueError, OSError, ImportError) as error:
        return Rehearsed([described(error)], [])
    return Rehearsed([], [])


def _steps(run: Run, models: Models, source: dict[str, Any]) -> Iterator[_Step]:
    """All that is to be tried out of a run."""
    whom = "" if run.system == run.method else f"System {run.system!r}: "
    training = run.written["training"]
    name = loaded_model(run)
    if name is not None:
        yield _Step(_key("model", name), whom, partial(models.find, name))
        options = (run.benchmark, run.config, run.data, run.method, run.options, training)
        yield _Step(_key("options", name, *options), whom, partial(try_model, run, name))
    if is_ours(SYSTEMS[run.method].reference.partition(":")[0]):
        yield _Step(_key("arguments", run.method, training), whom, partial(try_arguments, run))
    # Another seed draws other episodes of the same kind.
    drawn = {option: value for option, value in run.data.items() if option != "seed"}
    for part in parts(run):
        key = _key("data", run.benchmark, run.config, drawn, run.split, part)
        yield _Step(key, "" if part.name == EPISODES else whom, partial(_try_data, part, run, source))


def _key(*content: Any) -> str:
    return json.dumps(content, sort_keys=True)


def _try_data(part: Part, run: Run, source: dict[str, Any]) -> None:
    data = data_of(run, source)
    try:
        try_part(part, data)
    except NotAtHandError as error:
        raise NotAtHandError(f"the data of {data.benchmark}/{data.config_name}, which would be downloaded") from error
    except RawFilesNotFoundError as error:
        if data.may_be_elsewhere:
            raise NotAtHandError(str(error)) from error
        raise
