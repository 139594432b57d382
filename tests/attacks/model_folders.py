"""Folders of models that are damaged, empty, or hold more than a model."""

import json
import os
import pickle
import shutil
import struct
from pathlib import Path
from random import Random

from tests.attacks.attacker import Attacker
from tests.attacks.models import tiny_encoder
from tests.attacks.mutations import ESCAPE, Mutator
from tests.attacks.true_records import false_records
from tests.attacks.verdict import End, Verdict, judge, worst

WEIGHTS = "model.safetensors"
KINDS = (
    "values", "values", "values", "bytes", "bytes", "names", "missing", "folder", "link", "pickle", "not a number",
    "header",
)  # fmt: skip
HUGE = ("vocab_size", "hidden_size", "num_hidden_layers", "max_position_embeddings", "intermediate_size")


class ModelFolders(Attacker):
    """Runs a method with a damaged encoder."""

    name = "model folders"
    short = 30

    def prepare(self) -> None:
        self.encoder = tiny_encoder(self.arena.kept / "encoder")

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        folder = self.arena.inputs / "encoder"
        shutil.copytree(self.encoder, folder)
        kind = random.choice(KINDS)
        self._damage(kind, folder, random, mutator)
        few = ["--n-way", "2", "--shots", "1", "--n-episodes", "2", "--sample", "--split", "validation"]
        method = random.choice(("proto", "nnshot"))
        call = self.arena.call("run", "--benchmark", "fewrel", *few, "--method", method, "--model", folder)
        verdict = judge(call)
        if self.arena.escaped():
            return Verdict(End.ESCAPE, f"code of a model was run\n{verdict.detail}", verdict.peak)
        if call.code == 0 and kind in ("not a number", "pickle", "header"):
            return worst(verdict, Verdict(End.WRONG_NUMBER, f"{kind}: a score was given\n{verdict.detail}"))
        return worst(verdict, false_records(self.arena.outputs))

    def _damage(self, kind: str, folder: Path, random: Random, mutator: Mutator) -> None:
        path = random.choice(sorted(folder.iterdir()))
        if kind == "values":
            path = random.choice(sorted(folder.glob("*.json")))
            content = json.loads(path.read_text(encoding="utf-8"))
            if path.name == "config.json" and random.random() < 0.2:
                content[random.choice(HUGE)] = random.choice((10**9, 10**6, 0, -1))
                path.write_text(json.dumps(content))
            else:
                path.write_bytes(mutator.json(content).data)
        elif kind == "names":
            path = random.choice((folder / "tokenizer.json", folder / "tokenizer_config.json", folder / "config.json"))
            content = json.loads(path.read_text(encoding="utf-8"))
            within = content["added_tokens"][0] if path.name == "tokenizer.json" and random.random() < 0.5 else content
            within[ESCAPE] = random.choice((1, True, ESCAPE))
            path.write_text(json.dumps(content))
        elif kind == "bytes":
            path.write_bytes(mutator.bytes(path.read_bytes()).data)
        elif kind in ("missing", "folder", "link"):
            path.unlink()
            if kind == "folder":
                path.mkdir()
            elif kind == "link":
                path.symlink_to(random.choice((path, "/dev/null", "nowhere", folder)))
        elif kind == "pickle":
            (folder / WEIGHTS).unlink()
            (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Touch(str(self.arena.outside / "owned"))))
        else:
            weights = folder / WEIGHTS
            data = weights.read_bytes()
            length = struct.unpack("<Q", data[:8])[0]
            if kind == "header":
                weights.write_bytes(struct.pack("<Q", random.choice((0, 2**63, 2**40, length - 1))) + data[8:])
            else:
                weights.write_bytes(data[: 8 + length] + b"\xff\xff\xff\x7f" * ((len(data) - 8 - length) // 4))


class Touch:
    """Writes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return os.mkdir, (self.path,)
