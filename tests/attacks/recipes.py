"""Recipes that are no recipes, ask for too much, or say two things."""

import json
from pathlib import Path
from random import Random

import yaml

from tests.attacks.attacker import Attacker
from tests.attacks.mutations import REPEATED_KEY, Mutator
from tests.attacks.true_records import false_records
from tests.attacks.verdict import End, Verdict, judge, worst

FOLDER = Path(__file__).resolve().parents[2] / "recipes"
SMALL = """\
benchmark: fewrel
split: validation
data: {sample: true, n_way: 2, shots: 1, n_episodes: 3}
settings: [{nota_rate: 0.2}, {nota_rate: 0.5}]
draws: {seed: [0, 1]}
seeds: [0]
systems:
  None: {method: always_none}
  One: {method: one_class, overrides: [{setting: {nota_rate: 0.5}, options: {}}]}
"""
LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
# Whole files, each with what must become of it.
REFUSED = (
    LAUGHS + SMALL,
    SMALL.replace("title", "x") + f"data: {{x: {LAUGHS.splitlines()[0][3:]}}}\n",
    SMALL + "benchmark: few_nerd\n",
    SMALL + "  None: {method: one_class}\n",
    SMALL.replace("seeds: [0]", "seeds:"),
    SMALL.replace("seeds: [0]", "seeds: []"),
    SMALL.replace("seeds: [0]", "seeds: [100000000000000000000]"),
    SMALL.replace("seeds: [0]", "seeds: [-1]"),
    SMALL.replace("seeds: [0]", "seeds: [true]"),
    SMALL.replace("seeds: [0]", "seeds: two"),
    SMALL.replace("seed: [0, 1]", "seed: []"),
    SMALL.replace("seed: [0, 1]", "seed: 3"),
    SMALL.replace("seed: [0, 1]", "fold: [1]"),
    SMALL.replace("[{nota_rate: 0.2}, {nota_rate: 0.5}]", "[]"),
    SMALL.replace("[{nota_rate: 0.2}, {nota_rate: 0.5}]", "[nota_rate]"),
    SMALL.replace("n_episodes: 3", "n_episodes: 1000000000000000"),
    SMALL.replace("n_episodes: 3", "n_episodes: three"),
    SMALL.replace("n_episodes: 3", "cache_dir: OUTSIDE/cache"),
    SMALL.replace("method: always_none", "method: [always_none]"),
    SMALL.replace("method: always_none", "method: always_nine"),
    SMALL.replace("always_none}", "always_none, options: 7}"),
    SMALL.replace("always_none}", "proto, training: {max_steps: two}}"),
    SMALL.replace("always_none}", "proto, options: {layers: abc}}"),
    SMALL[: SMALL.index("systems")] + "systems: {}\n",
    SMALL[: SMALL.index("systems")] + "systems:\n",
    "!!python/object/apply:os.system ['true']\n",
    "- 1\n- 2\n",
    "a: !!timestamp x\n",
    "[" * 5000,
    "{a: " * 3000,
    "x: *nothing\n",
    "\t" + SMALL,
    "%YAML 9.9\n---\n" + SMALL,
    SMALL + "---\n" + SMALL,
)


class Recipes(Attacker):
    """Plans and runs damaged recipes."""

    name = "recipes"
    short = 40

    def prepare(self) -> None:
        self.texts = [SMALL, *(path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.yaml")))]
        assert len(self.texts) > 1

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        path = self.arena.inputs / "recipe.yaml"
        way = random.choice(("refused", "refused", "values", "values", "values", "lines", "lines", "bytes"))
        text = random.choice((SMALL, SMALL, SMALL, *self.texts))
        refused = way == "refused"
        if refused:
            text = random.choice(REFUSED).replace("OUTSIDE", str(self.arena.outside))
            path.write_text(text, encoding="utf-8")
        elif way == "values":  # JSON is YAML
            damage = mutator.json(json.loads(json.dumps(yaml.safe_load(text), default=str)))
            path.write_bytes(damage.data)
            refused = damage.kind == REPEATED_KEY
        else:
            path.write_bytes((mutator.lines(text) if way == "lines" else mutator.bytes(text.encode())).data)
        plan = [] if "always_none" in text and random.random() < 0.7 else ["--dry-run"]
        call = self.arena.call("run", path, *plan)
        verdict = judge(call)
        if self.arena.escaped():
            return Verdict(End.ESCAPE, f"{self.arena.escaped()} written\n{verdict.detail}", verdict.peak)
        if refused and call.code == 0:
            return worst(verdict, Verdict(End.WRONG_NUMBER, f"was accepted:\n{path.read_text()[:800]}\n{call.output}"))
        return worst(verdict, false_records(self.arena.outputs))
