"""Hashes of the raw files that rows are read from."""

import hashlib
import json
import os

import pytest
from datasets import load_dataset_builder

from hf_fewshot.files import file_hashes
from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.files.sources import MIRROR

ROW = json.dumps({"id": 1, "context": "a film", "question": "positive or negative?", "answer": ["positive"]})
STEM = "data/JSON/CLUES-JSON/SST-2/sst"


@pytest.fixture
def opened(monkeypatch):
    """The names of files whose content is hashed."""
    names = []
    original = hashlib.file_digest

    def file_digest(file, *args):
        names.append(os.path.basename(file.name))
        return original(file, *args)

    monkeypatch.setattr(file_hashes.hashlib, "file_digest", file_digest)
    return names


def test_a_file_is_hashed_once_while_it_stays_as_it_is(tmp_path, opened):
    file = tmp_path / "file"
    file.write_bytes(b"one")
    expected = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    assert [sha256_of(file), sha256_of(file)] == [expected, expected]
    assert opened == ["file"]


def test_a_changed_file_of_the_same_size_and_time_is_hashed_again(tmp_path, opened):
    file = tmp_path / "file"
    file.write_bytes(b"one")
    before = file.stat()
    first = sha256_of(file)
    while file.stat().st_ctime_ns == before.st_ctime_ns:
        file.write_bytes(b"two")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert sha256_of(file) != first


def test_a_split_opens_its_own_files_alone(tmp_path, opened):
    for name in ("sst_train_10_1", "sst_test"):
        (tmp_path / f"{name}.jsonl").write_text(ROW)
    builder = load_dataset_builder("clues", "sst2", data_dir=str(tmp_path))
    digest = hashlib.sha256(ROW.encode()).hexdigest()
    assert builder.file_hashes("train") == {f"{STEM}_train_10_1.jsonl": digest}
    assert opened == ["sst_train_10_1.jsonl"]
    assert builder.file_hashes() == {f"{STEM}_train_10_1.jsonl": digest, f"{STEM}_test.jsonl": digest}


def test_a_split_of_a_mirror_opens_its_own_files_alone(shared_data, monkeypatch, opened):
    monkeypatch.setenv(MIRROR, str(shared_data))
    builder = load_dataset_builder("clues", "mnli", shots=20, fold=5)
    opened.clear()
    assert list(builder.file_hashes("train")) == ["data/JSON/CLUES-JSON/MNLI/mnli_train_20_5.jsonl"]
    assert set(opened) <= {"mnli_train_20_5.jsonl"}


def test_files_that_may_be_missing_are_hashed_where_they_are_there(shared_data):
    builder = load_dataset_builder("fewrel", data_dir=str(shared_data / "FewRel"))
    assert {path: digest[:8] for path, digest in builder.file_hashes("validation").items()} == {
        "data/pid2name.json": "eeedd255",
        "data/val_wiki.json": "76bb44c2",
    }


def test_few_nerd_hashes_the_released_episodes_or_the_sentences_whichever_it_uses(shared_data):
    options = {"data_dir": str(shared_data / "Few_TK"), "n_way": 5, "shots": 1}
    released = load_dataset_builder("few_nerd", "inter", **options)
    sampled = load_dataset_builder("few_nerd", "inter", **options, n_episodes=10)
    assert list(released.file_hashes("test")) == ["data/episode-data/inter/test_5_1.jsonl"]
    assert list(sampled.file_hashes("test")) == ["data/inter/test.txt"]
