"""A system: what turns the episodes of a benchmark into predictions."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

if TYPE_CHECKING:
    from accelerate import Accelerator

    from hf_fewshot.data.benchmark_config import FewShotConfig
    from hf_fewshot.data.builder import FewShotBuilder
    from hf_fewshot.episodes.episode import EpisodeSet
    from hf_fewshot.episodes.given_rows import Episodes
    from hf_fewshot.systems.training_plan import Training
    from hf_fewshot.systems.work import Work

Predictions = list[list[Any]]
# What training may be validated on.
EPISODES, EXAMPLES, ANOTHER_FOLD = "episodes", "examples", "another fold"
# How a system has learned what it is asked: its weights are as they were pretrained, or trained on other classes, or
# on the very examples of an episode or fold; or it reads these; or there is nothing to learn.
FROZEN, TRAINED, TUNED, IN_CONTEXT, TRIVIAL = "frozen", "trained", "tuned", "in context", "trivial"
# Or it is people.
PEOPLE = "people"
WAYS_OF_LEARNING = (FROZEN, TRAINED, TUNED, IN_CONTEXT, TRIVIAL, PEOPLE)


@dataclass(frozen=True)
class NoOptions:
    """There is nothing to choose."""


class TrainedBy(NamedTuple):
    """By what a system is trained, as "module:Class".

    Args:
        trainer: the trainer.
        arguments: the arguments of it, of which a run's training gives some.
        validated_on: what may choose the checkpoint: EPISODES of the validation split, all its EXAMPLES, ANOTHER_FOLD;
            None: nothing may. What is validated on episodes is trained on episodes, too, with options of their own.
        pretrainer: the trainer of a training that may come before, on single examples.
        pretraining_arguments: the arguments of it.
    """

    trainer: str
    arguments: str
    validated_on: str | None = None
    pretrainer: str | None = None
    pretraining_arguments: str | None = None


class Asked(NamedTuple):
    """What a run asks of a system, as it is known before anything is read.

    Args:
        name: by which the system is registered.
        options: what the system calls its `Options`.
        benchmark: the builder of the benchmark.
        config: its configuration, with the options of the run.
        training: None: the model stays as it is.
    """

    name: str
    options: Any
    benchmark: "type[FewShotBuilder]"
    config: "FewShotConfig"
    training: "Training | None" = None


@dataclass(frozen=True)
class Setup:
    """How predictions are made, which changes nothing in them.

    Args:
        accelerator: the processes that share the work; all of them get all predictions.
        folder: what is predicted is kept there as it comes, and the same call goes on from it; None: nothing is kept.
        progress: show a progress bar.
        only: the numbers of the episodes that are predicted; the others have no predictions. None: all.
    """

    accelerator: "Accelerator"
    folder: Path | None = None
    progress: bool = True
    only: range | None = None


class System(ABC):
    """`fit` makes a system from the work of a run, without a look at what will be asked; `predict` answers.

    Attributes:
        zero_shot: whether it can answer without an example of the task.
        Options: what a run may choose, a dataclass; its docstring says what each is.
        counts: what happened beside the last predictions, for the record: refused answers, tokens.
        version: raised when the same options begin to mean something else: results of before are not its own.
        keeps: what the folder of predictions so far is called in that of a run; "predicted" ends with the run.
    """

    zero_shot: ClassVar[bool] = False
    Options: ClassVar[type] = NoOptions
    version: ClassVar[int] = 1
    keeps: ClassVar[str] = "predicted"
    counts: Mapping[str, float] = MappingProxyType({})

    @classmethod
    def options(cls, name: str) -> type:
        """The options of the system that is registered by this name."""
        return cls.Options

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        """By what the system of this name is trained; None: it is not."""
        return None

    @classmethod
    def check(cls, asked: Asked) -> None:
        """Raises ValueError for what the system cannot do; nothing is loaded yet."""
        return

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        """Raises ValueError for a model that the system cannot do with; its configuration is looked at, no weights.

        Args:
            folder: that holds the configuration.
        """
        return

    @classmethod
    def way_of_learning(cls, options: Mapping[str, Any], is_trained: bool) -> str:
        """One of WAYS_OF_LEARNING.

        Args:
            options: as a run gives them.
            is_trained: whether the run has a training.
        """
        if options.get("tuning"):
            return TUNED
        return TRAINED if is_trained else FROZEN

    @property
    def n_parameters(self) -> int | None:
        """How many numbers its networks are; None where it has none, or none on this machine."""
        return count_parameters(vars(self).values())

    @classmethod
    @abstractmethod
    def fit(cls, work: "Work") -> Self:
        """Loads and trains what there is to load and to train."""

    @abstractmethod
    def predict(self, episodes: "EpisodeSet", setup: Setup) -> Predictions:
        """The predictions of each episode, in order of its queries, in the form of the task's references."""


def count_parameters(holders: Iterable[Any]) -> int | None:
    """The numbers of all networks among some objects, each network once; None if there is no network."""
    parts = [holder.parameters() for holder in holders if callable(getattr(holder, "parameters", None))]
    return sum(one.numel() for part in parts for one in part) if parts else None


def predict(
    system: System,
    episodes: "Episodes",
    *,
    output_dir: str | Path | None = None,
    accelerator: "Accelerator | None" = None,
    progress: bool = True,
) -> Predictions:
    """The predictions of a system for every episode, in order of its queries.

    A query's prediction is a class name (or "NOTA"), its list of tags, its set of answers, or for joint episodes
    `{"intent": name, "slot_tags": [tags]}`.

    Args:
        episodes: an `EpisodeSet`, or rows of episodes as `load_dataset` gives them.
        output_dir: predictions are written there as they come; the same call after an interruption goes on from them.
            Those of other episodes, another method or other weights are an error.
        accelerator: the work is dealt out to its processes; all get all predictions.
        progress: show a progress bar.
    """
    from accelerate import Accelerator

    from hf_fewshot.episodes.given_rows import episode_set

    folder = None if output_dir is None else Path(output_dir)
    return system.predict(episode_set(episodes), Setup(accelerator or Accelerator(), folder, progress))
