import json
from collections import Counter

import pytest
from datasets import load_dataset

import hf_fewshot
from hf_fewshot.dataset_scripts.fs_tacred.relations import RELATIONS


def item(name, relation):
    return {
        "id": name,
        "token": ["Ann", "Lee", "runs", "Acme", "."],
        "subj_start": 0,
        "subj_end": 1,
        "obj_start": 3,
        "obj_end": 3,
        "subj_type": "PERSON",
        "relation": relation,
    }


@pytest.fixture
def folder(tmp_path):
    """Three splits with the same instances; each split's own relations are two of a to f."""
    order = ["b", "no_relation", "a", "c", "no_relation", "d", "e", "f"]
    for split in ("train", "dev", "test"):
        items = [item(f"{split}{number}", order[number % 8]) for number in range(80)]
        (tmp_path / f"{split}.json").write_text(json.dumps(items), encoding="utf-8")
    categories = {"train": ["no_relation", "a", "b"], "dev": ["no_relation", "c", "d"], "test": ["e", "f"]}
    (tmp_path / "categories_split.json").write_text(json.dumps(categories), encoding="utf-8")
    return str(tmp_path)


def test_instances_of_other_splits_relations_are_none_of_the_above(folder):
    rows = load_dataset("fs_tacred", data_dir=folder, split="validation")
    assert Counter(rows["relation"]) == {"no_relation": 60, "c": 10, "d": 10}
    assert {row["original_relation"] for row in rows if row["relation"] == "no_relation"} == set("abef") | {
        "no_relation"
    }
    assert rows[0]["head"] == {"text": "Ann Lee", "id": "", "type": "PERSON", "mentions": [{"start": 0, "end": 2}]}


def test_the_order_is_that_of_the_authors_files(folder):
    rows = load_dataset("fs_tacred", data_dir=folder, split="test")
    # no_relation: its own instances first, then foreign relations as they first appear; then the own relations.
    assert list(dict.fromkeys(rows["original_relation"])) == ["no_relation", "b", "a", "c", "d", "e", "f"]
    assert rows["id"][:3] == ["test1", "test4", "test9"]


def test_published_test_episodes_are_drawn_by_the_authors_procedure(folder):
    options = {"n_way": 2, "shots": 1, "data_dir": folder, "split": "test", "n_episodes": 4}
    published = hf_fewshot.load_episodes("fs_tacred", **options)
    assert published.spec["seed"] == 160290
    assert published.fingerprint == hf_fewshot.load_episodes("fs_tacred", test_seed=160290, **options).fingerprint
    assert published.fingerprint != hf_fewshot.load_episodes("fs_tacred", test_seed=160291, **options).fingerprint
    assert published.fingerprint != hf_fewshot.load_episodes("fs_tacred", episodes="sampled", **options).fingerprint
    row = load_dataset("fs_tacred", **options)[0]
    assert sorted(row["classes"]) == ["e", "f"]
    assert all(member["target"] == 2 for member in row["query"] if member["relation"] == "no_relation")


def test_without_data_dir_the_error_says_that_tacred_is_licensed():
    with pytest.raises(FileNotFoundError, match="TACRED may not be downloaded"):
        load_dataset("fs_tacred", n_way=5, shots=1)


@pytest.mark.shared_data
def test_the_relations_are_those_of_the_authors(shared_data):
    published = json.loads((shared_data / "Few_Shot_transformation_and_sampling/categories_split.json").read_text())
    for ours, theirs, number in (("train", "train", 25), ("validation", "dev", 6), ("test", "test", 10)):
        assert ["no_relation", *RELATIONS[ours]] == published[theirs]
        assert len(RELATIONS[ours]) == number
