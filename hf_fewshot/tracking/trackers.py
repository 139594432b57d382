"""Trackers, by the names that transformers knows them by, and how a run begins in each."""

import os
from typing import Any

from transformers import TrainerCallback, TrainingArguments
from transformers.integrations.integration_utils import INTEGRATION_TO_CALLBACK, TrackioCallback, WandbCallback

from hf_fewshot.registry import unknown

PROJECT = "hf_fewshot"
# What pip installs, where that is not the name of the tracker.
PACKAGES = {"azure_ml": "azureml-sdk", "comet_ml": "comet-ml", "flyte": "flytekit", "trackio": "'hf_fewshot[track]'"}


class RunArguments(TrainingArguments):
    """What trackers ask a trainer about its arguments, said of a run of ours.

    It is never made ready as those of a trainer are: that would end the state of the run's accelerator. What is not
    said here has the value that it has by default.

    Args:
        name: of the run.
        group: the runs that it belongs to.
        config: what is run, as plain values without secrets.
        folder: for trackers that write files and have no place of their own.
        resumed: whether an earlier attempt of the run is gone on with.
    """

    def __init__(self, name: str, group: str, config: dict[str, Any], folder: str, *, resumed: bool) -> None:
        self.run_name = name
        self.group = group
        self.config = config
        self.output_dir = folder
        self.resumed = resumed
        self.project = PROJECT

    def to_dict(self) -> dict[str, Any]:
        return {"group": self.group, **self.config}

    def to_sanitized_dict(self) -> dict[str, Any]:
        return {
            name: value if isinstance(value, bool | int | float) else str(value)
            for name, value in self.to_dict().items()
        }


class GroupedTrackio(TrackioCallback):
    """The tracker of transformers, with groups; an interrupted run goes on."""

    def setup(self, args: RunArguments, state: Any, model: Any = None, **_: Any) -> None:
        self._trackio.init(
            project=args.project,
            name=args.run_name,
            group=args.group,
            config=args.to_dict(),
            resume="allow" if args.resumed else "never",
            embed=False,
        )
        self._initialized = True

    def on_train_end(self, *_: Any, **__: Any) -> None:
        self._trackio.finish()


class GroupedWandb(WandbCallback):
    """The tracker of transformers, with groups; a run ends before the next one begins."""

    def setup(self, args: RunArguments, state: Any, model: Any = None, **_: Any) -> None:
        self._wandb.init(
            project=os.environ.get("WANDB_PROJECT", args.project),
            name=args.run_name,
            group=args.group,
            config=args.to_dict(),
        )
        self._initialized = True

    def on_train_end(self, *_: Any, **__: Any) -> None:
        self._wandb.finish()


OURS = {"trackio": GroupedTrackio, "wandb": GroupedWandb}


def tracker_callback(name: str) -> TrainerCallback:
    """What tells a tracker about a run; one that there is not, or that is not installed, is an error."""
    if name not in INTEGRATION_TO_CALLBACK:
        raise unknown("tracker", name, INTEGRATION_TO_CALLBACK)
    try:
        made: TrainerCallback = OURS.get(name, INTEGRATION_TO_CALLBACK[name])()
    except (ImportError, RuntimeError) as error:
        install = f"pip install {PACKAGES.get(name, name)}"
        raise ModuleNotFoundError(f"Tracking with {name} needs a package that is not here: {install}.") from error
    return made
