"""Errors of the operating system, and of memory, at one operation on a file or from there on."""

from random import Random

from tests.attacks.disturbance import MEMORY, Disturbance
from tests.attacks.errands import outcome
from tests.attacks.mutations import Mutator
from tests.attacks.troubled import Troubled
from tests.attacks.verdict import Verdict, judge, worst

ERRORS = ("ENOSPC", "ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE", "EDQUOT", "ESTALE", MEMORY)


class Faults(Troubled):
    """The command ends in a sentence or does its work; without faults the same command then gives the true result."""

    name = "faults"
    short = 3

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        errand = random.choice(list(self.commands))
        at = random.randrange(self.undisturbed(errand).operations)
        what, lasts = random.choice(ERRORS), random.random() < 0.3
        story = f"{what} at operation {at}{' and ever after' if lasts else ''}"
        struck, _ = self.run(errand, Disturbance(self.arena.folder, at, what, lasts))
        last, _ = self.run(errand)
        verdict = judge(struck)
        first = Verdict(verdict.end, f"{errand}, {story}\n{verdict.detail}", verdict.peak)
        return worst(first, self.compared(errand, story, last, outcome(self.arena.outputs)))
