"""Checks the training that a run asks for: its data, its validation, the arguments of its trainer."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_options import MAX_SEED, check_benchmark_options, config_with
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.files.option_types import check_types, option_types
from hf_fewshot.registry import BENCHMARKS, resolve, unknown
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.options import system_class
from hf_fewshot.systems.system import ANOTHER_FOLD, EPISODES
from hf_fewshot.systems.training_plan import Training

# A run keeps its models in its results, and `hf-fewshot push` uploads them.
SET_BY_RUN = (
    "output_dir", "resume_from_checkpoint", "restore_callback_states_from_checkpoint", "push_to_hub",
    "hub_always_push", "hub_model_id", "hub_private_repo", "hub_revision", "hub_strategy", "hub_token",
    "do_train", "do_eval", "do_predict",
)  # fmt: skip
# Trainers divide by these, or would do nothing.
AT_LEAST_ONE = (
    "per_device_train_batch_size", "per_device_eval_batch_size", "gradient_accumulation_steps", "max_length",
    "n_draws", "max_source_length", "max_target_length", "num_beams", "early_stopping_patience",
)  # fmt: skip
NOT_NEGATIVE = (
    "learning_rate", "head_learning_rate", "threshold_learning_rate", "weight_decay", "warmup_steps", "head_l2",
    "max_grad_norm", "max_grad_value", "unfreezing_groups", "num_train_epochs",
)  # fmt: skip
# What needs a validation set, and the value that does not.
CHOOSES = (("eval_strategy", "no"), ("load_best_model_at_end", False), ("early_stopping_patience", None))


def check_seed(seed: Any) -> None:
    """A seed that numpy, torch and transformers take."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed={seed!r}, but a seed must be a whole number from 0 to {MAX_SEED}.")


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
    checks = [partial(_check_arguments, by.arguments, plan.arguments, what)]
    if by_episodes:
        checks.append(partial(_check_episodes, run, plan.data, TRAIN, data_dir))
    if plan.validation is not None:
        checks.append(partial(_check_validation, run, plan.validation, by.validated_on, data_dir))
    else:
        checks.append(partial(_check_unvalidated, plan.arguments, by.validated_on))
    if plan.pretraining is not None and by.pretraining_arguments is not None:
        checks.append(partial(_check_arguments, by.pretraining_arguments, plan.pretraining, what))
    _do_all(checks)


def _do_all(checks: Iterable[Callable[[], None]]) -> None:
    """Does all checks; one error has all that they find."""
    found = []
    for check in checks:
        try:
            check()
        except ValueError as error:
            found.append(str(error))
    if found:
        raise ValueError(" ".join(dict.fromkeys(found)))


def _check_arguments(reference: str, given: Mapping[str, Any], what: str) -> None:
    for name in given:
        if name in SET_BY_RUN:
            raise ValueError(f"{name} is no {what}: the run decides it. Leave it out.")
    check_types(option_types(resolve(reference), leave_out=SET_BY_RUN), given, what)
    for names, least in ((AT_LEAST_ONE, 1), (NOT_NEGATIVE, 0)):
        for name in names:
            value = given.get(name)
            if value is not None and value < least:
                raise ValueError(f"{name}={value!r}, but this {what} must be at least {least}.")
    if given.get("fp16") and given.get("use_cpu"):
        raise ValueError("fp16=True needs a GPU, but use_cpu=True. Take bf16 in place of fp16.")
    check_seed(given.get("seed", 0))
    check_seed(given.get("data_seed") or 0)


def _check_unvalidated(given: Mapping[str, Any], validated_on: str | None) -> None:
    """Without a validation set nothing is evaluated, and no checkpoint chosen."""
    remedy = "Leave it out." if validated_on is None else "Give a validation, or leave it out."
    for name, off in CHOOSES:
        if given.get(name, off) not in (off, None):
            raise ValueError(f"{name}={given[name]!r}, but the training has no validation to do it on. {remedy}")


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
