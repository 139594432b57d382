import subprocess
import sys
from collections import Counter

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, List, Value

from hf_fewshot import make_episodes, to_few_shot, verify
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.n_way_k_shot import NWayKShot

SENTENCES = [
    {"tokens": ["a", "b", "c"], "tags": ["X", "O", "Y"]},
    {"tokens": ["d"], "tags": ["Y"]},
    {"tokens": ["e", "f"], "tags": ["Z", "X"]},
]


def mention(start, end):
    """A relation example of two words whose entities are at these positions."""
    entity = {"text": "t", "id": "", "type": "", "mentions": [{"start": start, "end": end}]}
    return {"tokens": ["a", "b"], "head": entity, "tail": entity, "relation": "r"}


def three_times(rows, **options):
    table = Dataset.from_list(rows, **options)
    return DatasetDict({"train": table, "validation": table, "test": table})


def test_tags_of_other_splits_become_o_and_sentences_without_an_entity_go():
    classes = {"train": ["X"], "validation": ["Y"], "test": ["Z"]}
    data = to_few_shot(three_times(SENTENCES), "tagging", classes=classes)
    assert data["train"]["tags"][:] == [["X", "O", "O"], ["O", "X"]]
    assert data["validation"]["tags"][:] == [["O", "O", "Y"], ["Y"]]
    assert data["test"]["id"][:] == ["test-2"]


def test_bio_tags_are_split_by_their_type():
    rows = [{"tokens": ["a", "b"], "tags": ["B-x", "I-x"]}, {"tokens": ["a", "b"], "tags": ["B-y", "O"]}]
    data = to_few_shot(three_times(rows), "tagging", classes={"train": ["x"], "validation": ["y"], "test": []})
    assert data["train"]["tags"][:] == [["B-x", "I-x"]]


def test_labels_of_other_splits_and_of_the_other_class_become_none_of_the_above():
    rows = [{"text": name, "label": name} for name in ("a", "b", "c", "misc")]
    classes = {"train": ["a"], "validation": ["b"], "test": ["c"]}
    data = to_few_shot(three_times(rows), "classification", classes=classes, other="misc")
    assert data["train"]["label"][:] == ["a", "NOTA", "NOTA", "NOTA"]
    assert data["test"]["label"][:] == ["NOTA", "NOTA", "c", "NOTA"]


def test_relations_keep_their_original_name_beside():
    entity = {"text": "t", "id": "", "type": "", "mentions": [{"start": 0, "end": 1}]}
    rows = [{"tokens": ["t"], "head": entity, "tail": entity, "relation": name} for name in "abc"]
    data = to_few_shot(three_times(rows), "relation", classes={"train": ["a"], "validation": ["b"], "test": ["c"]})
    assert data["validation"]["relation"][:] == ["NOTA", "b", "NOTA"]
    assert data["validation"]["original_relation"][:] == ["a", "b", "c"]


def test_class_numbers_become_names_and_columns_can_be_renamed():
    features = Features({"words": List(Value("string")), "ner": List(ClassLabel(names=["O", "per"]))})
    table = three_times([{"words": ["Ann", "ran"], "ner": [1, 0]}], features=features)
    data = to_few_shot(table, "tagging", columns={"tokens": "words", "tags": "ner"}, classes={"train": ["per"]})
    assert data["train"]["tags"][:] == [["per", "O"]]
    assert len(data["test"]) == 0


def test_a_single_dataset_is_split_by_classes_and_the_seed_decides():
    rows = [{"text": f"text {i}", "label": f"class {i % 10}"} for i in range(200)]
    table = Dataset.from_list(rows)
    first, again, other = (to_few_shot(table, "classification", seed=seed) for seed in (1, 1, 2))
    assert {split: len(part) for split, part in first.items()} == {"train": 120, "validation": 40, "test": 40}
    classes = {split: set(part["label"]) - {"NOTA"} for split, part in first.items()}
    assert {split: len(names) for split, names in classes.items()} == {"train": 6, "validation": 2, "test": 2}
    assert not classes["train"] & classes["validation"]
    assert not classes["train"] & classes["test"]
    assert {text for part in first.values() for text in part["text"]} == {row["text"] for row in rows}
    assert all(first[split].to_dict() == again[split].to_dict() for split in first)
    assert classes["test"] != set(other["test"]["label"]) - {"NOTA"}


def test_all_rows_stay_where_the_data_has_no_splits():
    """Before, rows were split at random and 127 of these 300 were left in the split of their class."""
    rows = [{"text": f"text {i}", "label": f"intent {i % 20}"} for i in range(300)]
    data = to_few_shot(Dataset.from_list(rows), "classification")
    assert {split: len(part) for split, part in data.items()} == {"train": 180, "validation": 60, "test": 60}
    assert {count for part in data.values() for count in Counter(part["label"]).values()} == {15}
    assert "NOTA" not in {label for part in data.values() for label in part["label"]}


def test_rows_of_no_class_are_split_by_shares():
    rows = [{"text": f"text {i}", "label": "misc" if i % 2 else f"class {i % 10}"} for i in range(200)]
    data = to_few_shot(Dataset.from_list(rows), "classification", other="misc", seed=5)
    counts = {split: Counter(part["label"])["NOTA"] for split, part in data.items()}
    assert sum(counts.values()) == 100
    assert counts["train"] > counts["validation"] > 5
    assert counts["test"] > 5


