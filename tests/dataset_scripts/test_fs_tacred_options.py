"""Few-Shot TACRED's training rows, supervised training, and kinds of entities."""

import json
import pickle
from collections import Counter

import pytest
from datasets import load_dataset

import hf_fewshot
from hf_fewshot.dataset_scripts.fs_tacred.entities import matched
from hf_fewshot.dataset_scripts.fs_tacred.kept_rows import read_kept
from hf_fewshot.files.raw_files import RawFileError
from hf_fewshot.methods.training_data import TrainingData

ORDER = ["b", "no_relation", "a", "c", "no_relation", "d", "e", "f"]


def item(number, relation, tags=("PERSON", "PERSON", "O", "ORGANIZATION", "O")):
    return {
        "id": f"i{number}",
        "token": ["Ann", "Lee", "runs", "Acme", "."],
        "subj_start": 0,
        "subj_end": 1,
        "obj_start": 3,
        "obj_end": 3,
        "relation": relation,
        "stanford_ner": list(tags),
    }


def write(folder, make):
    """Three splits with the same instances; each split's own relations are two of a to f."""
    for split in ("train", "dev", "test"):
        items = [make(number, ORDER[number % 8]) for number in range(80)]
        (folder / f"{split}.json").write_text(json.dumps(items), encoding="utf-8")
    categories = {"train": ["no_relation", "a", "b"], "dev": ["no_relation", "c", "d"], "test": ["e", "f"]}
    (folder / "categories_split.json").write_text(json.dumps(categories), encoding="utf-8")
    return str(folder)


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path, item)


def ids(folder, split="train", **options):
    return load_dataset("fs_tacred", data_dir=folder, split=split, **options)["id"][:]


def forms(positions):
    """The list in its three forms."""
    return {
        "train_no_relation_kept.json": json.dumps(positions).encode(),
        "numbers_for_downsampling.txt": json.dumps({"the_required_numbers": positions}).encode(),
        "numbers_for_downsampling.pickle": pickle.dumps(positions),
    }


@pytest.mark.parametrize("name", sorted(forms([])))
def test_only_the_kept_rows_without_relation_are_there_in_the_authors_order(folder, tmp_path, name):
    everything = ids(folder)
    kept = [59, 0, 7, 31]
    (tmp_path / name).write_bytes(forms(kept)[name])
    found = ids(folder, train_no_relation="kept")
    # 60 rows without a relation of the split come first.
    assert found == [everything[position] for position in kept] + everything[60:]
    assert len(found) == 4 + 20
    assert ids(folder) == everything
    for split in ("validation", "test"):
        assert ids(folder, split, train_no_relation="kept") == ids(folder, split)


def test_another_list_makes_other_rows(folder, tmp_path):
    file = tmp_path / "train_no_relation_kept.json"
    file.write_text("[1, 2, 3]", encoding="utf-8")
    first = ids(folder, train_no_relation="kept")
    file.write_text("[1, 2, 4, 5]", encoding="utf-8")
    assert len(ids(folder, train_no_relation="kept")) == len(first) + 1


def test_training_episodes_have_queries_of_kept_rows_only(folder, tmp_path):
    (tmp_path / "train_no_relation_kept.json").write_text("[3]", encoding="utf-8")
    options = {"n_way": 2, "shots": 1, "data_dir": folder, "split": "train", "n_episodes": 50, "episodes": "sampled"}
    episodes = hf_fewshot.load_episodes("fs_tacred", train_no_relation="kept", **options)
    none = {row["id"] for row in episodes.examples if row["relation"] == "no_relation"}
    assert len(none) == 1
    assert len(episodes.examples) == 21


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([60], "positions among the 60 no_relation instances, got 60"),
        ([-1], "positions among the 60 no_relation instances, got -1"),
        ([1, "2"], 'positions among the 60 no_relation instances, got "2"'),
        ([True], "positions among the 60 no_relation instances, got true"),
        ([1, 2, 1], "positions, each once, got 3, 2 of them different"),
    ],
)
def test_positions_that_are_none_are_refused(tmp_path, content, message):
    file = tmp_path / "train_no_relation_kept.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RawFileError, match=message):
        read_kept(file, 60)


def test_a_list_under_another_name_is_refused(tmp_path):
    file = tmp_path / "numbers_for_downsampling.txt"
    file.write_text('{"numbers": [1]}', encoding="utf-8")
    with pytest.raises(RawFileError, match="a list of positions as 'the_required_numbers', got null"):
        read_kept(file, 60)


