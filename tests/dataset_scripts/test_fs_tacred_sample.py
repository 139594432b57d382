"""Sample data of Few-Shot TACRED: all relations in all files, most instances without one."""

import json
from collections import Counter

import pytest

from hf_fewshot.dataset_scripts.fs_tacred.sample import write

FIELDS = [
    "id",
    "docid",
    "relation",
    "token",
    "subj_start",
    "subj_end",
    "obj_start",
    "obj_end",
    "subj_type",
    "obj_type",
    "stanford_ner",
]
SIZES = {"train": 2000, "dev": 700, "test": 1200}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fs_tacred")
    write(folder)
    assert sorted(path.stem for path in folder.iterdir()) == ["categories_split", "dev", "test", "train"]
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.iterdir()}


def test_sizes_and_share_of_no_relation(data):
    for split, size in SIZES.items():
        assert len(data[split]) == size
        share = Counter(instance["relation"] for instance in data[split])["no_relation"] / size
        assert 0.78 <= share <= 0.82


def test_categories_are_12_6_and_8_relations_of_their_own(data):
    categories = data["categories_split"]
    assert list(categories) == ["train", "dev", "test"]
    assert all(names[0] == "no_relation" for names in categories.values())
    kept = [name for names in categories.values() for name in names[1:]]
    assert [len(names) - 1 for names in categories.values()] == [12, 6, 8]
    assert len(set(kept)) == len(kept) == 26
    assert all(name.startswith(("per:", "org:")) for name in kept)


def test_every_relation_is_in_every_file_and_often_in_its_own(data):
    categories = data["categories_split"]
    kept = {name for names in categories.values() for name in names}
    for split in SIZES:
        counts = Counter(instance["relation"] for instance in data[split])
        assert counts.keys() == kept
        assert min(counts[name] for name in categories[split]) >= 12


def test_instances_have_the_fields_of_tacred(data):
    for split in SIZES:
        for instance in data[split]:
            assert list(instance) == FIELDS
            assert len(instance["id"]) == 20


def test_subject_and_object_are_inside_the_sentence_and_apart(data):
    for split in SIZES:
        for instance in data[split]:
            subject = set(range(instance["subj_start"], instance["subj_end"] + 1))
            object_ = set(range(instance["obj_start"], instance["obj_end"] + 1))
            assert subject
            assert object_
            assert not subject & object_
            assert max(subject | object_) < len(instance["token"]) - 1
            assert min(subject | object_) >= 0


def test_spans_hold_what_their_type_says(data):
    """City names come from one list of invented names, numbers have digits, people have capitals or are pronouns."""
    for split in SIZES:
        for instance in data[split]:
            tokens = instance["token"]
            for part in ("subj", "obj"):
                span = tokens[instance[f"{part}_start"] : instance[f"{part}_end"] + 1]
                if instance[f"{part}_type"] == "NUMBER":
                    assert len(span) == 1
                    assert span[0].replace(",", "").isdigit()
                if instance[f"{part}_type"] == "PERSON":
                    assert span[0].lower() in ("he", "she", "the") or span[0][0].isupper()


def test_types_do_not_give_the_relation_away(data):
    """Each pair of types of a relation also occurs without a relation."""
    train = data["train"]
    without = {(row["subj_type"], row["obj_type"]) for row in train if row["relation"] == "no_relation"}
    assert {(row["subj_type"], row["obj_type"]) for row in train} == without


def test_no_sentence_or_id_occurs_twice(data):
    rows = [row for split in SIZES for row in data[split]]
    assert len({" ".join(row["token"]) for row in rows}) == len({row["id"] for row in rows}) == len(rows) == 3900


def test_sentences_are_long_enough_to_be_news(data):
    lengths = [len(row["token"]) for split in SIZES for row in data[split]]
    assert 15 <= sum(lengths) / len(lengths) <= 40
    assert all(row["token"][-1] == "." for split in SIZES for row in data[split])
