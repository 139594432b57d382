"""Whether a method has the parameters that arguments of its training are for."""

from typing import Any

from hf_fewshot.systems.network_options import tried_out
from hf_fewshot.systems.system import Asked

OF_ANY = ("head_learning_rate", "head_l2")
OF_THRESHOLD = "threshold_learning_rate"


def check_own_parameters(asked: Asked, method: type, **fixed: Any) -> None:
    """Refuses an argument that would change nothing; `fixed` are options of the method that are not chosen."""
    given = {} if asked.training is None else asked.training.arguments
    if given.keys().isdisjoint((*OF_ANY, OF_THRESHOLD)):
        return
    network = tried_out(method, asked.options, **fixed)
    if network is None:
        return
    names = [name for name, _ in network.named_parameters()]
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