@pytest.mark.shared_data
def test_the_published_list_has_34574_positions(shared_data):
    file = shared_data / "Few_Shot_transformation_and_sampling/train_no_relation_kept.json"
    # All instances of the train split but those of its own relations.
    kept = read_kept(file, 68_124 - 8_163)
    assert (len(kept), max(kept)) == (34_574, 59_960)
    with pytest.raises(RawFileError, match="positions among the 59960 no_relation instances, got 59960"):
        read_kept(file, 59_960)


def test_without_a_list_the_authors_are_asked_for_it(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_FEWSHOT_MIRROR", str(tmp_path / "mirror"))
    with pytest.raises(FileNotFoundError, match=r"numbers_for_downsampling.pickle"):
        ids(folder, train_no_relation="kept")
    mirrored = tmp_path / "mirror/Few_Shot_transformation_and_sampling"
    mirrored.mkdir(parents=True)
    (mirrored / "numbers_for_downsampling.pickle").write_bytes(pickle.dumps([5]))
    assert len(ids(folder, train_no_relation="kept")) == 21


def test_supervised_training_keeps_the_relations_of_the_test_split(folder):
    rows = load_dataset("fs_tacred", data_dir=folder, split="train", train_relations="test")
    assert Counter(rows["relation"]) == {"no_relation": 60, "e": 10, "f": 10}
    same = [
        load_dataset("fs_tacred", data_dir=folder, split="test", **o)[:] for o in ({}, {"train_relations": "test"})
    ]
    assert same[0] == same[1]


def test_supervised_training_is_tested_on_the_same_episodes(folder):
    options = {"n_way": 2, "shots": 1, "data_dir": folder, "split": "test", "n_episodes": 5}
    plain = hf_fewshot.load_episodes("fs_tacred", **options)
    assert hf_fewshot.load_episodes("fs_tacred", train_relations="test", **options).fingerprint == plain.fingerprint


def some_names(number, relation):
    """Every second row of a relation has two names; others have a pronoun or a number."""
    tags = {0: ("PERSON", "PERSON", "O", "ORGANIZATION", "O"), 1: ("O", "O", "O", "MISC", "O")}
    return item(number, relation, tags[number // 8 % 2])


def test_named_entities_are_those_whose_words_are_all_tagged_as_names(tmp_path):
    folder = write(tmp_path, some_names)
    found = load_dataset("fs_tacred", data_dir=folder, split="test", entities="named")
    assert sorted(int(name[1:]) // 8 % 2 for name in found["id"]) == [0] * 40
    assert Counter(found["relation"]) == {"no_relation": 30, "e": 5, "f": 5}


def test_matched_rows_are_as_many_of_each_relation_from_all(tmp_path):
    folder = write(tmp_path, some_names)
    found = load_dataset("fs_tacred", data_dir=folder, split="test", entities="matched")
    assert Counter(found["relation"]) == {"no_relation": 30, "e": 5, "f": 5}
    kinds = Counter(int(name[1:]) // 8 % 2 for name in found["id"])
    assert min(kinds.values()) >= 10
    relations, named = ["x"] * 6 + ["y"] * 4, [True, False] * 3 + [False, False, True, False]
    rows = matched(relations, named)
    assert rows == sorted(set(rows))
    assert Counter(relations[row] for row in rows) == {"x": 3, "y": 1}


def test_options_that_exclude_each_other_say_so(folder):
    with pytest.raises(ValueError, match="train_no_relation='kept' counts in the whole train split"):
        ids(folder, train_no_relation="kept", train_relations="test")
    with pytest.raises(ValueError, match="entities='named', but the published episodes have all"):
        hf_fewshot.load_episodes("fs_tacred", data_dir=folder, split="test", n_way=2, shots=1, entities="named")
    with pytest.raises(ValueError, match="entities='names', but it must be one of 'all', 'named', 'matched'"):
        ids(folder, entities="names")


def test_data_without_tags_of_names_says_what_it_lacks(tmp_path):
    def without(number, relation):
        return {name: value for name, value in item(number, relation).items() if name != "stanford_ner"}

    with pytest.raises(RawFileError, match="stanford_ner"):
        ids(write(tmp_path, without), entities="named")


def test_methods_begin_without_what_has_no_relation(folder):
    episodes = hf_fewshot.load_episodes("fs_tacred", data_dir=folder, split="train", n_way=2, shots=1)
    assert episodes.spec["nota_class"] == "no_relation"
    data = TrainingData(episodes.examples, None, None, 0, nota_class=episodes.spec["nota_class"])
    drawn = {episodes.examples["relation"][row] for rows in data.drawn_by_class("relation", 50, 2) for row in rows}
    assert drawn == {"a", "b"}
