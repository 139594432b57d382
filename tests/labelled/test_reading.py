"""Labelled data of one's own: where it may come from, and what is refused."""

import json
import pickle
import re

import pandas as pd
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, List, Value

from hf_fewshot import read_labelled
from hf_fewshot.labelled import LabelledError

ROWS = [
    {"id": "0", "text": "give it back", "label": "refund"},
    {"id": "1", "text": "where, oh where?", "label": "delivery"},
]
PAIRS = [(row["text"], row["label"]) for row in ROWS]
NAMED = [{"sentence": text, "intent": label} for text, label in PAIRS]
COLUMNS = {"text": "sentence", "label": "intent"}


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_lists_and_tables_give_the_same_rows():
    sources = [NAMED, Dataset.from_list(NAMED), pd.DataFrame(NAMED, index=[7, 9])]
    assert [read_labelled(source, "classification", COLUMNS) for source in sources] == [ROWS] * 3
    assert read_labelled(PAIRS, "classification") == ROWS
    assert read_labelled([list(pair) for pair in PAIRS], "classification") == ROWS


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", 'sentence,intent\ngive it back,refund\n"where, oh where?",delivery\n'),
        ("a.csv", '\ufeffintent;note;sentence\r\nrefund;;give it back\r\n\r\ndelivery;x;"where, oh where?"'),
        ("a.tsv", "sentence\tintent\ngive it back\trefund\nwhere, oh where?\tdelivery\n"),
        ("a.json", json.dumps(NAMED)),
        ("a.jsonl", "\n\n".join(map(json.dumps, NAMED))),
    ],
)
def test_files_give_the_same_rows(file, name, content):
    assert read_labelled(str(file(name, content)), "classification", COLUMNS) == ROWS


def test_parquet_files_and_folders_give_the_same_rows(tmp_path):
    Dataset.from_list(NAMED).to_parquet(tmp_path / "train.parquet")
    assert read_labelled(tmp_path / "train.parquet", "classification", COLUMNS) == ROWS
    for name in (str(tmp_path), f"{tmp_path}:train", f"hub:{tmp_path}", f"hub:{tmp_path}:default:train"):
        assert read_labelled(name, "classification", COLUMNS) == ROWS


def test_a_folder_that_was_saved_is_read(tmp_path):
    data = DatasetDict(train=Dataset.from_list(NAMED), test=Dataset.from_list(NAMED[:1]))
    data.save_to_disk(tmp_path / "both")
    data["train"].save_to_disk(tmp_path / "one")
    assert read_labelled(tmp_path / "one", "classification", COLUMNS) == ROWS
    assert read_labelled(f"{tmp_path}/both:test", "classification", COLUMNS) == ROWS[:1]
    with pytest.raises(LabelledError, match=r"expected one of the splits train, test, got none\. Write .*both:train,"):
        read_labelled(tmp_path / "both", "classification", COLUMNS)
    with pytest.raises(LabelledError, match=r"one of the splits train, test, got 'dev'\. Write .*both:train, for"):
        read_labelled(f"{tmp_path}/both:dev", "classification", COLUMNS)


@pytest.mark.parametrize("name", ["hub:nobody/nothing", "nobody/nothing", "nobody/nothing:en:train"])
def test_a_dataset_of_the_hub_that_cannot_be_reached_is_refused(name):
    with pytest.raises(LabelledError, match=rf"{name}: expected a dataset that can be loaded \(hub:org/name, .* got "):
        read_labelled(name, "classification")


def test_class_numbers_become_names(tmp_path):
    features = Features({"text": Value("string"), "label": ClassLabel(names=["delivery", "refund"])})
    table = Dataset.from_list([{"text": "a", "label": 1}], features=features)
    table.to_parquet(tmp_path / "a.parquet")
    for source in (table, tmp_path / "a.parquet"):
        assert read_labelled(source, "classification") == [{"id": "0", "text": "a", "label": "refund"}]
    features = Features({"tokens": List(Value("string")), "tags": List(ClassLabel(names=["O", "B-x"]))})
    tagged = Dataset.from_list([{"tokens": ["a", "b"], "tags": [1, 0]}], features=features)
    assert read_labelled(tagged, "tagging") == [{"id": "0", "tokens": ["a", "b"], "tags": ["B-x", "O"]}]


def test_labels_that_are_numbers_are_their_own_names():
    table = pd.DataFrame({"text": ["a", "b"], "label": [0, 3]})
    assert [row["label"] for row in read_labelled(table, "classification")] == ["0", "3"]


def test_ids_are_kept():
    rows = [{"id": 7, "text": "a", "label": "x"}, {"id": "q", "text": "b", "label": "x"}]
    assert [row["id"] for row in read_labelled(rows, "classification")] == ["7", "q"]
    with pytest.raises(LabelledError, match=r"row 1: expected ids that occur once, got '7' again \(row 0\)"):
        read_labelled([rows[0], {**rows[1], "id": "7"}], "classification")


