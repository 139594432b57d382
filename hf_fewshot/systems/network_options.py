"""The options of networks: of their model, and of the method on top of it."""

from dataclasses import MISSING, dataclass, field, make_dataclass
from typing import Any

import torch

from hf_fewshot.encoding.inputs import REPRESENTATIONS
from hf_fewshot.files.option_types import option_types
from hf_fewshot.registry import unknown
from hf_fewshot.systems.options import defaults, help_texts
from hf_fewshot.systems.support_tuning import SupportTuning

# A method is tried out with vectors of this width, to find options that contradict each other.
TRIAL = 8


@dataclass(frozen=True)
class NetworkOptions:
    """How examples become vectors.

    Args:
        representation: words, mean, markers or pair; none: what fits the task and the method.
        layers: how many of the last layers are added up (Few-NERD: 4).
        max_length: pieces of a sequence; longer sentences are cut into chunks.
        dropout: on the vectors in training (Few-NERD: 0.5).
    """

    representation: str | None = None
    layers: int = 1
    max_length: int = 128
    dropout: float = 0.0


@dataclass(frozen=True)
class JointNetworkOptions(NetworkOptions):
    """How sentences with intents and slots become vectors.

    Args:
        pairwise: encode a query together with each support sentence.
        tuning: tune the network on the support set of each episode (see `SupportTuning`).
    """

    pairwise: bool = False
    tuning: SupportTuning | None = None


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
            details |= {"default_factory": value.copy} if isinstance(value, dict | list) else {"default": value}
        specified.append((name, annotation, field(**details)))

    def try_out(self: Any) -> None:
        _require_representation(self.representation, method)
        with torch.random.fork_rng(devices=[]):  # what is tried out draws nothing of what is run
            method(TRIAL, **{name: getattr(self, name) for name in own}, **fixed)

    namespace = {"__post_init__": try_out, "__doc__": method.__doc__}
    return make_dataclass(f"{method.__name__}Options", specified, bases=(base,), namespace=namespace, frozen=True)


def _require_representation(chosen: str | None, method: Any) -> None:
    if chosen is None:
        return
    if chosen not in REPRESENTATIONS:
        raise unknown("representation", chosen, REPRESENTATIONS)
    if method.representation not in ("any", chosen):
        raise ValueError(f"representation={chosen!r}, but this method needs {method.representation!r}. Leave it out.")
