"""Disks that are full before a command is done: a small tmpfs that only its process sees."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.attacks.arena import Arena
from tests.attacks.errands import outcome
from tests.attacks.forked import Forked
from tests.attacks.mutations import Mutator
from tests.attacks.small_disk import mount, resize
from tests.attacks.troubled import TIME_LIMIT, Troubled, death
from tests.attacks.verdict import Call, End, Verdict, judge, worst

SAID = re.compile(r"space|full|disk", re.IGNORECASE)
LARGE = 1 << 30


class FullDisk(Troubled):
    """The command says that the disk is full; with more space the same command gives the true result."""

    name = "full disk"
    short = 4

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        errand = random.choice(list(self.commands))
        share = random.random()
        self.undisturbed(errand)
        size = int(share * self._needed(errand))
        story = f"with {size} bytes of space"
        with Forked(_first_small, self.arena.folder, self.commands[errand], size) as forked:
            first: Call = forked.received(TIME_LIMIT) or death(errand, forked)
            verdict = judge(first)
            told = f"{errand}, {story}\n{verdict.detail}"
            if not verdict.is_right:
                return Verdict(verdict.end, told, verdict.peak)
            if first.code != 0 and not SAID.search(first.errors):
                return Verdict(End.TRACEBACK, f"does not say that the disk is full: {told}", verdict.peak)
            last, found = forked.received(TIME_LIMIT) or (death(errand, forked), {})
        return worst(verdict, self.compared(errand, story, last, found))

    def _needed(self, errand: str) -> int:
        """Bytes that are on the disk in the end."""
        if errand not in self._sizes:
            self.run(errand)
            files = [path for path in self.arena.outputs.rglob("*") if path.is_file() and not path.is_symlink()]
            self._sizes[errand] = sum(path.stat().st_size for path in files)
            self.arena.clear()
        return self._sizes[errand]

    def prepare(self) -> None:
        super().prepare()
        self._sizes: dict[str, int] = {}


def _first_small(send: Callable[[object], None], folder: Path, words: tuple[str, ...], size: int) -> None:
    """In a process of its own: a command on a small disk, then on a large one; sends both ends and the outcome."""
    arena = Arena(folder, empty=False)
    mount(arena.outputs, size)
    send(arena.call(*words))
    resize(arena.outputs, LARGE)
    send((arena.call(*words), outcome(arena.outputs)))