def test_cells_of_text_hold_lists_as_words_or_as_json(file):
    text = 'words,ner\nto New York,O B-city I-city\n"[""a b"", ""c""]","[""O"", ""B-x""]"\n[ sic ],O O O\n'
    rows = read_labelled(file("a.csv", text), "tagging", {"tokens": "words", "tags": "ner"})
    assert [(row["tokens"], row["tags"]) for row in rows] == [
        (["to", "New", "York"], ["O", "B-city", "I-city"]),
        (["a b", "c"], ["O", "B-x"]),
        (["[", "sic", "]"], ["O", "O", "O"]),
    ]
    text = 'text\thead\ttail\trelation\nAnna and Tom\t{"start": 0, "end": 4}\t{"start": 9, "end": 12}\tfriends\n'
    (row,) = read_labelled(file("a.tsv", text.replace('"', '""').replace("{", '"{').replace("}", '}"')), "relation")
    assert (row["head"]["text"], row["tail"]["mentions"]) == ("Anna", [{"start": 2, "end": 3}])


def test_the_text_of_a_tagged_row_is_split_at_white_space():
    (row,) = read_labelled([{"text": "New York.", "tags": ["x", "x"]}], "tagging")
    assert (row["tokens"], row["tags"]) == (["New", "York."], ["x", "x"])


def test_a_chosen_column_decides_between_words_and_text():
    row = {"tokens": ["a"], "tags": ["x"], "raw": "b c", "entities": [{"start": 0, "end": 1, "type": "y"}]}
    assert read_labelled([row], "tagging")[0]["tags"] == ["x"]
    columns = {"text": "raw", "entities": "entities"}
    assert read_labelled([row], "tagging", columns)[0] == {"id": "0", "tokens": ["b", "c"], "tags": ["B-y", "O"]}


def test_a_row_keeps_what_it_says_beside_its_labels():
    entity = {"start": 0, "end": 1}
    related = {"tokens": ["a"], "head": entity, "tail": entity, "relation": "NOTA", "original_relation": "r"}
    assert read_labelled([related], "relation")[0]["original_relation"] == "r"
    joint = {"tokens": ["a"], "slot_tags": ["O"], "intent": "i", "domain": "bank"}
    assert read_labelled([joint], "joint")[0]["domain"] == "bank"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"text": "a", "label": None}], "row 0: expected a label in 'label', got null. Label the row"),
        ([{"text": "a", "label": True}], "row 0: expected a label in 'label', got true"),
        ([{"text": "a", "label": 1.0}], "row 0: expected a label in 'label', got 1.0"),
        ([{"text": "a", "label": ""}], "row 0: expected a label in 'label', got \"\""),
        ([{"text": " ", "label": "x"}], "row 0: expected text in 'text', got \" \". Write the text"),
        ([{"text": "a", "label": "x"}, {"label": "x"}], "row 1: expected a row with 'text', got one with label. Add"),
        (
            [{"text": "a", "label": "x"}, {"text": "b", "label": "x "}],
            "row 1: expected one way to write a label, got 'x ', and 'x' in row 0. Take the white space away.",
        ),
        ([{"id": None, "text": "a", "label": "x"}], "row 0: expected id as text or a number, got null"),
        ([("a", "x"), ("b", "y", "z")], 'row 1: expected a pair of a text and its label, got ["b", "y", "z"]'),
        ([{"text": "a", "label": "x"}, "b"], 'row 1: expected an object with the columns by name, got "b"'),
        ([{"sentence": "a", "label": "x"}], "the list: expected the columns text and label, got the columns sentence"),
        ([], "the data: expected labelled rows, got none. Give at least one."),
        (7, "the data: expected a list of rows, a Dataset, a DataFrame, or the name of a .csv, .tsv"),
        (
            DatasetDict(train=Dataset.from_list(ROWS)),
            "the dataset: expected one split, got the splits train. Take one",
        ),
        ("data/intents.csv", "data/intents.csv: expected a .csv, .tsv, .json, .jsonl or .parquet file"),
        ("intents.cvs", "intents.cvs: expected a .csv, .tsv, .json, .jsonl or .parquet file"),
        ("hub:", "hub:: expected hub:org/name, hub:org/name:split or hub:org/name:config:split, got 'hub:'"),
    ],
)
def test_what_is_no_labelled_text_is_refused(rows, message):
    with pytest.raises(LabelledError, match=re.escape(message)):
        read_labelled(rows, "classification")


def test_a_missing_value_of_a_data_frame_is_refused():
    table = pd.DataFrame({"text": ["a", "b"], "label": ["x", None]})
    with pytest.raises(LabelledError, match="the table, row 1: expected a label in 'label', got "):
        read_labelled(table, "classification")


