"""The same command several times at once, as impatient users and job arrays start it."""

import time
from random import Random

from tests.attacks.disturbance import Disturbance
from tests.attacks.errands import outcome, run_errand
from tests.attacks.forked import Forked
from tests.attacks.mutations import Mutator
from tests.attacks.troubled import TIME_LIMIT, Troubled, death
from tests.attacks.verdict import Call, Verdict, judge, worst


class Rivals(Troubled):
    """Each ends well, or says that another is at work; what lies there in the end is that of one alone."""

    name = "rivals"
    short = 1
    weight = 1.0

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        errand = random.choice(list(self.commands))
        seconds = self.undisturbed(errand).seconds
        pauses = [random.random() * seconds for _ in range(random.choice((1, 1, 2)))]
        rivals = [self._start(errand)]
        for pause in pauses:
            time.sleep(pause)
            rivals.append(self._start(errand))
        verdicts = [judge(self._end(errand, rival)) for rival in rivals]
        last, _ = self.run(errand)
        story = f"{len(rivals)} at once, {', '.join(f'{pause:.2f}' for pause in pauses)} seconds apart"
        return worst(*verdicts, self.compared(errand, story, last, outcome(self.arena.outputs)))

    def _start(self, errand: str) -> Forked:
        return Forked(run_errand, self.arena.folder, self.commands[errand], Disturbance(self.arena.folder))

    def _end(self, errand: str, rival: Forked) -> Call:
        with rival:
            ended = rival.received(TIME_LIMIT)
            return ended[0] if ended else death(errand, rival)
