"""Commands with options that make no sense."""

from random import Random

from tests.attacks.attacker import Attacker
from tests.attacks.models import tiny_encoder
from tests.attacks.mutations import WORDS, Mutator
from tests.attacks.true_records import false_records
from tests.attacks.verdict import Verdict, judge, worst

BENCHMARKS = ("clues", "few_nerd", "fewjoint", "fewrel", "fs_tacred")
VALUES = (
    "0", "-1", "1", "2", "3", "1.5", "1e3", "1e400", "NaN", "-Infinity", "100000000000000000000",
    "9223372036854775808", "abc", "true", "null", "None", "[]", "{}", '""', '"x"', "[1,2]", '{"a":1}', "[" * 2000,
    "test", "train", "wiki", "released", "sampled", "original", ".", "/", "/dev/null", "~", "--", "=", "\udcff", "٣",
    "½", "1_0", "0x10", *WORDS,
)  # fmt: skip
DATA = (
    "n_way", "shots", "n_episodes", "n_query", "seed", "test_seed", "nota_rate", "na_rate", "domain", "episodes",
    "fold", "compat", "data_version", "sample", "data_dir", "cache_dir", "data_files", "name", "path", "config_name",
    "version", "description", "split", "streaming", "num_proc", "token", "revision", "features", "hash", "", "n-way",
    "self",
)  # fmt: skip
METHOD = (
    "layers", "tau", "representation", "distance", "max_length", "n_vectors", "tuning", "part", "transitions",
    "format", "scale", "seed", "dtype", "encode_once", "model", "batch_size", "projection", "normalize", "", "self",
    "endpoint",
)  # fmt: skip
TRAINING = (
    "max_steps", "num_train_epochs", "learning_rate", "per_device_train_batch_size", "seed", "output_dir", "optim",
    "lr_scheduler_type", "warmup_steps", "save_steps", "eval_steps", "bf16", "fp16", "report_to", "n_way", "shots",
    "n_episodes", "gradient_accumulation_steps", "dataloader_num_workers", "", "weight_decay", "max_grad_norm",
)  # fmt: skip
METHODS = ("proto", "nnshot", "mnav", "threshold", "sentence_pair", "one_class", "always_none", "joint_proto", "x")
# With one of these, a value may ask for hours of work, which is no fault.
SLOW = {
    "max_steps",
    "num_train_epochs",
    "steps",
    "n_episodes",
    "per_device_train_batch_size",
    "dataloader_num_workers",
}


class Options(Attacker):
    """Draws a command and its options; all values come from the same list."""

    name = "options"
    short = 60

    def prepare(self) -> None:
        self.encoder = tiny_encoder(self.arena.kept / "encoder")

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        command = random.choice(("show", "show", "sample", "verify", "run", "run", "run", "export", "other"))
        call = self.arena.call(*getattr(self, f"_{command}")(random))
        return worst(judge(call), false_records(self.arena.outputs))

    def _data(self, random: Random) -> list[str]:
        words = []
        for _ in range(random.choice((1, 1, 2, 4))):
            name = random.choice(("--n-way", "--shots", "--n-episodes", "--config", "-o", "-o", "-o", "--data-dir"))
            words += [name, self._pair(random, DATA) if name == "-o" else self._value(random)]
        return [*words, *random.choice((["--sample"], ["--sample"], []))]

    def _value(self, random: Random) -> str:
        return random.choice(VALUES)

    def _pair(self, random: Random, names: tuple[str, ...]) -> str:
        name, value = random.choice(names), random.choice(VALUES)
        if name in SLOW and value.isdigit():
            value = "2"
        return f"{name}={value}" if random.random() < 0.95 else value

    def _benchmark(self, random: Random) -> str:
        return random.choice((*BENCHMARKS, *BENCHMARKS, self._value(random)))

    def _show(self, random: Random) -> list[str]:
        extra = random.choice(([], ["--index", self._value(random)], ["--split", self._value(random)]))
        return ["show", self._benchmark(random), *self._data(random), *extra]

    def _verify(self, random: Random) -> list[str]:
        extra = random.choice(([], ["--json"], ["--split", self._value(random)], ["--compat", "original"]))
        return ["verify", self._benchmark(random), "--n-way", "2", "--shots", "1", *self._data(random), *extra]

    def _sample(self, random: Random) -> list[str]:
        output = random.choice(("x.jsonl", "x.parquet", "a/b.jsonl", self._value(random)))
        few = ["--n-way", "2", "--shots", "1", "--n-episodes", "2"]
        return ["sample", self._benchmark(random), *few, *self._data(random), "--output", output]

    def _export(self, random: Random) -> list[str]:
        output = random.choice(("exported", self._value(random)))
        return ["export", self._benchmark(random), *self._data(random), "--output", output]

    def _run(self, random: Random) -> list[str]:
        few = ["--n-way", "2", "--shots", "1", "--n-episodes", "2", "--sample", "--split", "validation"]
        words = [
            "run",
            "--benchmark",
            "fewrel",
            *few,
            "--method",
            random.choice(METHODS),
            "--model",
            str(self.encoder),
        ]
        for _ in range(random.choice((1, 1, 2))):
            way = random.choice(("option", "option", "training", "seeds", "data", "rest"))
            if way == "option":
                words += ["--method-option", self._pair(random, METHOD)]
            elif way == "training":
                words += ["--training", "max_steps=1", "--training", self._pair(random, TRAINING)]
            elif way == "seeds":
                words += ["--seeds", self._value(random)]
            elif way == "data":
                words += ["-o", self._pair(random, DATA)]
            else:
                name = random.choice(("--model", "--task-index", "--import", "--method", "--split", "--output"))
                words += [name, random.choice((*VALUES, "results"))]
        return words

    def _other(self, random: Random) -> list[str]:
        value = self._value(random)
        return random.choice((
            ["score", value],
            ["score", "/dev/null", "--data-dir", value],
            ["report", value],
            ["report", ".", "--output", value],
            ["push", value, "--repo", self._value(random), "--dry-run"],
            ["push", "--metric", value, "--repo", "me/x", "--dry-run"],
            ["push", "--metric", "s1", "--repo", value, "--dry-run"],
            ["run", value],
            ["list", value],
            [value],
            [value, "--help"],
            ["list", "--json"],
        ))  # fmt: skip
