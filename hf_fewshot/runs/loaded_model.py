"""Which model a run loads."""

from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.own_code import is_ours
from hf_fewshot.runs.run import Run, is_remote


def loaded_model(run: Run) -> str | None:
    """The model that a run loads on this machine; None: it needs none, asks an endpoint, or is a system of others.

    What a system of others takes for the name of a model, only it knows.
    """
    entry = SYSTEMS[run.method]
    own = is_ours(entry.reference.partition(":")[0]) and entry.needs and not is_remote(run)
    return run.model if own else None
