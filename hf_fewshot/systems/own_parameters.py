"""Whether a method has the parameters that arguments of its training are for."""

import torch

from hf_fewshot.files.option_types import option_types
from hf_fewshot.registry import method_class
from hf_fewshot.systems.network_options import TRIAL, is_tried_out
from hf_fewshot.systems.system import Asked

OF_ANY = ("head_learning_rate", "head_l2")
OF_THRESHOLD = "threshold_learning_rate"


def check_own_parameters(asked: Asked, method: str) -> None:
    """Refuses an argument that would change nothing."""
    kind = method_class(method)
    given = {} if asked.training is None else asked.training.arguments
    if not is_tried_out(kind) or given.keys().isdisjoint((*OF_ANY, OF_THRESHOLD)):
        return
    chosen = {name: getattr(asked.options, name) for name in option_types(kind) if hasattr(asked.options, name)}
    with torch.random.fork_rng(devices=[]):
        names = [name for name, _ in kind(TRIAL, **chosen).named_parameters()]
    for argument in OF_ANY:
        if given.get(argument) and not names:
            raise ValueError(
                f"{argument}={given[argument]!r} is for a method's own parameters, but {asked.name!r} has none with "
                "these options. Leave it out."
            )
    if OF_THRESHOLD in given and "threshold" not in names:
        raise ValueError(
            f"{OF_THRESHOLD}={given[OF_THRESHOLD]!r} is for Threshold's number, which {asked.name!r} has not. "
            "Leave it out."
        )
