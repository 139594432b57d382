"""What the registry says of a method or a system."""

from typing import NamedTuple


class MethodEntry(NamedTuple):
    """A method that compares vectors: its class, the tasks it fits (None: see `systems.fitting`), and what it is."""

    reference: str
    tasks: tuple[str, ...] | None
    about: str = ""


SEEDS = "seeds"


class SystemEntry(NamedTuple):
    """What a run can name as its method: its class, the tasks it fits, the kind of model it needs, and what it is.

    Args:
        tasks: None: see `systems.fitting`; those from outside, too.
        reached_by: options that say how a model is reached: of two runs that differ in them alone, one is enough.
        tunes: whether it changes weights to answer, without any training before.
        repeats: what the seeds of its runs are, where they are no seeds: then those of another system are not theirs.
    """

    reference: str
    tasks: tuple[str, ...] | None
    needs: str = ""
    about: str = ""
    reached_by: tuple[str, ...] = ()
    tunes: bool = False
    repeats: str = SEEDS
