"""Sentences of thousands of words, for every method: memory must not grow with their square."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.attacks.attacker import Attacker
from tests.attacks.models import tiny_causal_lm, tiny_encoder
from tests.attacks.mutations import Mutator
from tests.attacks.small_data import all_small_data
from tests.attacks.true_records import false_records
from tests.attacks.verdict import Verdict, judge, worst

METHODS = {
    "tagged text": ("proto", "nnshot", "structshot", "in_context", "seen_words"),
    "items": ("joint_proto", "sep_proto", "in_context", "seen_words"),
    "relations": ("proto", "nnshot", "threshold", "nav", "mnav", "sentence_pair", "in_context"),
    "sst2": ("span_finetuning", "in_context", "most_frequent"),
}
LENGTHS = (1_000, 5_000, 20_000)
STEPS = ("--training", "max_steps=1", "--method-option", "max_length=96")


class LongTexts(Attacker):
    """Makes some examples long, and runs a method on them."""

    name = "long texts"
    short = 3

    def prepare(self) -> None:
        self.data = {data.name: data for data in all_small_data()}
        self.encoder = str(tiny_encoder(self.arena.kept / "encoder"))
        self.language_model = str(tiny_causal_lm(self.arena.kept / "language model"))

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        name = random.choice(list(METHODS))
        method, length = random.choice(METHODS[name]), random.choice(LENGTHS)
        data = self.data[name]
        data.write(self.arena.inputs)
        for path in data.files:
            if "pid2name" not in path:
                (self.arena.inputs / path).write_bytes(_lengthened(name, data.files[path], length, random))
        model = self.language_model if method == "in_context" else self.encoder
        words = ["run", "--benchmark", data.benchmark, *data.options, "--split", data.split, "--method", method]
        words += ["--model", model, "--data-dir", str(self.arena.inputs), *(STEPS if "finetuning" in method else ())]
        call = self.arena.call(*words)
        return worst(judge(call), false_records(self.arena.outputs))


def _lengthened(name: str, content: bytes, length: int, random: Random) -> bytes:
    """A file in which some examples have this many words more; their labels stay where they are."""
    text = content.decode()
    if name == "tagged text":
        sentences = text.rstrip("\n").split("\n\n")
        for at in _some(random, range(len(sentences))):
            sentences[at] += "\nword\tO" * length
        return ("\n\n".join(sentences) + "\n").encode()
    if name == "sst2":
        rows = [json.loads(line) for line in text.splitlines()]
        for row in _some(random, rows):
            row["context"] += " word" * length
        return "\n".join([*map(json.dumps, rows), ""]).encode()
    rows = json.loads(text)
    if name == "items":
        for row in _some(random, rows):
            row["text"] += "词" * length
    else:
        for row in _some(random, [row for instances in rows.values() for row in instances]):
            row["tokens"] += ["word"] * length
    return json.dumps(rows).encode()


def _some(random: Random, all_of_them: Sequence[Any]) -> list[Any]:
    return random.sample(all_of_them, random.choice((1, 1 + len(all_of_them) // 10, 1 + len(all_of_them) // 4)))
