"""Commands that write much, on tiny models and sample data, and what they leave behind."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.attacks.arena import Arena
from tests.attacks.disturbance import Disturbance
from tests.attacks.models import tiny_causal_lm, tiny_encoder
from tests.attacks.true_records import lasting
from tests.attacks.verdict import Call

RECORDS = Path(__file__).resolve().parents[2] / "docs" / "records"
FEWREL = ("run", "--benchmark", "fewrel", "--n-way", "2", "--shots", "1", "--sample", "--split", "validation")
NERD = ("--config", "inter", "--n-way", "2", "--shots", "1", "--n-episodes", "20", "--sample")
JOINT = ("run", "--benchmark", "fewjoint", "--shots", "1", "--sample", "-o", "episodes=sampled", "--n-episodes", "3")
STEPS = ("--training", "max_steps=6", "--training", "save_steps=2", "--training", 'data={"n_episodes": 6}')
CLUES = ("run", "--benchmark", "clues", "--config", "sst2", "--sample", "--shots", "10")
SPANS = ("--method", "span_finetuning", "--method-option", "max_length=96", "--training", "max_steps=4")
RECIPE = """\
benchmark: fewrel
split: validation
data: {sample: true, n_way: 2, shots: 1, n_episodes: 3}
draws: {seed: [0, 1]}
systems:
  None: {method: always_none}
  Proto: {method: proto}
"""


def errands(kept: Path) -> dict[str, tuple[str, ...]]:
    """Commands by what they do; all write into the current folder. What they read is made in a folder that is kept."""
    encoder = ("--model", str(tiny_encoder(kept / "encoder")))
    causal = ("--model", str(tiny_causal_lm(kept / "language model")))
    recipe = kept / "recipe.yaml"
    recipe.write_text(RECIPE, encoding="utf-8")
    return {
        "training": (*FEWREL, "--n-episodes", "20", "--method", "mnav", *encoder, *STEPS),
        "encoding": ("run", "--benchmark", "few_nerd", *NERD, "--method", "nnshot", *encoder),
        "tuning": (*JOINT, "--method", "joint_proto", *encoder, "--method-option", 'tuning={"steps": 2}'),
        "joint training": (*JOINT, "--method", "joint_proto", *encoder, *STEPS),
        "span training": (*CLUES, *SPANS, *encoder, "--training", "save_steps=2"),
        "in context": (*FEWREL, "--n-episodes", "4", "--method", "in_context", *causal),
        "recipe": ("run", str(recipe), *encoder),
        "export": ("export", "few_nerd", *NERD, "--output", "exported"),
        "sampling": ("sample", "few_nerd", *NERD, "--output", "episodes.jsonl"),
        "report": ("report", str(_some_records(kept / "records")), "--output", "page.html", "--markdown", "page.md"),
        "plots": ("report", str(_some_records(kept / "records")), "--plots", "plots"),
    }


def _some_records(folder: Path) -> Path:
    for path in sorted(RECORDS.rglob("record.json"))[::40]:
        if not (folder / path.parent.name).exists():
            (folder / path.parent.name).mkdir(parents=True)
            shutil.copy(path, folder / path.parent.name)
    return folder


def outcome(folder: Path) -> dict[str, str]:
    """What lies in a folder: a hash of each file by its path, of records one of each field; no locks and no times."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name.endswith(".lock"):
            continue
        name = str(path.relative_to(folder))
        if path.name == "record.json":
            found |= {f"{name}: {field}": _hash(repr(value).encode()) for field, value in lasting(path).items()}
        else:
            found[name] = _hash(b"" if path.suffix == ".seconds" else path.read_bytes())
    return found


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def differences(expected: dict[str, str], found: dict[str, str]) -> str:
    """What is missing, left over, or other than expected; nothing if all is the same."""
    parts = {
        "missing": sorted(expected.keys() - found.keys()),
        "left over": sorted(found.keys() - expected.keys()),
        "different": sorted(path for path in expected.keys() & found.keys() if expected[path] != found[path]),
    }
    return "; ".join(f"{name}: {', '.join(paths)}" for name, paths in parts.items() if paths)


def run_errand(
    send: Callable[[tuple[Call, int]], None], folder: Path, words: tuple[str, ...], disturbance: Disturbance
) -> None:
    """In a process of its own: runs a command in an arena that is there; sends its end and how often it met files."""
    arena = Arena(folder, empty=False)
    disturbance.begin()
    call = arena.call(*words)
    send((call, disturbance.count))
