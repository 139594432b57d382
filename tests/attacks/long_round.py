"""A long round: all attackers for a time, each in a process of its own, two at once."""

import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from tests.attacks.arena import Arena, descriptors_to
from tests.attacks.attacker import Tally, attack_round, keep_inputs
from tests.attacks.attackers import attacker_class
from tests.attacks.forked import Forked
from tests.attacks.tables import again
from tests.attacks.verdict import End, Verdict

AT_ONCE = 2
# No attack takes longer unless it hangs where its own time limit cannot reach it.
PATIENCE = 300.0


class Station:
    """An attacker in a process of its own, which is replaced by another one when it dies or hangs."""

    def __init__(self, name: str, seed: int, seconds: float, folder: Path) -> None:
        self.name, self.seed, self.folder = name, seed, folder
        self.tally = Tally()
        self.deadline = time.monotonic() + seconds
        self.number = 0  # of the attack under way
        self.is_done = False
        self._begin()

    def _begin(self) -> None:
        seconds = self.deadline - time.monotonic()
        self.forked = Forked(attack_for, self.name, self.seed, self.number, seconds, self.folder)
        self.heard = time.monotonic()

    def listen(self) -> None:
        """Takes what the process sends; judges silence."""
        message = self.forked.received(0) if self.forked.has_news else None
        if message is not None:
            self.heard = time.monotonic()
            self.number, verdict = message
            if verdict is not None:
                self._add(verdict)
        elif self.forked.exit_code is not None:
            self.is_done = self.forked.exit_code == 0
            if not self.is_done:
                last = log_of(self.name, self.folder).read_text(encoding="utf-8", errors="replace")[-2000:]
                told = f"the process died, exit code {self.forked.exit_code}\n{last}"
                self._go_on(Verdict(End.TRACEBACK, told))
        elif time.monotonic() - self.heard > PATIENCE:
            self._go_on(Verdict(End.HANG, f"silent for {PATIENCE:.0f} seconds, killed"))

    def _go_on(self, verdict: Verdict) -> None:
        self.forked.kill()
        self._add(verdict)
        self.is_done = time.monotonic() > self.deadline
        if not self.is_done:
            self._begin()

    def _add(self, verdict: Verdict) -> None:
        self.tally.add(self.number, verdict)
        if not verdict.is_right:
            folder = self.folder / "failed" / f"{self.name.replace(' ', '_')}-{self.seed}-{self.number}"
            folder.mkdir(parents=True, exist_ok=True)
            text = f"{verdict.end}\n{again(self.name, self.seed, self.number)}\n\n{verdict.detail}\n"
            (folder / "verdict.txt").write_text(text, encoding="utf-8", errors="backslashreplace")
        self.number += 1


def attack_for(
    send: Callable[[tuple[int, Verdict | None]], None], name: str, seed: int, first: int, seconds: float, folder: Path
) -> None:
    """In a process of its own: sends an attack's number before, and with its verdict after; keeps bad inputs."""
    with log_of(name, folder).open("ab") as log, descriptors_to(log.fileno()):
        _attack_for(send, name, seed, first, time.monotonic() + seconds, folder)


def _attack_for(send: Any, name: str, seed: int, first: int, deadline: float, folder: Path) -> None:
    slug = name.replace(" ", "_")
    attacker = attacker_class(name)(Arena(folder / "arenas" / slug))

    def done(number: int, verdict: Verdict) -> None:
        if not verdict.is_right:
            keep_inputs(attacker.arena, folder / "failed" / f"{slug}-{seed}-{number}" / "inputs")
        send((number, verdict))

    try:
        left = deadline - time.monotonic()
        attack_round(attacker, seed, first=first, seconds=left, begin=lambda number: send((number, None)), done=done)
    finally:
        attacker.close()


def log_of(name: str, folder: Path) -> Path:
    """Where an attacker's process writes what is written beside the commands that it watches."""
    return folder / f"{name.replace(' ', '_')}.log"


def long_round(
    names: Sequence[str], seed: int, seconds: float, folder: Path, shown: Callable[[dict[str, Tally]], None]
) -> dict[str, Tally]:
    """The tallies of all attackers, which share the time; `shown` is called with them now and then."""
    weights = {name: attacker_class(name).weight for name in names}
    share = seconds * min(1.0 / max(weights.values()), AT_ONCE / sum(weights.values()))
    waiting, working, tallies = list(names), [], {}
    try:
        while waiting or working:
            while waiting and len(working) < AT_ONCE:
                station = Station(waiting[0], seed, share * weights[waiting.pop(0)], folder)
                working.append(station)
                tallies[station.name] = station.tally
            wait([station.forked.connection for station in working], timeout=0.5)
            for station in working:
                station.listen()
            working = [station for station in working if not station.is_done]
            shown(tallies)
    finally:
        for station in working:
            station.forked.kill()
    return tallies
