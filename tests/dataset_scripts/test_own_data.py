"""Data of one's own as a benchmark."""

import json
import re
from collections import Counter

import pytest
from datasets import Dataset, load_dataset

import hf_fewshot
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.data.benchmark_options import benchmark_options, check_benchmark_options
from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.labelled import LabelledError
from hf_fewshot.runs.execution import ChangedError, execute, finished
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.run import Run

OWN = ("own_entities", "own_relations", "own_texts", "own_utterances")
CONLL = "Anna B-PER\nlives O\nin O\nRome B-LOC\n\nTom B-PER\nruns O\n\nParis B-LOC\nsleeps O\n\nMia S-PER\n"


def csv(n_rows=12, classes="abc", start=0):
    rows = [f"text {n},{classes[n % len(classes)]}" for n in range(start, start + n_rows)]
    return "\n".join(["text,label", *rows])


@pytest.fixture
def place(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def load(tmp_path):
    def load(name, **options):
        return load_dataset(name, cache_dir=str(tmp_path / "cache"), **options)

    return load


def episodes_of(name, place, **options):
    return hf_fewshot.load_episodes(name, split="test", data_dir=place, **options)


# Rows and episodes


@pytest.mark.parametrize("name", OWN)
def test_sample_data_has_examples_and_episodes_of_both_protocols(name):
    rows = load_dataset(name, sample=True)
    assert list(rows) == ["train"]
    assert len(rows["train"]) > 100
    (episode,) = hf_fewshot.load_episodes(name, split="test", sample=True, shots=5)
    assert len(episode.support) + len(episode.query) == len(rows["train"])
    ways = {} if name == "own_utterances" else {"n_way": 2}
    options = {"sample": True, "protocol": "new_classes", "shots": 2, "n_episodes": 4, **ways}
    tables = {split: hf_fewshot.load_episodes(name, split=split, **options) for split in ("train", "test")}
    classes = [{name for episode in table for name in episode.classes} for table in tables.values()]
    # Domains may have slots of one name.
    assert not {one for one in classes[0] & classes[1] if not one.startswith("slot:")}
    assert not hf_fewshot.verify(tables["test"]).having("short")


def test_sample_data_is_written_as_people_write_theirs():
    rows = {name: load_dataset(name, sample=True)["train"] for name in OWN}
    assert Counter(Counter(rows["own_texts"]["label"]).values()) == {15: 15}
    assert {tag[:2] for tags in rows["own_entities"]["tags"] for tag in tags} == {"B-", "I-", "O"}
    assert rows["own_relations"][0]["tail"]["text"] == "Lower Tansy"
    assert len(set(rows["own_utterances"]["domain"])) == 5


def test_all_classes_are_learnt_from_a_few_rows_and_asked_about_the_rest(place, load):
    path = place("intents.csv", csv())
    assert load("own_texts", data_dir=path)["train"]["id"][:] == [str(n) for n in range(12)]
    rows = load("own_texts", data_dir=path, shots=1)
    assert {split: len(part) for split, part in rows.items()} == {"test": 1}
    (row,) = rows["test"]
    assert sorted(member["label"] for member in row["support"]) == ["a", "b", "c"]
    assert Counter(member["label"] for member in row["query"]) == {"a": 3, "b": 3, "c": 3}
    first, second = (episodes_of("own_texts", path, shots=2, draw=draw)[0].support for draw in (0, 1))
    assert first != second


def test_a_test_set_of_its_own_is_asked(place, load):
    paths = {"data_dir": place("a.csv", csv()), "test_data": place("b.csv", csv(3, start=50))}
    assert {split: len(part) for split, part in load("own_texts", **paths).items()} == {"train": 12, "test": 3}
    episodes = hf_fewshot.load_episodes("own_texts", split="test", shots=2, **paths)
    (episode,) = episodes
    assert len(episode.support) == 6
    assert [episodes.example_ids[row] for row in episode.query] == ["test-0", "test-1", "test-2"]


def test_a_folder_with_files_of_splits_has_splits_of_its_own(place, tmp_path):
    place("mine/train.conll", CONLL.replace("S-", "B-"))
    place("mine/test.conll", "Ben B-PER\n")
    episodes = episodes_of("own_entities", str(tmp_path / "mine"), shots=1)
    assert episodes[0].classes == ("LOC", "PER")
    assert episodes[0].query == (4,)
    place("mine/test.jsonl", "{}")
    with pytest.raises(ValueError, match=r"several files for split 'test': test\.conll, test\.jsonl"):
        episodes_of("own_entities", str(tmp_path / "mine"), shots=1)
    place("other/test.csv", csv())
    with pytest.raises(ValueError, match=r"holds .*test\.csv, but no train file"):
        episodes_of("own_texts", str(tmp_path / "other"), shots=1)


def test_a_folder_of_datasets_is_read_and_its_rows_are_what_a_run_depends_on(tmp_path):
    folder = tmp_path / "saved"
    Dataset.from_dict({"text": [f"t{n}" for n in range(6)], "label": ["a", "b"] * 3}).save_to_disk(folder)
    for name in (str(folder), f"hub:{folder}"):
        assert len(episodes_of("own_texts", name, shots=1)[0].query) == 4
        data = Data("own_texts", None, {"shots": 1}, source={"data_dir": name})
        assert list(data.builder().file_hashes("test")) == ["data"]


def test_new_classes_are_apart_and_rows_of_a_class_stay_together(place, load):
    path = place("a.csv", csv(60, "abcdefghij"))
    rows = load("own_texts", data_dir=path, protocol="new_classes")
    assert {split: len(part) for split, part in rows.items()} == {"train": 36, "validation": 12, "test": 12}
    other = load("own_texts", data_dir=path, protocol="new_classes", split_seed=1)
    assert set(rows["test"]["label"]) != set(other["test"]["label"])
    # A draw of episodes leaves the classes where they are, so that none of them is trained on.
    drawn = [
        hf_fewshot.load_episodes(
            "own_texts", split="test", data_dir=path, protocol="new_classes", n_way=2, shots=1, n_episodes=5, seed=seed
        )
        for seed in (0, 7)
    ]
    assert drawn[0].fingerprint != drawn[1].fingerprint
    assert drawn[0].examples["id"][:] == drawn[1].examples["id"][:]


def test_new_domains_bring_the_classes_of_utterances(place, load):
    rows = [
        {"text": f"do {n}", "intent": f"{domain}{n % 2}", "slots": [], "domain": domain}
        for domain in "abcde"
        for n in range(6)
    ]
    path = place("a.jsonl", "\n".join(map(json.dumps, rows)))
    split = load("own_utterances", data_dir=path, protocol="new_classes")
    assert {name: len(set(part["domain"])) for name, part in split.items()} == {"train": 3, "validation": 1, "test": 1}
    without = place("b.jsonl", "\n".join(json.dumps({**row, "domain": ""}) for row in rows))
    with pytest.raises(LabelledError, match="expected a column domain, since new domains bring new classes, got none"):
        load("own_utterances", data_dir=without, protocol="new_classes")


def test_the_other_class_is_none_of_the_above(place):
    path = place("a.csv", csv(12, "abcd"))
    episodes = episodes_of("own_texts", path, shots=1, other="d")
    assert episodes[0].classes == ("NOTA", "a", "b", "c")
    with pytest.raises(LabelledError, match="expected rows of other='z', got none"):
        episodes_of("own_texts", path, shots=1, other="z")


def test_types_of_too_few_entities_are_named_when_episodes_of_new_classes_are_drawn(place, caplog):
    rows = csv(60, "abcdefghij") + "\nlast,rare"
    path = place("a.csv", rows)
    for seed in range(20):  # until the rare class is among those of the test
        options = {"protocol": "new_classes", "n_way": 1, "shots": 2, "n_episodes": 1, "split_seed": seed}
        episodes_of("own_texts", path, **options)
        if "too few examples to be drawn for shots=2: rare (1)" in caplog.text:
            return
    raise AssertionError("the class of one row was never in the test split")


def test_what_may_be_learnt_from_is_the_support_set_alone(place):
    """A tagger, or a method that begins with training sentences, must not see what is asked."""
    data = Data("own_entities", None, {"sample": True, "shots": 2})
    learnt, asked = data.rows("train"), data.rows("test")
    (episode,) = data.episodes
    assert learnt["id"][:] == [data.episodes.example_ids[row] for row in episode.support]
    assert not {*learnt["id"]} & {*asked["id"]}
    with pytest.raises(ValueError, match="has no episodes to train on: every class is asked"):
        data.training_episodes()
    with pytest.raises(
        ValueError, match=r"split='validation', but with protocol='all_classes' own_entities has train"
    ):
        data.rows("validation")


# Refused


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "own_texts",
            {"shots": 2, "n_way": 3},
            "n_way=3 has no effect with protocol='all_classes'; it belongs to 'new",
        ),
        (
            "own_texts",
            {"shots": 2, "shares": [0.4, 0.3, 0.3]},
            r"shares=\[0.4, 0.3, 0.3\] has no effect with protocol",
        ),
        ("own_texts", {"protocol": "new_classes", "draw": 1}, "draw=1 has no effect with protocol='new_classes'"),
        ("own_texts", {"protocol": "new_classes", "shots": 1}, "how many classes has an episode. Say n_way"),
        (
            "own_texts",
            {"protocol": "classes"},
            "protocol='classes', but it must be one of 'all_classes', 'new_classes'",
        ),
        ("own_texts", {"draw": 1}, "draw=1 has no effect on examples: give shots"),
        ("own_texts", {"shots": 1, "draw": -1}, "draw must be a whole number of at least 0, but is -1"),
        ("own_texts", {"shots": 0}, "shots must be a whole number of at least 1, but is 0"),
        ("own_entities", {"shots": 1, "other": "x"}, "other='x' has no effect where examples hold several classes"),
        (
            "own_utterances",
            {"protocol": "new_classes", "shots": 1, "n_way": 2},
            "n_way=2 has no effect where a domain brings its classes",
        ),
        ("own_texts", {"sample": True, "columns": {"text": "t"}}, "columns=.* has no effect on sample data"),
        ("own_texts", {"columns": {"text": 1.5}}, "columns=.*must be a mapping, each value text or a whole number"),
    ],
)
def test_options_that_mean_nothing_are_refused_before_anything_is_read(name, options, message):
    with pytest.raises(ValueError, match=message):
        check_benchmark_options(name, None, options)


