"""Commands that are killed with SIGKILL, some several times, and started again until they are done."""

from random import Random

from tests.attacks.disturbance import KILL, Disturbance
from tests.attacks.errands import outcome, run_errand
from tests.attacks.forked import Forked
from tests.attacks.mutations import Mutator
from tests.attacks.troubled import Troubled
from tests.attacks.verdict import Verdict

LONG = ("training", "encoding", "tuning", "joint training", "span training", "in context", "recipe", "export")


class Kills(Troubled):
    """Half of the kills come at a seeded operation on a file, half at a seeded part of the time that it takes."""

    name = "kills"
    short = 2

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        errand = random.choice(LONG)
        known = self.undisturbed(errand)
        story = []
        for _ in range(random.choice((1, 1, 2, 3))):
            at, share = random.randrange(known.operations), random.random()
            if random.random() < 0.5:
                story.append(f"killed at operation {at}")
                self.run(errand, Disturbance(self.arena.folder, at, KILL))
            else:
                story.append(f"killed after {share:.4f} of its time")
                self._run_for(errand, known.seconds * share)
        call, _ = self.run(errand)
        return self.compared(errand, ", ".join(story), call, outcome(self.arena.outputs))

    def _run_for(self, errand: str, seconds: float) -> None:
        with Forked(run_errand, self.arena.folder, self.commands[errand], Disturbance(self.arena.folder)) as forked:
            forked.wait(seconds)
