"""Sample data of CLUES: the 96 files with the rows of the published ones."""

import json
from collections import Counter

import pytest

from hf_fewshot.dataset_scripts.clues.sample import write

PREFIXES = {
    "SST-2": "sst",
    "MNLI": "mnli",
    "CoNLL2003": "conll",
    "WikiANN_EN": "wikiann",
    "SQuAD-v2": "squad-v2",
    "ReCoRD": "record",
}
ENTITY_TASKS = ("CoNLL2003", "WikiANN_EN")
SHOTS, FOLDS = (10, 20, 30), (1, 2, 3, 4, 5)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Rows by task and the end of the file's name."""
    folder = tmp_path_factory.mktemp("clues")
    write(folder)
    result = {}
    for path in sorted((folder / "data" / "JSON" / "CLUES-JSON").glob("*/*.jsonl")):
        name = path.stem.removeprefix(f"{PREFIXES[path.parent.name]}_")
        result[path.parent.name, name] = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    return result


@pytest.fixture(scope="module")
def rows(files):
    """All rows of a task, those of 10 and 20 shots left out."""
    return {
        task: [
            row
            for (name, part), part_rows in files.items()
            if name == task and "_10_" not in part
            for row in part_rows
        ]
        for task in PREFIXES
    }


def test_there_are_102_files_of_the_right_sizes(files):
    expected = {}
    for task in PREFIXES:
        per_example = 3 if task in ENTITY_TASKS else 1
        expected[task, "test"] = 60 * per_example
        expected[task, "train"] = 150 * per_example
        expected |= {(task, f"train_{shots}_{fold}"): shots * per_example for shots in SHOTS for fold in FOLDS}
    assert {key: len(rows) for key, rows in files.items()} == expected
    assert len(expected) == 102


@pytest.mark.parametrize("task", PREFIXES)
def test_ten_shots_are_among_twenty_and_those_among_thirty(task, files):
    for fold in FOLDS:
        contents = [
            {json.dumps({**row, "id": None}) for row in files[task, f"train_{shots}_{fold}"]} for shots in SHOTS
        ]
        assert contents[0] < contents[1] < contents[2]


@pytest.mark.parametrize("task", PREFIXES)
def test_contexts_of_test_and_folds_are_apart(task, files):
    parts = ["test", *(f"train_30_{fold}" for fold in FOLDS)]
    contexts = [{json.dumps(row["context"]) for row in files[task, part]} for part in parts]
    assert len(set.union(*contexts)) == sum(map(len, contexts)) == 60 + 5 * 30


@pytest.mark.parametrize(
    ("task", "keys"),
    {
        "SST-2": ["answer", "question", "id", "context"],
        "MNLI": ["genre", "answer", "question", "id", "context"],
        "CoNLL2003": ["answer", "question", "id", "context"],
        "WikiANN_EN": ["answer", "question", "id", "context"],
        "ReCoRD": ["id", "context", "entities", "question", "answer", "is_impossible"],
    }.items(),
)
def test_keys_are_those_of_the_published_files(task, keys, rows):
    assert all(list(row) == keys for row in rows[task])


def test_sst_has_both_labels_and_rows_numbered_in_each_file(files):
    for part in ("test", "train_10_1", "train_30_5"):
        part_rows = files["SST-2", part]
        assert [row["id"] for row in part_rows] == list(range(1, len(part_rows) + 1))
        assert set(Counter(row["answer"][0] for row in part_rows).values()) == {len(part_rows) // 2}
        for row in part_rows:
            assert row["question"] == "positive or negative?"
            assert row["context"].endswith(' "' if "," in row["context"] else " ")
            assert row["context"] == row["context"].lower()


def test_mnli_has_twenty_test_pairs_of_each_label(files, rows):
    labels = Counter(row["answer"][0] for row in files["MNLI", "test"])
    assert labels == {"entailment": 20, "neutral": 20, "contradiction": 20}
    for row in rows["MNLI"]:
        assert row["question"] == "entailment, contraction, or neutral?"
        assert len(row["context"]) == 2
        assert isinstance(row["id"], str)
    assert {row["genre"] for row in rows["MNLI"]} == {"travel", "government", "fiction", "telephone", "letters"}


@pytest.mark.parametrize("task", ENTITY_TASKS)
def test_entity_tasks_ask_three_questions_about_each_sentence(task, files):
    part_rows = files[task, "test"]
    for first, second, third in zip(part_rows[::3], part_rows[1::3], part_rows[2::3], strict=True):
        assert first["context"] == second["context"] == third["context"]
        number = first["id"].removesuffix("_1")
        assert [first["id"], second["id"], third["id"]] == [f"{number}_{position}" for position in (1, 2, 3)]
        assert [row["question"].split()[-4] for row in (first, second, third)] == [
            "names",
            "organizations",
            "locations",
        ]
        for row in (first, second, third):
            assert row["answer"]
            assert all(answer in row["context"] for answer in row["answer"])
            assert row["answer"] == [""] or all(row["answer"])
    empty = sum(row["answer"] == [""] for row in part_rows) / len(part_rows)
    assert 0.4 < empty < 0.7
    assert max(len(row["answer"]) for row in part_rows) >= 2


def test_squad_answers_are_in_the_context_and_half_of_the_test_has_none(files, rows):
    for row in rows["SQuAD-v2"]:
        assert row["is_impossible"] == (not row["answer"]) == ("plausible_answers" in row)
        for answer in row["answer"] + row.get("plausible_answers", []):
            start = answer["answer_start"]
            assert row["context"][start : start + len(answer["text"])] == answer["text"]
        keys = ["question", "id", "answer", "is_impossible", "context"]
        assert list(row) == (["plausible_answers", *keys] if row["is_impossible"] else keys)
        assert len(row["id"]) == 24
    test = files["SQuAD-v2", "test"]
    assert sum(row["is_impossible"] for row in test) == 30
    assert {len(row["answer"]) for row in test if row["answer"]} == {3, 4, 5}
    assert sum(len({answer["text"] for answer in row["answer"]}) > 1 for row in test) >= 5
    for fold in FOLDS:
        train = files["SQuAD-v2", f"train_30_{fold}"]
        assert sum(row["is_impossible"] for row in train) == 10
        assert {len(row["answer"]) for row in train} == {0, 1}


def test_record_entities_are_in_the_context_and_one_of_them_is_the_answer(rows):
    for row in rows["ReCoRD"]:
        starts = [entity["start"] for entity in row["entities"]]
        assert starts == sorted(starts)
        names = {row["context"][entity["start"] : entity["end"] + 1] for entity in row["entities"]}
        assert all(name[0].isupper() and name == name.strip() for name in names)
        (answer,) = row["answer"]
        assert {"start": answer["answer_start"], "end": answer["answer_start"] + len(answer["text"]) - 1} in row[
            "entities"
        ]
        assert answer["text"] in names
        assert 2 <= row["context"].count("\n@highlight\n") <= 4
        assert row["question"].count("@placeholder") == 2
        assert answer["text"] not in row["question"]
        assert row["is_impossible"] is False


@pytest.mark.parametrize("task", PREFIXES)
def test_texts_have_no_doubled_spaces(task, rows):
    for row in rows[task]:
        assert "  " not in json.dumps(row)


def test_ids_are_unique_within_a_file(files):
    for part_rows in files.values():
        assert len({row["id"] for row in part_rows}) == len(part_rows)