@pytest.mark.parametrize("option", ["data_dir", "test_data"])
def test_no_file_of_others_says_where_data_is(option):
    assert option not in benchmark_options("own_texts")
    with pytest.raises(ValueError, match=rf"{option}='/x' is no option of own_texts, .*your data is, with --data\."):
        check_benchmark_options("own_texts", None, {option: "/x"})


def test_data_that_is_not_there_is_asked_for(tmp_path):
    with pytest.raises(RawFilesNotFoundError, match="own_texts reads data of your own: give data_dir=<file"):
        load_dataset("own_texts")
    with pytest.raises(LabelledError, match=r"nowhere\.csv: expected a \.csv.* got no file of that name"):
        load_dataset("own_texts", data_dir=str(tmp_path / "nowhere.csv"))


def test_what_is_wrong_with_a_row_is_said_with_its_line(place, load):
    path = place("a.csv", "text,label\na,x\n,y\n")
    with pytest.raises(LabelledError, match=re.escape(f"{path}, line 3: expected text in 'text', got \"\"")):
        load("own_texts", data_dir=path)
    with pytest.raises(LabelledError, match=re.escape(f"{path}, line 3: expected text in 'text', got \"\"")):
        episodes_of("own_texts", path, shots=1)


def test_ids_of_both_files_must_differ(place, load):
    paths = {
        "data_dir": place("a.csv", "id,text,label\n7,a,x\n"),
        "test_data": place("b.csv", "id,text,label\n7,b,x\n"),
    }
    with pytest.raises(LabelledError, match=r"b\.csv: expected ids that the data to learn from has not, got '7'"):
        load("own_texts", **paths)


