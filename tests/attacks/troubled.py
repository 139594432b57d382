"""Attackers that run errands, disturb them, and compare what is left in the end with that of an undisturbed run."""

import time
from dataclasses import dataclass

from tests.attacks.attacker import Attacker
from tests.attacks.disturbance import Disturbance
from tests.attacks.errands import differences, errands, outcome, run_errand
from tests.attacks.forked import Forked
from tests.attacks.verdict import Call, End, Verdict, judge, worst

TIME_LIMIT = 120.0
THERE = "exported is there already"  # what an export says when the one before was done


@dataclass(frozen=True)
class Undisturbed:
    """What an errand leaves behind when it is left alone, how often it meets files, and how long it takes."""

    outcome: dict[str, str]
    operations: int
    seconds: float


class Troubled(Attacker):
    """Has errands, and knows how they end."""

    weight = 2.0

    def prepare(self) -> None:
        self.commands = errands(self.arena.kept)
        self._known: dict[str, Undisturbed] = {}

    def undisturbed(self, errand: str) -> Undisturbed:
        """Found out once."""
        if errand not in self._known:
            self.run(errand)  # fills the caches that all attacks share
            self.arena.clear()
            started = time.monotonic()
            call, operations = self.run(errand)
            if call.code != 0:
                raise RuntimeError(f"{errand} does not even work when it is left alone: {call}")
            self._known[errand] = Undisturbed(outcome(self.arena.outputs), operations, time.monotonic() - started)
            self.arena.clear()
        return self._known[errand]

    def run(self, errand: str, disturbance: Disturbance | None = None) -> tuple[Call, int]:
        """Runs an errand in a process of its own; how it ended, and how often it met files."""
        disturbance = disturbance or Disturbance(self.arena.folder)
        with Forked(run_errand, self.arena.folder, self.commands[errand], disturbance) as forked:
            return forked.received(TIME_LIMIT) or (death(errand, forked), 0)

    def compared(self, errand: str, story: str, last: Call, found: dict[str, str]) -> Verdict:
        """A verdict on the last, undisturbed call of a story: it must end with what an undisturbed run leaves."""
        verdict = judge(last)
        if last.code != 0 and verdict.is_right and THERE not in last.errors:
            return Verdict(End.WRONG_NUMBER, f"{errand}, {story}: never done\n{verdict.detail}", verdict.peak)
        difference = differences(self.undisturbed(errand).outcome, found)
        if difference:
            told = f"{errand}, {story}: {difference}\n{verdict.detail}"
            return worst(verdict, Verdict(End.WRONG_NUMBER, told, verdict.peak))
        return verdict


def death(errand: str, forked: Forked) -> Call:
    """The end of a process that sent nothing."""
    timed_out = forked.exit_code is None
    forked.kill()
    code = forked.exit_code
    return Call(errand, code, raised="" if timed_out else f"the process died, exit code {code}", timed_out=timed_out)
