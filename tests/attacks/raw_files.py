"""Raw files of all benchmarks, damaged."""

from pathlib import PurePath
from random import Random

from tests.attacks.attacker import Attacker
from tests.attacks.contradictions import CONTRADICTIONS
from tests.attacks.mutations import REPEATED_KEY, Damage, Mutator
from tests.attacks.small_data import SmallData, all_small_data
from tests.attacks.true_records import false_records
from tests.attacks.verdict import End, Verdict, judge, worst


class RawFiles(Attacker):
    """Gives a folder with a damaged file to commands that look at it, check it, run on it or write it elsewhere."""

    name = "raw files"
    short = 60

    def prepare(self) -> None:
        self.all_data = all_small_data()

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        data = random.choice(self.all_data)
        data.write(self.arena.inputs)
        path = random.choice(sorted(data.files))
        contradicts = data.name in CONTRADICTIONS and random.random() < 0.3
        if contradicts:
            damage = Damage(CONTRADICTIONS[data.name](data.files[path], random), "contradiction")
        else:
            damage = mutator.file(data.files[path], PurePath(path).suffix)
        (self.arena.inputs / path).write_bytes(damage.data)
        call = self.arena.call(*self._command(random, data))
        verdict = judge(call)
        if call.code == 0 and contradicts and "verify" not in call.command and _is_read(path, call.command):
            return Verdict(End.WRONG_NUMBER, f"a contradiction in {path} was accepted\n{verdict.detail}", verdict.peak)
        if call.code == 0 and damage.kind == REPEATED_KEY and ("show" in call.command or "export" in call.command):
            return Verdict(End.WRONG_NUMBER, f"a repeated key in {path} was accepted\n{verdict.detail}", verdict.peak)
        return worst(verdict, false_records(self.arena.outputs))

    def _command(self, random: Random, data: SmallData) -> list[str]:
        where = ["--data-dir", str(self.arena.inputs)]
        # `show` samples Few-NERD's episodes unless told the number of those released.
        looks = "export" if data.name == "released episodes" else "show"
        kind = random.choice((looks, looks, "run", "verify", "sample", "export"))
        if kind == "run":
            method = ["--split", data.split, "--method", data.method]
            return ["run", "--benchmark", data.benchmark, *data.options, *method, *where]
        if kind == "export":
            return ["export", data.benchmark, *data.options, *where, "--output", "exported"]
        if kind in ("verify", "sample") and data.makes_episodes:
            to = [] if kind == "verify" else ["--output", random.choice(("episodes.jsonl", "episodes.parquet"))]
            return [kind, data.benchmark, *data.options, "--split", data.split, *to, *where]
        return ["show", data.benchmark, *data.options, "--split", data.split, *where]


def _is_read(path: str, command: str) -> bool:
    """Whether a command needs this file: exports and `show` read all splits, others may leave some out."""
    return "'export'" in command or "'show'" in command or "test" in PurePath(path).name