# Runs


RUN = Run("own_texts", "one_class", data={"dataset": "mine", "shots": 2})


def test_a_record_is_that_of_the_content_and_not_of_the_place(place, tmp_path):
    source = {"data_dir": place("a.csv", csv())}
    record = execute(RUN, tmp_path / "results", source=source, progress=False)
    assert (record.unit, len(record.units)) == ("question", 6)
    assert not record.episodes["official"]
    assert record.run.data == {"dataset": "mine", "shots": 2}
    moved = {"data_dir": place("elsewhere/b.csv", csv())}
    assert finished(RUN, tmp_path / "results", source=moved) == record
    changed = {"data_dir": place("a.csv", csv().replace("text 4", "texts 4"))}
    with pytest.raises(ChangedError, match=r"has changed since .*: episodes \(was \w+, is \w+\)"):
        finished(RUN, tmp_path / "results", source=changed)


def test_a_test_set_of_its_own_is_among_what_a_record_depends_on(place, tmp_path):
    source = {"data_dir": place("a.csv", csv()), "test_data": place("b.csv", csv(3, start=50))}
    execute(RUN, tmp_path / "results", source=source, progress=False)
    place("b.csv", csv(3, start=60))
    with pytest.raises(ChangedError, match="episodes"):
        finished(RUN, tmp_path / "results", source=source)


def test_runs_with_a_training_are_planned_by_the_protocol():
    run = Run("own_texts", "proto", data={"shots": 2}, model="m", training={"max_steps": 1})
    check_runs([Run(**{**run.written, "data": {"protocol": "new_classes", "n_way": 2, "shots": 2}})])
    with pytest.raises(ValueError, match="Method 'structshot' does not fit own_texts, whose task is classification"):
        check_runs([Run("own_texts", "structshot", data={"shots": 2}, model="m")])


def test_there_is_one_builder_of_own_data_for_each_task_with_labels():
    assert {builder_of(name).TASK for name in OWN} == {"tagging", "relation", "classification", "joint"}
    assert all(builder_of(name).OWN_DATA for name in OWN)