def test_a_sentence_goes_to_the_split_of_its_rarest_type():
    classes = {"train": ["often"], "validation": ["rare"], "test": ["other"]}
    rows = [{"tokens": ["a", "b"], "tags": ["often", "rare"]}, {"tokens": ["c"], "tags": ["other"]}]
    rows += [{"tokens": ["d"], "tags": ["often"]}, {"tokens": ["e"], "tags": ["O"]}]
    data = to_few_shot(Dataset.from_list(rows), "tagging", classes=classes)
    assert {split: list(zip(part["id"], part["tags"], strict=True)) for split, part in data.items()} == {
        "train": [("2", ["often"])],
        "validation": [("0", ["O", "rare"])],
        "test": [("1", ["other"])],
    }


def test_the_result_goes_straight_into_a_sampler():
    table = Dataset.from_list([{"text": f"text {i}", "label": f"class {i % 10}"} for i in range(400)])
    data = to_few_shot(table, "classification", seed=3)
    spec = NWayKShot(3, 2, 1, nota_rate=0.5, nota_class="NOTA")
    episodes = make_episodes(data["train"], spec, task="classification", length=20)
    assert not verify(episodes).having("short")
    assert {member["target"] for row in episodes.rows() for member in row["query"]} == {0, 1, 2, 3}
    tagged = Dataset.from_list([{"tokens": ["w"], "tags": [f"type-{i % 12}"]} for i in range(240)])
    split = to_few_shot(tagged, "tagging", seed=3)
    assert len(make_episodes(split["train"], NWayK2K(5, 1), task="tagging", length=3)[0].classes) == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "taging"}, r"Unknown task 'taging'\. Did you mean 'tagging'\?"),
        ({"shares": (0.5, 0.5)}, r"three numbers that add up to 1, but are \(0.5, 0.5\)"),
        ({"classes": {"train": ["X"], "test": ["X"]}}, "'X' is in 'train' and 'test'"),
        ({"classes": {"train": ["W"]}}, r"Class 'W' of split 'train' does not occur in the data\. Known: X, Y, Z"),
        ({"columns": {"tag": "tags"}}, r"'tag' is no column of task 'tagging'\. Did you mean 'tags'"),
        ({"columns": {"tags": "labels"}}, "expected a column 'labels' for tags, got the columns tokens, tags"),
        ({"other": "none"}, "other='none' does not occur in the data"),
    ],
)
def test_wrong_requests_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        to_few_shot(three_times(SENTENCES), **{"task": "tagging", **options})


def test_a_dataset_dict_needs_three_splits():
    with pytest.raises(ValueError, match="must have the splits train, validation, test, but has train, dev"):
        to_few_shot(DatasetDict(train=Dataset.from_list(SENTENCES), dev=Dataset.from_list(SENTENCES)), "tagging")


@pytest.mark.parametrize(
    ("rows", "task", "message"),
    [
        (
            [{"tokens": ["a", "b"], "tags": ["X"]}],
            "tagging",
            "row 0: expected a tag for each word in tags, got 1 tags for 2 words",
        ),
        ([{"tokens": [1], "tags": ["X"]}], "tagging", r"row 0: expected tokens as a list of words, got \[1\]"),
        (
            [{"text": "a", "label": "x"}, {"text": None, "label": "x"}],
            "classification",
            "row 1: expected text in 'text', got null",
        ),
        (
            [mention(1, 3)],
            "relation",
            'row 0: expected head with start and end within the 2 words, got .*"start": 1, "end": 3',
        ),
        (
            [mention(1, 1)],
            "relation",
            'row 0: expected head with start and end within the 2 words, got .*"start": 1, "end": 1',
        ),
        (
            [{"text": "a", "label": "x"}, {"text": "b", "label": None}],
            "classification",
            "row 1: expected a label in 'label', got null",
        ),
        (
            [{"text": "a", "label": name} for name in "ab"],
            "classification",
            "2 classes and shares .* leave no class for",
        ),
    ],
)
def test_data_that_cannot_be_split_is_refused(rows, task, message):
    with pytest.raises(ValueError, match=message):
        to_few_shot(Dataset.from_list(rows), task)


def test_a_class_number_without_a_name_is_refused():
    features = Features({"text": Value("string"), "label": ClassLabel(names=["a", "b"])})
    with pytest.raises(ValueError, match="row 0: expected a number of a class in 'label', from 0 to 1, got -1"):
        to_few_shot(Dataset.from_list([{"text": "t", "label": -1}], features=features), "classification")


def test_ids_say_which_row_it_was():
    table = Dataset.from_list([{"text": f"text {i}", "label": f"class {i % 10}"} for i in range(50)])
    for part in to_few_shot(table, "classification").values():
        assert [f"text {name}" for name in part["id"]] == part["text"][:]


def test_ids_that_occur_twice_are_refused():
    rows = [{"id": "1", "text": "a", "label": "a"}, {"id": "1", "text": "b", "label": "b"}]
    with pytest.raises(ValueError, match="row 1: expected ids that occur once, got '1' again"):
        to_few_shot(three_times(rows), "classification")


@pytest.mark.shared_data
def test_the_semeval_example_runs_and_reports(shared_data, project):
    command = [sys.executable, project / "examples/semeval_to_few_shot.py", shared_data / "SemEval2010_task8"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert Counter(word for word in output.split() if word in ("train:", "validation:", "test:")) == {
        "train:": 1,
        "validation:": 1,
        "test:": 1,
    }
    assert "1000 have every class 5 times in the support set" in output
    assert "0 share an example between support and query" in output
