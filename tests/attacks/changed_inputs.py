"""Runs whose data, code, files or weights are changed, when they are done or killed, before they are run again."""

import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.attacks.attacker import Attacker
from tests.attacks.disturbance import Disturbance
from tests.attacks.errands import run_errand
from tests.attacks.forked import Forked
from tests.attacks.models import tiny_causal_lm, tiny_encoder
from tests.attacks.mutations import Mutator
from tests.attacks.small_data import all_small_data
from tests.attacks.troubled import TIME_LIMIT, death
from tests.attacks.verdict import Call, End, Verdict, judge, worst

METHOD = """
import hf_fewshot
from hf_fewshot.registry import register_method
from hf_fewshot.methods.prototypes import Prototypes
from own_constant import SIGN


class Own(Prototypes):
    def forward(self, *arguments):
        return SIGN * super().forward(*arguments)


register_method("own", "own_method:Own", tasks=("relation",))
"""
FORMAT = "task: relation\ninstruction: '{labels}'\nquery: '{sentence} {head} {tail} is'\nnota: none\n"
STEPS = ("--training", "max_steps=3", "--training", 'data={"n_episodes": 4}', "--training", "learning_rate=0.01")
SAME = ("nothing", "new times", "copy elsewhere")
RESULT = ("scores", "numerators", "denominators", "units", "episodes", "confusion")


class ChangedInputs(Attacker):
    """The second command gives the result of what is there then, as a run elsewhere does; or it stops and says why."""

    name = "changed inputs"
    short = 2

    def prepare(self) -> None:
        self.encoder = tiny_encoder(self.arena.kept / "encoder")
        self.language_model = tiny_causal_lm(self.arena.kept / "language model")
        self.relations = next(data for data in all_small_data() if data.name == "relations")
        self.ways: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
            "one class": (("--method", "one_class"), ("test data",)),
            "prototypes": (("--method", "proto", "--model", "encoder"), ("test data", "weights", "vocabulary")),
            "trained": (("--method", "mnav", "--model", "encoder", *STEPS), ("train data", "test data", "weights")),
            "own method": (
                ("--method", "own", "--import", "own_method", "--model", "encoder"),
                ("method", "constant"),
            ),
            "in context": (
                ("--method", "in_context", "--model", "language model", "--method-option", "format=format.yaml"),
                ("format", "test data"),
            ),
        }

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        way, change = random.choice(list(self.ways)), random.random()
        words, changes = self.ways[way]
        changed = random.choice(SAME) if change < 0.2 else random.choice(changes)
        self._lay_out()
        command = ("run", "--benchmark", "fewrel", "--split", "validation", *self.relations.options, *words)
        killed_at = random.randrange(100) if random.random() < 0.4 else None
        before = self._call(*command, "--data-dir", "data", killed_at=killed_at)
        if before.code != 0 and killed_at is None:
            return worst(judge(before), Verdict(End.WRONG_NUMBER, f"{way}: was not run\n{before.errors}"))
        folder = self._change(changed, random)
        after = self._call(*command, "--data-dir", folder)
        truth = self._call(*command, "--data-dir", folder, "--output", "truth")
        made_again = self._call(*command, "--data-dir", folder, "--again")
        story = f"{way}, {'done' if before.code == 0 else f'killed at operation {killed_at}'}, changed: {changed}"
        verdicts = [judge(call) for call in (after, truth, made_again)]
        if after.code == 0:
            verdicts.append(self._compared(story, after))
        elif changed in SAME:
            verdicts.append(Verdict(End.WRONG_NUMBER, f"{story}, was refused\n{after.errors}"))
        verdicts.append(self._compared(f"{story}, with --again", made_again))
        return worst(*verdicts)

    def _lay_out(self) -> None:
        """Commands are run in the folder of outputs, so all that they name lies there."""
        here = self.arena.outputs
        self.relations.write(here / "data")
        shutil.copytree(self.encoder, here / "encoder")
        shutil.copytree(self.language_model, here / "language model")
        (here / "own_method.py").write_text(METHOD)
        (here / "own_constant.py").write_text("SIGN = 1.0\n")
        (here / "format.yaml").write_text(FORMAT)

    def _change(self, what: str, random: Random) -> str:
        """Changes something; the folder of data from now on."""
        here = self.arena.outputs
        if what == "copy elsewhere":
            shutil.copytree(here / "data", here / "other data")
            return "other data"
        changes: dict[str, Callable[[], Any]] = {
            "nothing": lambda: None,
            "new times": lambda: [os.utime(path, (1, 1)) for path in here.rglob("*") if "results" not in path.parts],
            "test data": lambda: _turn_labels(here / "data/data/val_wiki.json"),
            "train data": lambda: _turn_labels(here / "data/data/train_wiki.json"),
            "weights": lambda: _turn_weights(here / "encoder/model.safetensors"),
            "vocabulary": lambda: _turn_vocabulary(here / "encoder/tokenizer.json"),
            "method": lambda: (here / "own_method.py").write_text(METHOD.replace("SIGN *", "-SIGN *")),
            "constant": lambda: (here / "own_constant.py").write_text("SIGN = -1.0\n"),
            "format": lambda: (here / "format.yaml").write_text(FORMAT.replace(" is", " is the")),
        }
        changes[what]()
        # Compiled files know their sources by size and second.
        shutil.rmtree(here / "__pycache__", ignore_errors=True)
        if what.endswith("data") and random.random() < 0.5:
            shutil.move(here / "data", here / "other data")
            return "other data"
        return "data"

    def _call(self, *words: str, killed_at: int | None = None) -> Call:
        disturbance = Disturbance(self.arena.folder, killed_at)
        with Forked(run_errand, self.arena.folder, words, disturbance) as forked:
            ended = forked.received(TIME_LIMIT)
            return ended[0] if ended else death(words[0], forked)

    def _compared(self, story: str, call: Call) -> Verdict:
        """Against the run that began with nothing."""
        found, expected = (_result(self.arena.outputs / folder) for folder in ("results", "truth"))
        if not expected or found == expected:
            return Verdict(End.FINE)
        wrong = [name for name in RESULT if found.get(name) != expected.get(name)]
        return Verdict(End.WRONG_NUMBER, f"{story}: {', '.join(wrong)} of other inputs\n{call.errors}{call.output}")


def _result(folder: Path) -> dict[str, Any]:
    """What a record says of the run in a folder of results."""
    paths = list(folder.glob("*/record.json"))
    content = json.loads(paths[0].read_text(encoding="utf-8")) if len(paths) == 1 else {}
    return {name: content.get(name) for name in RESULT} if content else {}


def _turn_labels(path: Path) -> None:
    """The sentences of each relation become those of the next."""
    content = json.loads(path.read_text(encoding="utf-8"))
    names = list(content)
    turned = dict(zip([*names[1:], names[0]], content.values(), strict=True))
    path.write_text(json.dumps(turned), encoding="utf-8")


def _turn_weights(path: Path) -> None:
    """All weights in reverse order; no size changes."""
    data = path.read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    numbers = [data[at : at + 4] for at in range(start, len(data), 4)]
    path.write_bytes(data[:start] + b"".join(reversed(numbers)))


def _turn_vocabulary(path: Path) -> None:
    """Ordinary words get the numbers of others."""
    content = json.loads(path.read_text(encoding="utf-8"))
    words = content["model"]["vocab"]
    ordinary = [word for word in words if word.isalpha()]
    content["model"]["vocab"] = {
        **words,
        **dict(zip(ordinary, [words[word] for word in reversed(ordinary)], strict=True)),
    }
    path.write_text(json.dumps(content), encoding="utf-8")
