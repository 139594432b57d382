"""The options of networks: of their model, and of the method on top of it."""

from collections.abc import Hashable
from copy import copy
from dataclasses import MISSING, dataclass, field, make_dataclass
from functools import partial
from typing import Any

import torch

from hf_fewshot.encoding.inputs import REPRESENTATIONS
from hf_fewshot.episodes.options import require_whole
from hf_fewshot.files.option_types import option_types
from hf_fewshot.registry import unknown
from hf_fewshot.systems.options import defaults, help_texts
from hf_fewshot.systems.support_tuning import SupportTuning

# A method is tried out with vectors of this width, to find options that contradict each other.
TRIAL = 8
# A piece between those that begin and end a sequence.
SHORTEST = 3


@dataclass(frozen=True)
class NetworkOptions:
    """How examples become vectors.

    Args:
        representation: words, mean, sentence, markers or pair; none: what fits the task and the method.
        layers: how many of the last layers are added up (Few-NERD: 4).
        max_length: pieces of a sequence; longer sentences are cut into chunks. None: 128, or for "sentence" as many as
            the encoder reads itself.
        dropout: on the vectors in training (Few-NERD: 0.5).
    """

    representation: str | None = None
    layers: int = 1
    max_length: int | None = None
    dropout: float = 0.0

    def __post_init__(self) -> None:
        require_whole(layers=self.layers)
        if self.max_length is not None:
            require_whole(max_length=self.max_length)
            if self.max_length < SHORTEST:
                raise ValueError(f"max_length must be at least {SHORTEST}, but is {self.max_length}.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout={self.dropout}, but it must be from 0 to below 1.")
        if self.representation is not None and self.representation not in REPRESENTATIONS:
            raise unknown("representation", self.representation, REPRESENTATIONS)


@dataclass(frozen=True)
class JointNetworkOptions(NetworkOptions):
    """How sentences with intents and slots become vectors.

    Args:
        pairwise: encode a query together with each support sentence.
        tuning: tune the network on the support set of each episode (see `SupportTuning`).
    """

    pairwise: bool = False
    tuning: SupportTuning | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pairwise and self.tuning is not None:
            raise ValueError("Tuning on support sets needs pairwise=False: a support sentence has no pair there.")


def network_options(base: type, method: type, **fixed: Any) -> type:
    """The options of a network of a method: those of its model, and those of the method's class.

    Args:
        base: the options of the model.
        fixed: options of the method that are not chosen.
    """
    own = option_types(method, leave_out=("dim", *fixed))
    texts, values = help_texts(method), defaults(method)
    specified: list[Any] = []
    for name, annotation in own.items():
        value = values.get(name, MISSING)
        details: Any = {"metadata": {"help": texts.get(name, "")}, "kw_only": True}
        if value is not MISSING:
            is_plain = isinstance(value, Hashable)
            details |= {"default": value} if is_plain else {"default_factory": partial(copy, value)}
        specified.append((name, annotation, field(**details)))

    def try_out(self: Any) -> None:
        base.__post_init__(self)  # type: ignore[attr-defined]
        _require_representation(self.representation, method)
        tried_out(method, self, **fixed)

    namespace = {"__post_init__": try_out, "__doc__": method.__doc__}
    return make_dataclass(f"{method.__name__}Options", specified, bases=(base,), namespace=namespace, frozen=True)


def tried_out(method: type, options: Any, **fixed: Any) -> Any:
    """A method of ours with these options and few numbers; None: one of others, which may need wider vectors."""
    if method.__module__.partition(".")[0] != __name__.partition(".")[0]:
        return None
    own = option_types(method, leave_out=("dim", *fixed))
    with torch.random.fork_rng(devices=[]):  # what is tried out draws nothing of what is run
        return method(TRIAL, **{name: getattr(options, name) for name in own}, **fixed)


def _require_representation(chosen: str | None, method: Any) -> None:
    if chosen is not None and method.representation not in ("any", chosen):
        raise ValueError(f"representation={chosen!r}, but this method needs {method.representation!r}. Leave it out.")
