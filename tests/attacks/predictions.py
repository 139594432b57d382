"""Files of predictions: damaged lines, and headers that ask for more than they may."""

import json
from pathlib import Path
from random import Random
from typing import Any

from hf_fewshot.data.loading import load_episodes
from tests.attacks.attacker import Attacker
from tests.attacks.mutations import Mutator
from tests.attacks.verdict import End, Verdict, judge, worst

NONE = "NOTA"
SAMPLE = {
    "fewrel": (
        ["--n-way", "2", "--shots", "1", "--n-episodes", "4", "-o", "nota_rate=0.4"],
        "validation",
        "one_class",
    ),
    "few_nerd": (["--config", "inter", "--n-way", "2", "--shots", "1", "--n-episodes", "4"], "test", "seen_words"),
    "fewjoint": (["--shots", "1"], "test", "seen_words"),
    "clues": (["--config", "sst2"], "test", "most_frequent"),
}
# What a header may not choose.
REACHING: dict[str, Any] = {
    "cache_dir": "{outside}/cache",
    "data_dir": "{outside}",
    "data_files": "{outside}/x.json",
    "n_episodes": 10**12,
    "n_query": 10**9,
    "shots": 10**9,
    "n_way": 10**9,
    "seed": 10**20,
    "num_proc": 64,
    "streaming": True,
    "token": "hf_secret",
    "revision": "main",
    "download_mode": "force_redownload",
    "verification_mode": "no_checks",
    "save_infos": True,
    "keep_in_memory": True,
    "storage_options": {"x": 1},
    "split": "test",
    "name": "x",
    "path": "x",
    "features": {},
    "trust_remote_code": True,
}


class Predictions(Attacker):
    """Scores damaged files; a file that is accepted must get the score that its lines deserve."""

    name = "predictions"
    short = 60

    def prepare(self) -> None:
        self.good: dict[str, list[str]] = {}
        self.score: dict[str, float] = {}
        self.right: dict[tuple[int, str], str] = {}
        for benchmark, (options, split, method) in SAMPLE.items():
            self.arena.clear()
            where = ["--split", split, "--sample", "--output", str(self.arena.outputs)]
            call = self.arena.call("run", "--benchmark", benchmark, *options, "--method", method, *where)
            (record,) = self.arena.outputs.rglob("record.json")
            content = json.loads(record.read_text(encoding="utf-8"))
            lines = record.with_name("predictions.jsonl").read_text(encoding="utf-8").splitlines()
            assert call.code == 0, call.errors
            self.good[benchmark], self.score[benchmark] = lines, content["scores"][content["measure"]]
        self._learn_what_is_right()

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        benchmark = random.choice(list(self.good))
        lines = list(self.good[benchmark])
        way = random.choice(("header", "header", "reach", "reach", "line", "line", "line", "file"))
        if way == "header":
            lines[0] = mutator.json(json.loads(lines[0])).data.decode()
        elif way == "reach":
            lines[0] = self._reaching(random, json.loads(lines[0]))
        elif way == "line":
            at = random.randrange(1, len(lines))
            lines[at] = self._changed(random, mutator, lines[at])
        data = ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
        path = self.arena.inputs / "predictions.jsonl"
        path.write_bytes(mutator.file(data, ".jsonl").data if way == "file" else data)
        call = self.arena.call("score", path, *random.choice((["--json"], ["--json"], [], ["--output", "records"])))
        verdict = judge(call)
        if self.arena.escaped():
            return Verdict(End.ESCAPE, f"{self.arena.escaped()} written\n{verdict.detail}", verdict.peak)
        if call.code == 0 and "--json" in call.command:
            return worst(verdict, self._checked(benchmark, path, call.output, way))
        return verdict

    def _reaching(self, random: Random, header: dict[str, Any]) -> str:
        name = random.choice(list(REACHING))
        value = REACHING[name]
        header["data"][name] = value.format(outside=self.arena.outside) if isinstance(value, str) else value
        if random.random() < 0.5:
            header["fingerprint"] = ""
        return json.dumps(header)

    def _changed(self, random: Random, mutator: Mutator, line: str) -> str:
        """A line with other predictions, or with damage anywhere."""
        row = json.loads(line)
        if random.random() < 0.5 and all(isinstance(one, str) for one in row["predictions"]):
            random.shuffle(row["predictions"])
            order = random.sample(range(len(row["ids"])), len(row["ids"]))
            return json.dumps({**row, **{key: [row[key][at] for at in order] for key in ("ids", "predictions")}})
        return mutator.json(row).data.decode()

    def _checked(self, benchmark: str, path: Path, output: str, way: str) -> Verdict:
        """The score that was printed against that of the lines; the file's own header says nothing about it."""
        (found,) = json.loads(output)
        got = next(found["scores"][name] for name in ("f1", "sentence_accuracy", "s1") if name in found["scores"])
        expected = self._f1(path) if benchmark == "fewrel" else self.score[benchmark]
        sure = benchmark == "fewrel" or way in ("header", "reach")
        if not 0 <= got <= 1 or (sure and abs(got - expected) > 1e-9):
            return Verdict(End.WRONG_NUMBER, f"{way}: score {got}, deserved {expected}\n{path.read_text()[:600]}")
        return Verdict(End.FINE)

    def _learn_what_is_right(self) -> None:
        options = {"n_way": 2, "shots": 1, "n_episodes": 4, "nota_rate": 0.4, "sample": True}
        for index, row in enumerate(load_episodes("fewrel", split="validation", **options).rows()):
            for query in row["query"]:
                known = query["relation"] in row["classes"]
                self.right[index, query["id"]] = query["relation"] if known else NONE

    def _f1(self, path: Path) -> float:
        """Micro F1 of relations, counted by hand."""
        rows = [json.loads(line) for line in path.read_bytes().decode().split("\n")[1:] if line.strip()]
        given = {
            (row["index"], str(one)): label
            for row in rows
            for one, label in zip(row["ids"], row["predictions"], strict=True)
        }
        named = {key: label for key, label in given.items() if label != NONE}
        correct = sum(self.right[key] == label for key, label in named.items())
        gold = sum(label != NONE for label in self.right.values())
        return 2 * correct / (len(named) + gold)