def test_a_class_number_without_a_name_is_refused():
    features = Features({"text": Value("string"), "label": ClassLabel(names=["a", "b"])})
    table = Dataset.from_list([{"text": "t", "label": -1}], features=features)
    with pytest.raises(LabelledError, match="row 0: expected a number of a class in 'label', from 0 to 1, got -1"):
        read_labelled(table, "classification")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"tokens": ["a", "b"], "tags": ["X"]},
            'expected a tag for each word in tags, got 1 tags for 2 words: ["a", "b"]',
        ),
        ({"tokens": [1], "tags": ["X"]}, "expected tokens as a list of words, got [1]"),
        ({"tokens": ["a", ""], "tags": ["X", "O"]}, 'expected tokens as a list of words, got ["a", ""]'),
        ({"tokens": [], "tags": []}, "expected tokens as a list of words, got []"),
        ({"tokens": ["a"], "tags": [3]}, "expected tags as a list of texts, got [3]. Write tags with their names"),
        ({"tokens": ["a"], "tags": None}, "expected tags as a list of tags, got null"),
    ],
)
def test_sentences_need_words_and_as_many_tags(row, message):
    with pytest.raises(LabelledError, match=re.escape(f"row 0: {message}")):
        read_labelled([row], "tagging")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "text,label\na,x\nb\n", ', line 3: expected 2 cells as in the header (text, label), got 1: ["b"]'),
        ("a.csv", 'text,label\n"a\nb",x\nc,d,e\n', ", line 4: expected 2 cells as in the header (text, label), got 3"),
        ("a.csv", 'text,label\n"a"b,x\n', ", line 2: expected cells of a CSV file, got "),
        ("a.csv", "text,text\na,x\n", ", line 1: expected a header with a different name for each column"),
        ("a.csv", "text,label\na,x\nb,\n", ", line 3: expected a label in 'label', got \"\""),
        (
            "a.csv",
            "give it back,refund\nwhere?,delivery\n",
            "The first line of the file must have the names of its columns.",
        ),
        ("a.csv", b"text,label\n\xff,x\n", ", line 2: expected UTF-8 text, got the bytes b'\\xff"),
        (
            "a.jsonl",
            '{"text": "a", "label": "x"}\n{"text": }\n',
            ", line 2: expected a JSON object, got Expecting value",
        ),
        ("a.jsonl", '{"text": "a", "label": "x"}\n[1]\n', ", line 2: expected a JSON object, got [1]"),
        (
            "a.json",
            '[{"text": "a", "label": "x"}, 3]',
            ", entry 2: expected an object with the columns by name, got 3",
        ),
        ("a.json", '{"a": 1}', ', line 1: expected a JSON list with entries, got {"a": 1}'),
        ("a.parquet", "no", ": expected a Parquet file, got "),
        ("a.xlsx", "no", ": expected a .csv, .tsv, .json, .jsonl or .parquet file, a CoNLL file"),
        ("a.csv", "text,label\n", "a.csv: expected labelled rows, got none. Give at least one."),
    ],
)
def test_files_that_cannot_be_read_are_refused_with_the_place(file, name, content, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_labelled(file(name, content), "classification")


def test_json_in_a_cell_must_be_json(file):
    path = file("a.csv", "tokens,tags\n\"['a', 'b']\",O O\n")
    with pytest.raises(LabelledError, match=r"line 2: expected tokens in JSON, got .* Write lists and objects with"):
        read_labelled(path, "tagging")


def test_columns_that_are_not_there_are_refused():
    with pytest.raises(
        LabelledError, match=r"expected a column 'intnt' for label, got the columns .* Did you mean 'in"
    ):
        read_labelled(NAMED, "classification", {"label": "intnt"})
    with pytest.raises(ValueError, match=r"'lable' is no column of task 'classification'\. Did you mean 'label'"):
        read_labelled(NAMED, "classification", {"lable": "intent"})
    message = "the columns tokens and tags, or text and tags, or text and entities, got the columns sentence, intent"
    with pytest.raises(LabelledError, match=message):
        read_labelled(NAMED, "tagging")


def test_tasks_without_labels_and_unknown_ones_are_refused():
    message = r"Unknown task 'spans' of labelled examples\. Known: classification, joint, relation, tagging"
    with pytest.raises(ValueError, match=message):
        read_labelled(NAMED, "spans")


def test_an_error_survives_the_way_between_processes():
    error = LabelledError("a.csv, line 2", "text", "null", "Write it.")
    assert str(pickle.loads(pickle.dumps(error))) == "a.csv, line 2: expected text, got null. Write it."


@pytest.mark.shared_data
def test_banking77_is_read_whole(shared_data):
    folder = shared_data / "BANKING77"
    for name, n_rows in (("train.csv", 10_003), ("test.csv", 3_080)):
        rows = read_labelled(folder / name, "classification", {"label": "category"})
        table = pd.read_csv(folder / name)
        assert len(rows) == n_rows
        assert [row["label"] for row in rows] == table["category"].tolist()
        assert [row["text"] for row in rows] == table["text"].tolist()
