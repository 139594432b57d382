"""Disks that are full before a command is done: a small tmpfs that only its process sees."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from datasets.config import HF_DATASETS_CACHE

from tests.attacks.arena import Arena
from tests.attacks.errands import outcome
from tests.attacks.forked import Forked
from tests.attacks.mutations import Mutator
from tests.attacks.small_disk import mount, resize
from tests.attacks.troubled import TIME_LIMIT, Troubled, death
from tests.attacks.verdict import Call, End, Verdict, judge, worst

SAID = re.compile(r"space|full|disk", re.IGNORECASE)
LARGE = 1 << 30
CACHE = 3 << 20  # about what sample data and its rows take


class FullDisk(Troubled):
    """The command says that the disk is full; with more space the same command gives the true result."""

    name = "full disk"
    short = 3

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        errand = random.choice(list(self.commands))
        share, of_cache = random.random(), random.random() < 0.3
        self.undisturbed(errand)
        size = int(share * (CACHE if of_cache else self._needed(errand)))
        place = Path(HF_DATASETS_CACHE) if of_cache else self.arena.outputs
        story = f"with {size} bytes of space for {'the cache' if of_cache else 'results'}"
        with Forked(_first_small, self.arena.folder, self.commands[errand], place, size) as forked:
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


def _first_small(send: Callable[[object], None], folder: Path, words: tuple[str, ...], place: Path, size: int) -> None:
    """In a process of its own: a command on a small disk, then on a large one; sends both ends and the outcome."""
    arena = Arena(folder, empty=False)
    mount(place, size)
    send(arena.call(*words))
    resize(place, LARGE)
    send((arena.call(*words), outcome(arena.outputs)))
