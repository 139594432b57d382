"""Checks what runs ask for before anything is loaded for them: names, types, bounds, contradictions."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_options import MAX_SEED, check_benchmark_options, config_with
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.files.option_types import check_types, option_types
from hf_fewshot.registry import BENCHMARKS, SYSTEMS, resolve, unknown
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.fitting import fits, fitting
from hf_fewshot.systems.options import read_options, system_class
from hf_fewshot.systems.system import ANOTHER_FOLD, EPISODES, Asked
from hf_fewshot.systems.training_plan import Training
from hf_fewshot.tasks import task_of

# A run keeps its models in its results, and `hf-fewshot push` uploads them.
SET_BY_RUN = (
    "output_dir", "resume_from_checkpoint", "restore_callback_states_from_checkpoint", "push_to_hub",
    "hub_always_push", "hub_model_id", "hub_private_repo", "hub_revision", "hub_strategy", "hub_token",
    "do_train", "do_eval", "do_predict",
)  # fmt: skip

# Trainers divide by these.
AT_LEAST_ONE = ("per_device_train_batch_size", "per_device_eval_batch_size", "gradient_accumulation_steps")


def check_runs(runs: Sequence[Run], data_dir: str | Path | None = None) -> None:
    """Raises ValueError with all that is wrong with what the runs ask for; no raw file or model is opened.

    Args:
        data_dir: where the raw files are, if it was said.
    """
    checks = _Checks(data_dir)
    problems = list(dict.fromkeys(problem for run in runs for problem in checks.problems(run)))
    if problems:
        raise ValueError(problems[0] if len(problems) == 1 else "\n  ".join(["Not all can be run:", *problems]))


class _Checks:
    """Checks runs; what several of them have in common is checked once."""

    def __init__(self, data_dir: str | Path | None) -> None:
        self.data_dir = data_dir
        self.outcomes: dict[str, str | None] = {}

    def problems(self, run: Run) -> Iterator[str]:
        """What is wrong with a run."""
        system = "" if run.system == run.method else f"System {run.system!r}: "
        types = {name: value for name, value in vars(run).items() if name != "seed"}
        problem = self._outcome(types, check_types, Run, types, "part of a run")
        if problem is not None:
            yield f"{system}{problem}"
            return  # the other checks rely on it
        data = (run.benchmark, run.config, run.data)
        of_seed = self._outcome(run.seed, check_seed, run.seed)
        of_data = self._outcome(data, check_benchmark_options, *data, data_dir=self.data_dir)
        of_split = self._outcome((run.benchmark, run.split), check_split, run.benchmark, run.split)
        yield from filter(None, (of_seed, of_data, of_split))
        own = [self._outcome((run.method, run.options), read_options, run.method, run.options)]
        if own == [None]:
            own.append(self._outcome((run.benchmark, run.method), check_task, run))
            own.append(self._outcome((run.benchmark, run.options), check_representation, run))
            own.append(self._outcome((run.method, run.model), check_model, run))
            plan = run.written["training"]
            if of_data is None and own == [None] * len(own):
                own.append(self._outcome((data, run.method, plan), check_examples, run))
                own.append(self._outcome((data, run.method, run.options), check_system, run))
            if of_data is None and run.training is not None:
                own.append(self._outcome((data, run.method, plan), check_training, run, run.training, self.data_dir))
        yield from (f"{system}{problem}" for problem in own if problem)

    def _outcome(self, what: Any, check: Callable[..., None], *given: Any, **more: Any) -> str | None:
        """What a check says, which depends on `what` alone."""
        key = json.dumps([check.__name__, what], sort_keys=True, default=repr)
        if key not in self.outcomes:
            try:
                check(*given, **more)
                self.outcomes[key] = None
            except ValueError as error:
                self.outcomes[key] = str(error)
        return self.outcomes[key]


def check_seed(seed: Any) -> None:
    """A seed that numpy, torch and transformers take."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed={seed!r}, but a seed must be a whole number from 0 to {MAX_SEED}.")


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
    """A model where the method needs one."""
    if run.model is None and SYSTEMS[run.method].needs and run.options.get("endpoint") is None:
        raise ValueError(f"Method {run.method!r} needs a model. Give model=..., a Hub id or a folder.")


