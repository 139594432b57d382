"""Checks what runs ask for before anything is loaded for them: names, types, bounds, contradictions."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_options import check_benchmark_options, config_with
from hf_fewshot.files.option_types import check_types
from hf_fewshot.model_names import check_model_name
from hf_fewshot.registry import BENCHMARKS, SYSTEMS
from hf_fewshot.runs.loaded_model import loaded_model
from hf_fewshot.runs.planned_training import check_seed, check_split, check_training
from hf_fewshot.runs.run import Run, is_remote
from hf_fewshot.systems.fitting import fits, fitting
from hf_fewshot.systems.options import read_options, system_class
from hf_fewshot.systems.system import Asked
from hf_fewshot.tasks import task_of


def check_runs(runs: Sequence[Run], data_dir: str | Path | None = None) -> None:
    """Raises ValueError with all that is wrong with what the runs ask for; no raw file or model is opened.

    Args:
        data_dir: where the raw files are, if it was said.
    """
    checks = Checks(data_dir)
    refuse([problem for run in runs for problem in checks.problems(run)])


def refuse(problems: Iterable[str]) -> None:
    """Raises ValueError with all of the problems, each once, if there is one."""
    found = list(dict.fromkeys(problems))
    if found:
        raise ValueError(found[0] if len(found) == 1 else "\n  ".join(["Not all can be run:", *found]))


class Checks:
    """Checks runs without opening any raw file or model; what several of them have in common is checked once."""

    def __init__(self, data_dir: str | Path | None = None) -> None:
        self.data_dir = data_dir
        self.outcomes: dict[str, str | None] = {}

    def problems(self, run: Run) -> Iterator[str]:
        """What is wrong with a run."""
        whom = "" if run.system == run.method else f"System {run.system!r}: "
        of_types = self._of_types(run)
        if of_types is not None:
            yield f"{whom}{of_types}"
            return  # the other checks rely on it
        of_seed = self._outcome(run.seed, check_seed, run.seed)
        yield from filter(None, (of_seed, *self._of_data(run)))
        yield from (f"{whom}{problem}" for problem in self._of_system(run) if problem)

    def has_sound_data(self, run: Run) -> bool:
        """Whether nothing is wrong with what is asked of the benchmark, whatever else is."""
        return self._of_types(run) is None and self._of_data(run) == [None, None]

    def _of_types(self, run: Run) -> str | None:
        types = {one.name: getattr(run, one.name) for one in fields(run) if one.name != "seed"}
        return self._outcome(types, check_types, Run, types, "part of a run")

    def _of_data(self, run: Run) -> list[str | None]:
        data = (run.benchmark, run.config, run.data)
        return [
            self._outcome(data, check_benchmark_options, *data, data_dir=self.data_dir),
            self._outcome((run.benchmark, run.split), check_split, run.benchmark, run.split),
        ]

    def _of_system(self, run: Run) -> Iterator[str | None]:
        data, plan = (run.benchmark, run.config, run.data), run.written["training"]
        found = [self._outcome((run.method, run.options), read_options, run.method, run.options)]
        if run.method in SYSTEMS:
            found.append(self._outcome((run.benchmark, run.method), check_task, run))
            found.append(self._outcome((run.benchmark, run.options), check_representation, run))
            found.append(
                self._outcome(
                    (run.method, run.model, run.options.get("endpoint"), run.options.get("provider")), check_model, run
                )
            )
        yield from found
        if run.method not in SYSTEMS or self._of_data(run)[0] is not None:
            return
        if not any(found):
            yield self._outcome((data, run.method, plan), check_examples, run)
            yield self._outcome((data, run.method, run.options, plan), check_system, run)
        if run.training is not None:
            yield self._outcome((data, run.method, plan), check_training, run, run.training, self.data_dir)

    def _outcome(self, what: Any, check: Callable[..., None], *given: Any, **more: Any) -> str | None:
        """What a check says, which depends on `what` alone."""
        key = json.dumps([check.__name__, what], sort_keys=True, default=repr)
        if key not in self.outcomes:
            try:
                check(*given, **more)
                self.outcomes[key] = None
            except (ValueError, FileNotFoundError) as error:
                self.outcomes[key] = described(error)
        return self.outcomes[key]


def described(error: Exception) -> str:
    """What an error says, in one line; of the system's, which file it is about."""
    if isinstance(error, OSError) and error.errno is not None and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    return " ".join(str(error).split())


def check_task(run: Run) -> None:
    """A method that fits the task of the benchmark."""
    if run.benchmark not in BENCHMARKS:
        return  # which is said of its options
    task = builder_of(run.benchmark).TASK
    if not fits(run.method, task):
        raise ValueError(
            f"Method {run.method!r} does not fit {run.benchmark}, whose task is {task}. "
            f"These do: {', '.join(fitting(task))}."
        )


def check_representation(run: Run) -> None:
    """A representation, where one is chosen, that the task of the benchmark has."""
    chosen = run.options.get("representation")
    if chosen is None or run.benchmark not in BENCHMARKS:
        return
    known = task_of(builder_of(run.benchmark).TASK).representations
    if known and chosen not in known:
        raise ValueError(f"representation={chosen!r}, but {run.benchmark} needs {' or '.join(map(repr, known))}.")


def check_model(run: Run) -> None:
    """A model where the method needs one, whose name can be that of a model."""
    if run.model is None and SYSTEMS[run.method].needs and not is_remote(run):
        raise ValueError(f"Method {run.method!r} needs a model. Give model=..., a Hub id or a folder.")
    name = loaded_model(run)
    if name is not None:
        check_model_name(name)


def check_system(run: Run) -> None:
    """What the method itself finds wrong."""
    system_class(run.method).check(asked(run))


def asked(run: Run) -> Asked:
    """What a run asks of its system."""
    options = read_options(run.method, run.options)
    config = config_with(run.benchmark, run.config, run.data)
    return Asked(run.method, options, builder_of(run.benchmark), config, run.training)


def check_examples(run: Run) -> None:
    """Where there are no examples, a method that does without, and no training."""
    if config_with(run.benchmark, run.config, run.data).has_examples:
        return
    if not system_class(run.method).zero_shot:
        raise ValueError(
            f"Method {run.method!r} learns from examples, but {run.benchmark} has none with the options {run.data}. "
            "Take a method that does without, such as 'in_context', or data with examples."
        )
    if run.training is not None:
        raise ValueError(f"There is nothing to train on: {run.benchmark} has no examples with the options {run.data}.")
