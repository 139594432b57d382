"""Rows are kept in the Hugging Face cache, and only as long as they are those of the raw files and of the code."""

import json
import os
import subprocess
import sys

import pytest
from datasets import load_dataset

from hf_fewshot import registration
from hf_fewshot.dataset_scripts.clues import clues
from hf_fewshot.files.sources import MIRROR


def review(answer):
    return json.dumps({"id": 1, "context": "a film", "question": "positive or negative?", "answer": [answer]}) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Raw files of CLUES whose only answer is "good"."""
    for name in ("sst_train_10_1", "sst_test"):
        (tmp_path / f"{name}.jsonl").write_text(review("good"), encoding="utf-8")
    return tmp_path


@pytest.fixture
def answers(folder):
    """Loads the answers of the test split."""

    def load(**options):
        options = {"data_dir": str(folder), "cache_dir": str(folder / "cache"), **options}
        return load_dataset("clues", "sst2", split="test", **options)["answers"][:]

    return load


def test_unchanged_files_are_not_read_again(answers, monkeypatch):
    assert answers() == [["good"]]
    monkeypatch.setattr(clues, "read_row", None)
    assert answers() == [["good"]]


def test_a_changed_raw_file_gives_new_rows(answers, folder):
    assert answers() == [["good"]]
    (folder / "sst_test.jsonl").write_text(review("dreadful"), encoding="utf-8")
    assert answers() == [["dreadful"]]


@pytest.mark.parametrize("keep_time", [False, True])
def test_a_changed_raw_file_of_the_same_size_gives_new_rows(keep_time, answers, folder):
    file = folder / "sst_test.jsonl"
    before = file.stat()
    assert answers() == [["good"]]
    file.write_text(review("poor"), encoding="utf-8")
    if keep_time:
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert file.stat().st_size == before.st_size
    assert answers() == [["poor"]]


def test_changed_categories_of_tacred_give_new_rows(tmp_path):
    entity = {"subj_start": 0, "subj_end": 0, "obj_start": 1, "obj_end": 1}
    items = [{"id": name, "token": ["x", "y"], **entity, "relation": name} for name in ("a", "b")]
    (tmp_path / "test.json").write_text(json.dumps(items), encoding="utf-8")
    found = []
    for relation in ("a", "b"):
        categories = {"train": ["c"], "dev": ["d"], "test": [relation]}
        (tmp_path / "categories_split.json").write_text(json.dumps(categories), encoding="utf-8")
        found.append(load_dataset("fs_tacred", data_dir=str(tmp_path), split="test")["relation"][:])
    assert found == [["no_relation", "a"], ["no_relation", "b"]]


def test_a_folder_another_folder_and_a_mirror_do_not_share_rows(tmp_path, monkeypatch):
    # Of Few-NERD no checksums are known: a mirror may hold anything.
    other = tmp_path / "other"
    raw = tmp_path / "mirror/Few-NERD/data/inter"
    for place, name in ((other, "other"), (raw, "mirror")):
        place.mkdir(parents=True)
        for file in ("train.txt", "dev.txt", "test.txt"):
            (place / file).write_text(f"word\t{name}\n", encoding="utf-8")
    monkeypatch.setenv(MIRROR, str(tmp_path / "mirror"))
    options = {"split": "validation", "cache_dir": str(tmp_path / "cache")}
    assert load_dataset("few_nerd", "inter", **options)["tags"][:] == [["mirror"]]
    assert load_dataset("few_nerd", "inter", data_dir=str(other), **options)["tags"][:] == [["other"]]
    assert load_dataset("few_nerd", "inter", **options)["tags"][:] == [["mirror"]]


def test_other_code_builds_the_rows_again(answers, monkeypatch):
    assert answers() == [["good"]]

    def new_read_row(*args):
        return {**original(*args), "answers": ["as the new code has it"]}

    original = clues.read_row
    monkeypatch.setattr(clues, "read_row", new_read_row)
    assert answers() == [["good"]]
    monkeypatch.setattr(registration, "code_hash", lambda benchmark: "f" * 64)
    assert answers() == [["as the new code has it"]]


def test_other_code_samples_episodes_from_examples_built_again(tmp_path, monkeypatch):
    from hf_fewshot.dataset_scripts.few_nerd import few_nerd

    (tmp_path / "train.txt").write_text("".join(f"w{i}\tx-y\n\n" for i in range(4)), encoding="utf-8")
    options = {"data_dir": str(tmp_path), "n_way": 1, "shots": 1, "n_episodes": 1, "split": "train"}
    assert load_dataset("few_nerd", "inter", **options)[0]["classes"] == ["x-y"]

    def new_reader(path, prefix, scheme):
        return ({**row, "tags": ["new-type"]} for row in original(path, prefix))

    original = few_nerd.read_tagged_text
    monkeypatch.setattr(few_nerd, "read_tagged_text", new_reader)
    monkeypatch.setattr(registration, "code_hash", lambda benchmark: "e" * 64)
    assert load_dataset("few_nerd", "inter", **options)[0]["classes"] == ["new-type"]


# Reports each path that Python opens for writing, makes, moves or removes.
WATCH = """
import os, sys

def watch(event, args):
    if event == "open":
        path, _, flags = args
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        paths = [path] if writes and not isinstance(path, int) else []
    else:
        paths = args[:2] if event in ("os.rename", "os.link", "os.symlink") else args[:1]
        paths = paths if event in ("os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.link", "os.symlink") else []
    for path in paths:
        written.append(os.path.abspath(os.fsdecode(path)))

written = []
sys.addaudithook(watch)
import hf_fewshot
from datasets import load_dataset
for name, config, options in [
    ("clues", "sst2", {}),
    ("few_nerd", "inter", {"n_way": 2, "shots": 1, "n_episodes": 2}),
    ("fewjoint", "examples", {}),
    ("fewrel", None, {}),
    ("fs_tacred", None, {}),
]:
    assert all(rows.num_rows for rows in load_dataset(name, config, sample=True, **options).values())
print("\\n".join(dict.fromkeys(written)))
"""


def test_offline_with_nothing_at_hand_all_that_is_written_is_in_the_hugging_face_cache(tmp_path):
    home = tmp_path / "hf_home"
    folders = {name: tmp_path / name for name in ("here", "user", "tmp")}
    for folder in folders.values():
        folder.mkdir()
    environment = {
        "HOME": str(folders["user"]),
        "TMPDIR": str(folders["tmp"]),
        "HF_HOME": str(home),
        "HF_HUB_OFFLINE": "1",
        "PATH": os.defpath,
        # As in a checkout that cannot be written to.
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", WATCH],
        env=environment,
        cwd=folders["here"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    written = done.stdout.split("\n")[:-1]
    assert any(path.endswith(".arrow") for path in written)
    allowed = (str(home), str(folders["tmp"]), os.devnull)
    assert [path for path in written if not path.startswith(allowed)] == []
    # Temporary files are gone, and libraries wrote nothing without Python's knowledge.
    assert [list(folder.iterdir()) for folder in folders.values()] == [[], [], []]
