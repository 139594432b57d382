"""Small good raw files of every benchmark, and a way to load them from a cache of the test's own."""

import json

import pytest
from datasets import load_dataset

REVIEW = {"context": "un film génial", "question": "positive or negative?", "answer": ["positive"]}
PART = {"seq_ins": [["天", "气"]], "seq_outs": [["B-what", "I-what"]], "labels": [["ASK"]]}
FACT = {"tokens": ["Zoë", "lives", "in", "Rome"], "h": ["zoë", "Q1", [[0]]], "t": ["rome", "Q2", [[3]]]}
MENTION = {
    "token": ["Zoë", "Lee", "likes", "Rome"],
    "subj_start": 0,
    "subj_end": 1,
    "subj_type": "PERSON",
    "obj_start": 3,
    "obj_end": 3,
    "obj_type": "CITY",
}
TAGGED = "Zoë\tperson-actor\nsings\tO\n\nRome\tlocation-GPE\n"


def lines(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def document(content):
    return json.dumps(content, ensure_ascii=False)


# Configuration and files of each benchmark. The last file is the one that a test spoils.
GOOD = {
    "clues": (
        "sst2",
        {
            "SST-2/sst_train_10_1.jsonl": lines({"id": 1, **REVIEW}, {"id": 2, **REVIEW}),
            "SST-2/sst_test.jsonl": lines({"id": 3, **REVIEW}, {"id": 4, **REVIEW}),
        },
    ),
    "few_nerd": ("inter", {f"inter/{split}.txt": TAGGED for split in ("train", "dev", "test")}),
    "fewjoint": (
        "episodes",
        {f"{split}.json": document({split: [{"support": PART, "query": PART}]}) for split in ("train", "dev", "test")},
    ),
    "fewrel": ("default", {f"{split}_wiki.json": document({split: [FACT] * 3}) for split in ("train", "val")}),
    "fs_tacred": (
        "default",
        {
            "categories_split.json": document({"train": ["no_relation", "a"], "dev": ["b"], "test": ["c"]}),
            **{
                f"{split}.json": document([{"id": str(i), **MENTION, "relation": "abc"[i % 3]} for i in range(6)])
                for split in ("train", "dev", "test")
            },
        },
    ),
}


@pytest.fixture
def good():
    """For each benchmark, the path of the file to spoil and its good content."""
    return {name: list(files.items())[-1] for name, (_, files) in GOOD.items()}


@pytest.fixture
def raw(tmp_path):
    """Writes the raw files of a benchmark, with those given in place of the good ones (None: left out)."""

    def write(name, **changed):
        for path, content in {**GOOD[name][1], **changed}.items():
            file = tmp_path / "raw" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


@pytest.fixture
def load(tmp_path):
    """Loads a benchmark from the raw files, with a cache of the test's own."""

    def run(name, config=None, **options):
        folders = {"data_dir": str(tmp_path / "raw"), "cache_dir": str(tmp_path / "cache")}
        return load_dataset(name, config or GOOD[name][0], **{**folders, **options})

    return run


@pytest.fixture
def cached(tmp_path):
    """The rows in the cache: the names of Arrow files and of what describes them."""

    def names():
        found = (tmp_path / "cache").rglob("*")
        return sorted(path.name for path in found if path.suffix == ".arrow" or path.name == "dataset_info.json")

    return names
