"""Whether the model and the training arguments that a run names can serve it; no weights are loaded."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.embedded import CAUSAL_LMS
from hf_fewshot.files.hub_models import HubUnknownError, ask_for_model
from hf_fewshot.model_names import model_folder
from hf_fewshot.registry import resolve
from hf_fewshot.runs.planning import asked
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.options import system_class
from hf_fewshot.systems.training_plan import trainer_arguments

# Arguments of trainers that depend on the machine that trains.
OF_MACHINE = (
    "tf32", "torch_compile", "torch_compile_backend", "torch_compile_mode", "fsdp", "fsdp_config", "deepspeed",
    "accelerator_config", "parallelism_config", "ddp_backend", "report_to", "use_cpu",
)  # fmt: skip


class Models:
    """Looks for models by name: on this machine, else on the Hub.

    Attributes:
        remarks: for each model that is not on this machine, what the Hub says of it.
    """

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self.silence = ""  # why the Hub does not answer: it is not asked again

    def find(self, name: str) -> None:
        """Raises ValueError, or ModuleNotFoundError for an embedded one, where there is no such model."""
        if model_folder(name) is not None or name in CAUSAL_LMS:
            return
        try:
            if self.silence:
                raise HubUnknownError(self.silence)
            ask_for_model(name)
        except HubUnknownError as error:
            self.silence = str(error)
            self.remarks.append(f"not checked: model {name!r} is not in the cache, and {error}")
        else:
            self.remarks.append(f"the Hub was asked and has model {name!r}, which would be downloaded")


def try_model(run: Run, name: str) -> None:
    """Raises ValueError for a model that the run's system cannot do with, as far as its configuration is here."""
    folder = model_folder(name)
    if folder is None:
        return
    if folder == Path(name) and not any(folder.glob("*.safetensors")):
        raise ValueError(f"The folder model={name!r} has no weights: expected *.safetensors beside its config.json.")
    try:
        system_class(run.method).check_model(asked(run), folder)
    except ValueError as error:
        raise ValueError(f"model={name!r}: {error}") from error


def try_arguments(run: Run) -> None:
    """Raises ValueError for training arguments that contradict each other."""
    by, plan = system_class(run.method).trained_by(run.method), run.training
    if by is None or plan is None:
        return
    _made(by.arguments, trainer_arguments(by, plan))
    if by.pretraining_arguments is not None and plan.pretraining is not None:
        _made(by.pretraining_arguments, plan.pretraining)


def _made(reference: str, given: Mapping[str, Any]) -> None:
    own = {name: value for name, value in given.items() if name not in OF_MACHINE}
    resolve(reference)("not written", use_cpu=True, report_to="none", **own)
