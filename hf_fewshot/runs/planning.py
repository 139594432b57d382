"""Checks what runs ask for before anything is loaded for them: names, types, bounds."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark_options import MAX_SEED, check_benchmark_options
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.files.option_types import check_types, option_types
from hf_fewshot.registry import METHODS, resolve
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.options import check_options

# The arguments of the trainer of each system that trains; those of METHODS are in `EPISODIC`.
ARGUMENTS = {
    "sep_proto": "hf_fewshot.trainers.joint_trainer:JointTrainingArguments",
    "tagger": "hf_fewshot.trainers.tagger_trainer:TaggerTrainingArguments",
    "span_finetuning": "hf_fewshot.trainers.span_trainer:SpanTrainingArguments",
    "prompt_tuning": "hf_fewshot.trainers.prompt_trainer:PromptTrainingArguments",
    "text_to_text": "hf_fewshot.trainers.text_to_text_trainer:TextToTextTrainingArguments",
}
EPISODIC = {
    "FewShotModel": "hf_fewshot.trainers.episodic_trainer:EpisodicTrainingArguments",
    "JointModel": ARGUMENTS["sep_proto"],
}
PRETRAINING = "hf_fewshot.trainers.joint_pretrainer:JointPretrainingArguments"
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
        yield from filter(None, (of_seed, of_data))
        own = [run.options and self._outcome((run.method, run.options), check_options, run.method, run.options)]
        if of_data is None and run.training:
            own.append(self._outcome((data, run.method, run.training), check_training, run, self.data_dir))
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


def check_training(run: Run, data_dir: str | Path | None = None) -> None:
    """Refuses training arguments that the trainer of the run's method does not know, or of other types.

    Methods that are not trained take whatever stands there: `--training` is for all systems of a recipe.
    """
    of_episodes = EPISODIC[resolve(METHODS[run.method]).model] if run.method in METHODS else None
    reference = of_episodes or ARGUMENTS.get(run.method)
    if reference is None or run.training is None:
        return
    what = f"training argument of method {run.method!r}"
    given = dict(run.training)
    if reference in EPISODIC.values():
        for name in ("data", "validation"):
            if name in given:
                _check_episodes(run, name, given.pop(name), data_dir)
        if "pretraining" in given:
            _check_arguments(PRETRAINING, _mapping("pretraining", given.pop("pretraining"), what), what)
    _check_arguments(reference, given, what)


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


def _check_episodes(run: Run, name: str, given: Any, data_dir: str | Path | None) -> None:
    """Episodes for training have options of their own; draws of what is predicted say nothing about them."""
    changes = _mapping(name, given, "option of training")
    options = {**run.data, **dict.fromkeys(DRAWS), **changes}
    known = {name: value for name, value in options.items() if value is not None}
    check_benchmark_options(run.benchmark, run.config, known, data_dir=data_dir)


def _mapping(name: str, given: Any, what: str) -> Mapping[str, Any]:
    check_types({name: dict}, {name: given}, what)
    return given
