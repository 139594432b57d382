"""An attacker, and rounds of its attacks."""

import abc
import shutil
import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import ClassVar

from tests.attacks.arena import Arena, described
from tests.attacks.mutations import Mutator
from tests.attacks.verdict import End, Verdict


class Attacker(abc.ABC):
    """Draws an input, gives it to the product and says how that ended.

    An attack depends on seed and number alone, so that one can be repeated.
    """

    name: ClassVar[str]
    short: ClassVar[int] = 20  # attacks of a short round
    weight: ClassVar[float] = 1.0  # its part of a long round

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - some begin with nothing
        """Makes what all attacks begin with."""

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """Ends what `prepare` has begun."""

    @abc.abstractmethod
    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        """One attack."""

    def numbered(self, seed: int, number: int) -> Verdict:
        """The attack with a number."""
        self.arena.clear()
        random = Random(zlib.crc32(f"{self.name} {seed} {number}".encode()))
        try:
            return self.attack(random, Mutator(random))
        except Exception as error:  # noqa: BLE001 - what an attacker cannot cope with, nobody has looked at
            return Verdict(End.TRACEBACK, f"the attacker itself failed: {'; '.join(described(error))}")


@dataclass
class Tally:
    """What came of a round."""

    ends: Counter[End] = field(default_factory=Counter)
    peak: int = 0
    failures: list[tuple[int, Verdict]] = field(default_factory=list)

    def add(self, number: int, verdict: Verdict) -> None:
        """Counts an attack."""
        self.ends[verdict.end] += 1
        self.peak = max(self.peak, verdict.peak)
        if not verdict.is_right:
            self.failures.append((number, verdict))

    @property
    def told(self) -> str:
        """The failures in words."""
        return "\n".join(f"attack {number}: {verdict.end}: {verdict.detail}" for number, verdict in self.failures)


def attack_round(
    attacker: Attacker,
    seed: int,
    *,
    first: int = 0,
    attacks: int | None = None,
    seconds: float | None = None,
    begin: Callable[[int], None] = lambda number: None,
    done: Callable[[int, Verdict], None] = lambda number, verdict: None,
) -> Tally:
    """A number of attacks, or as many as a time allows, from the first number on."""
    tally = Tally()
    started = time.monotonic()
    number = first
    while number < first + attacks if attacks is not None else time.monotonic() - started < (seconds or 0):
        begin(number)
        verdict = attacker.numbered(seed, number)
        tally.add(number, verdict)
        done(number, verdict)
        number += 1
    return tally


def keep_inputs(arena: Arena, folder: Path) -> None:
    """Copies the inputs of the last attack, unless they are large."""
    files = [path for path in arena.inputs.rglob("*") if path.is_file() and not path.is_symlink()]
    if sum(path.stat().st_size for path in files) < 5 << 20:
        shutil.copytree(arena.inputs, folder, symlinks=True, dirs_exist_ok=True)
