"""A few rows of each benchmark's sample data, in every file format that is read."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hf_fewshot.data.loading import load_episodes
from hf_fewshot.data.samples import sample_folder

NERD = ("train", "dev", "test")


@dataclass(frozen=True)
class SmallData:
    """Raw files by path, the options they are read with, and a method that needs no model."""

    name: str
    benchmark: str
    options: tuple[str, ...]
    split: str
    method: str
    files: dict[str, bytes]
    makes_episodes: bool = True

    def write(self, folder: Path) -> None:
        """Writes the files."""
        for path, data in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)


def all_small_data() -> list[SmallData]:
    """All benchmarks and formats."""
    return [*_clues(), *_few_nerd(), *_fewjoint(), _fewrel(), _fs_tacred()]


def _clues() -> list[SmallData]:
    root = sample_folder("clues")
    folders = {
        "sst2": "SST-2/sst",
        "conll03": "CoNLL2003/conll",
        "squad": "SQuAD-v2/squad-v2",
        "record": "ReCoRD/record",
    }
    folders["mnli"] = "MNLI/mnli"
    found = []
    for config, stem in folders.items():
        paths = [f"data/JSON/CLUES-JSON/{stem}_{part}.jsonl" for part in ("train_10_1", "test")]
        files = {path: _first_lines(root / path, 8) for path in paths}
        found.append(SmallData(config, "clues", ("--config", config), "test", "most_frequent", files, False))
    return found


def _few_nerd() -> list[SmallData]:
    root = sample_folder("few_nerd")
    texts = {f"data/{config}/{part}.txt": b"" for config in ("inter", "supervised") for part in NERD}
    for path in texts:
        texts[path] = "\n\n".join((root / path).read_text(encoding="utf-8").split("\n\n")[:40]).encode() + b"\n"
    sampled = ("--config", "inter", "--n-way", "2", "--shots", "1", "--n-episodes", "3")
    released = ("--config", "inter", "--n-way", "2", "--shots", "1", "-o", "episodes=released")
    inter = {path: data for path, data in texts.items() if "inter" in path}
    supervised = {path: data for path, data in texts.items() if "supervised" in path}
    episodes = {f"data/episode-data/inter/{part}_2_1.jsonl": _released(part) for part in NERD}
    tables = {
        f"inter/{part}-00000-of-00001.parquet": _parquet(inter[f"data/inter/{file}.txt"])
        for part, file in (("train", "train"), ("validation", "dev"), ("test", "test"))
    }
    return [
        SmallData("tagged text", "few_nerd", sampled, "test", "seen_words", inter),
        SmallData("released episodes", "few_nerd", released, "test", "no_entity", episodes),
        SmallData("parquet", "few_nerd", sampled, "test", "no_entity", tables),
        SmallData("supervised", "few_nerd", ("--config", "supervised"), "test", "no_entity", supervised, False),
    ]


def _released(part: str) -> bytes:
    split = {"dev": "validation"}.get(part, part)
    episodes = load_episodes("few_nerd", "inter", split=split, sample=True, n_way=2, shots=1, n_episodes=3)
    lines = []
    for row in episodes.rows():
        sets = {
            name: {"word": [one["tokens"] for one in row[name]], "label": [one["tags"] for one in row[name]]}
            for name in ("support", "query")
        }
        lines.append(json.dumps({**sets, "types": row["classes"]}))
    return "\n".join(lines).encode() + b"\n"


def _parquet(text: bytes) -> bytes:
    sentences = [[line.split("\t") for line in block.splitlines()] for block in text.decode().strip().split("\n\n")]
    names = sorted({tag for sentence in sentences for _, tag in sentence})
    tags = [[names.index(tag) for _, tag in sentence] for sentence in sentences]
    table = pa.table({"tokens": [[word for word, _ in sentence] for sentence in sentences], "fine_ner_tags": tags})
    feature = {"feature": {"names": names, "_type": "ClassLabel"}, "_type": "List"}
    metadata = {"info": {"features": {"fine_ner_tags": feature}}}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({"huggingface": json.dumps(metadata)}), sink)
    return sink.getvalue().to_pybytes()


def _fewjoint() -> list[SmallData]:
    root = sample_folder("fewjoint")
    stem = "data/FewJoint1.1/result/SMP_data_slu_1/smp.spt_s_1.q_s_4.ep_50.cross_id_0"
    episodes, items = {}, {}
    for part in NERD:
        content = json.loads((root / f"{stem}/{part}.json").read_text(encoding="utf-8"))
        domains = {name: found[:2] for name, found in list(content.items())[:2]}
        episodes[f"{stem}/{part}.json"] = json.dumps(domains, ensure_ascii=False).encode()
        rows = json.loads((root / f"raw/{part}/items.json").read_text(encoding="utf-8"))
        wanted = {row["domain"] for row in rows[:1]} | {row["domain"] for row in rows[-1:]}
        items[f"raw/{part}/items.json"] = json.dumps([row for row in rows if row["domain"] in wanted]).encode()
    sampled = ("--shots", "1", "-o", "episodes=sampled", "--n-episodes", "2")
    return [
        SmallData("joint episodes", "fewjoint", ("--shots", "1"), "test", "no_slot", episodes),
        SmallData("items", "fewjoint", sampled, "test", "seen_words", items),
    ]


def _fewrel() -> SmallData:
    root = sample_folder("fewrel")
    files = {}
    for path in ("data/train_wiki.json", "data/val_wiki.json", "data/pid2name.json"):
        content: dict[str, Any] = json.loads((root / path).read_text(encoding="utf-8"))
        few = {name: found[:4] for name, found in list(content.items())[:5]}
        files[path] = json.dumps(few, ensure_ascii=False).encode()
    options = ("--n-way", "2", "--shots", "1", "--n-episodes", "3", "-o", "nota_rate=0.3")
    return SmallData("relations", "fewrel", options, "validation", "one_class", files)


def _fs_tacred() -> SmallData:
    root = sample_folder("fs_tacred")
    files = {"categories_split.json": (root / "categories_split.json").read_bytes()}
    for part in NERD:
        rows = json.loads((root / f"{part}.json").read_text(encoding="utf-8"))
        files[f"{part}.json"] = json.dumps(rows[:150]).encode()
    options = ("--n-way", "2", "--shots", "1", "--n-episodes", "3", "-o", "episodes=sampled")
    return SmallData("tacred", "fs_tacred", options, "test", "always_none", files)


def _first_lines(path: Path, count: int) -> bytes:
    return b"".join(path.read_bytes().splitlines(keepends=True)[:count])
