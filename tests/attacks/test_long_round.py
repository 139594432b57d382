"""The process that watches attackers sees what they cannot: that they die, or fall silent."""

import os
import signal
import sys
import time

import pytest

from tests.attacks import long_round as module
from tests.attacks.attacker import Attacker
from tests.attacks.long_round import Station
from tests.attacks.verdict import End, Verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in /proc, which only Linux has")


class Doomed(Attacker):
    """Dies, fails, hangs and lives, in turns."""

    name = "doomed"

    def numbered(self, seed, number):
        self.number = number
        return super().numbered(seed, number)

    def attack(self, random, mutator):
        if self.number == 0:
            os.kill(os.getpid(), signal.SIGBUS)
        if self.number == 1:
            raise KeyError("lost")
        if self.number == 2:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            time.sleep(1000)
        return Verdict(End.FINE)


def attack_as_doomed(send, name, seed, first, seconds, folder):
    """In a process of its own: an attacker that no registry knows."""
    module.attacker_class = lambda name: Doomed
    module.attack_for(send, name, seed, first, seconds, folder)


def test_deaths_and_silence_are_counted_and_the_round_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "attack_for", attack_as_doomed)
    monkeypatch.setattr(module, "PATIENCE", 6.0)
    station = Station("doomed", 7, 60.0, tmp_path)
    while not station.tally.ends[End.FINE]:
        station.listen()
        time.sleep(0.01)
    station.forked.kill()
    failures = [(number, verdict.end, verdict.detail.partition("\n")[0]) for number, verdict in station.tally.failures]
    assert failures[0] == (0, End.TRACEBACK, f"the process died, exit code {-signal.SIGBUS}")
    assert failures[1][:2] == (1, End.TRACEBACK)
    assert failures[1][2].startswith("the attacker itself failed: KeyError: 'lost'")
    assert failures[2] == (2, End.HANG, "silent for 6 seconds, killed")
    assert len(failures) == 3
    kept = (tmp_path / "failed" / "doomed-7-2" / "verdict.txt").read_text()
    assert kept.startswith("hang\npython -m tests.attacks --attacker 'doomed' --seed 7 --number 2\n")