def check_system(run: Run) -> None:
    """What the method itself finds wrong."""
    options = read_options(run.method, run.options)
    config = config_with(run.benchmark, run.config, run.data)
    system_class(run.method).check(Asked(run.method, options, builder_of(run.benchmark), config))


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


def check_split(benchmark: str, split: str) -> None:
    """A split that the benchmark has, and is predicted on."""
    if benchmark not in BENCHMARKS:
        return
    builder = builder_of(benchmark)
    if split not in builder.SPLITS:
        raise unknown(f"split of {benchmark}", split, builder.SPLITS)
    if builder.HAS_FOLDS and split != TEST:
        raise ValueError(f"split={split!r}, but {benchmark} is evaluated on its test rows: split={TEST!r}.")


def check_training(run: Run, plan: Training, data_dir: str | Path | None = None) -> None:
    """Refuses a training that the method has not, and arguments that its trainer does not know or of other types."""
    by = system_class(run.method).trained_by(run.method)
    what = f"training argument of method {run.method!r}"
    if by is None:
        raise ValueError(f"Method {run.method!r} is not trained, but got a training. Leave it out.")
    check_types(Training, vars(plan), "option of training")
    arguments = option_types(resolve(by.arguments), leave_out=SET_BY_RUN)
    by_episodes = by.validated_on == EPISODES
    has = {
        "data": by_episodes,
        "validation": by.validated_on is not None,
        "pretraining": by.pretrainer is not None,
    }
    for part in plan.written.keys() - plan.arguments.keys():
        if not has[part]:
            raise unknown(what, part, arguments)
    if by_episodes:
        _check_episodes(run, plan.data, TRAIN, data_dir)
    if plan.validation is not None:
        _check_validation(run, plan.validation, by.validated_on, data_dir)
    if plan.pretraining is not None and by.pretraining_arguments is not None:
        _check_arguments(by.pretraining_arguments, plan.pretraining, what)
    _check_arguments(by.arguments, plan.arguments, what)


def _check_arguments(reference: str, given: Mapping[str, Any], what: str) -> None:
    for name in given:
        if name in SET_BY_RUN:
            raise ValueError(f"{name} is no {what}: the run decides it. Leave it out.")
    check_types(option_types(resolve(reference), leave_out=SET_BY_RUN), given, what)
    for name in AT_LEAST_ONE:
        if given.get(name, 1) < 1:
            raise ValueError(f"{name}={given[name]!r}, but this {what} must be at least 1.")
    check_seed(given.get("seed", 0))
    check_seed(given.get("data_seed") or 0)


def _check_validation(run: Run, given: Mapping[str, Any], kind: str | None, data_dir: str | Path | None) -> None:
    if kind == EPISODES:
        _check_episodes(run, given, VALIDATION, data_dir)
    elif kind == ANOTHER_FOLD:
        _check_other_fold(run, given)
    elif given:
        raise ValueError(
            f"validation={given!r}, but method {run.method!r} is validated on all examples of the validation split, "
            "which have no options: validation={}."
        )
    else:
        check_split(run.benchmark, VALIDATION)


def _check_other_fold(run: Run, validation: Mapping[str, Any]) -> None:
    """Another fold of the same shots, of a benchmark that has some."""
    if set(validation) != {"fold"}:
        raise ValueError(
            f"validation={dict(validation)}, but method {run.method!r} is validated on another fold, such as "
            "validation={'fold': 5}."
        )
    check_benchmark_options(run.benchmark, run.config, {**run.data, **validation})
    if validation["fold"] == config_with(run.benchmark, run.config, run.data).fold:
        raise ValueError(
            f"fold={validation['fold']} is trained on and cannot be the validation set as well. Take another one."
        )


def _check_episodes(run: Run, changes: Mapping[str, Any], split: str, data_dir: str | Path | None) -> None:
    """Episodes for training have options of their own; draws of what is predicted say nothing about them."""
    check_split(run.benchmark, split)
    options = {**run.data, **dict.fromkeys(DRAWS), **changes}
    known = {name: value for name, value in options.items() if value is not None}
    check_benchmark_options(run.benchmark, run.config, known, data_dir=data_dir)
