import json
from collections import Counter

import pytest
from datasets import load_dataset, load_dataset_builder

from hf_fewshot.dataset_scripts.clues.own_folds import write_folds

QUESTIONS = ("List all the people", "List all the places")


def reviews(n):
    return [
        {"id": n, "context": f"film {n}", "question": "positive or negative?", "answer": ["positive"]}
        for n in range(n)
    ]


def names(n):
    return [
        {"id": f"{number}_{k}", "context": f"Anna in town {number}", "question": question, "answer": ["Anna"]}
        for number in range(n)
        for k, question in enumerate(QUESTIONS)
    ]


def contexts(folder, config, shots, fold, split="train"):
    rows = load_dataset("clues", config, shots=shots, fold=fold, data_dir=str(folder), split=split)
    return {row["context"][0] for row in rows}


def test_folds_are_nested_and_no_context_is_in_two_parts(tmp_path):
    folder = write_folds("sst2", reviews(400), tmp_path / "own")
    test = contexts(folder, "sst2", 10, 1, "test")
    assert len(test) == 200
    seen = Counter(test)
    for fold in range(1, 6):
        ten, twenty, thirty = (contexts(folder, "sst2", shots, fold) for shots in (10, 20, 30))
        assert [len(ten), len(twenty), len(thirty)] == [10, 20, 30]
        assert ten < twenty < thirty
        seen.update(thirty)
    assert len(seen) == 350
    assert set(seen.values()) == {1}
    everything = load_dataset("clues", "sst2", all_rows=True, data_dir=str(folder), split="train")
    assert {row["context"][0] for row in everything} == {f"film {n}" for n in range(400)} - test


def test_entities_have_k_contexts_with_all_their_questions(tmp_path):
    folder = write_folds("conll03", names(180), tmp_path / "own", n_test=20)
    builder = load_dataset_builder("clues", "conll03", shots=10, fold=3, data_dir=str(folder))
    rows = builder.fold_rows()
    assert Counter(rows["question"]) == dict.fromkeys(QUESTIONS, 10)
    assert set(Counter(context[0] for context in rows["context"]).values()) == {2}
    assert len(builder.questions()) == 40


def test_of_a_text_with_several_questions_one_is_drawn(tmp_path):
    rows = [
        {
            "id": f"{text}-{n}",
            "context": f"Oslo is city {text}.",
            "question": f"what {n}?",
            "answer": [{"text": "Oslo", "answer_start": 0}],
            "is_impossible": False,
        }
        for text in range(160)
        for n in range(1 + text % 4)
    ]
    folder = write_folds("squad", rows, tmp_path / "own", n_test=10)
    (file,) = folder.rglob("*_train.jsonl")
    drawn = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(drawn) == len({row["context"] for row in drawn}) == 150
    assert {row["question"] for row in drawn} == {"what 0?", "what 1?", "what 2?", "what 3?"}
    assert all(row in rows for row in drawn)


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.jsonl"))}


def test_the_files_are_a_function_of_rows_and_seed(tmp_path):
    first, again, other = (
        files_of(write_folds("sst2", reviews(360), tmp_path / name, seed=seed))
        for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    assert len(first) == 17
    assert first == again
    assert all(first[name] != other[name] for name in first)


def test_a_run_reads_them_and_its_training_rows_are_no_test_rows(tmp_path):
    folder = write_folds("sst2", reviews(350), tmp_path / "own")
    builder = load_dataset_builder("clues", "sst2", shots=30, fold=5, data_dir=str(folder))
    builder.refuse_overlap(builder.fold_rows(), builder.questions())
    assert not load_dataset_builder("clues", "sst2", shots=30, fold=5, data_dir=str(folder)).official()


@pytest.mark.parametrize(
    ("config", "rows", "message"),
    [
        ("sst2", reviews(349), "Expected at least 350 different contexts, 200 for the test rows and 150 for 5 folds"),
        ("sst2", reviews(400)[:1] * 400, "rows of sst2, line 2: expected ids that occur once, got '0' again"),
        ("conll03", names(400)[1:], r"is asked all questions once: .* 'Anna in town 0' is asked \['List all the pl"),
        ("sst2", [{"id": 1, "context": "a", "question": "?"}], "rows of sst2, line 1: .* got one without answer"),
        ("sst3", reviews(400), "Unknown configuration of clues 'sst3'"),
    ],
)
def test_rows_that_make_no_folds_are_refused_and_nothing_is_written(config, rows, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        write_folds(config, rows, tmp_path / "own")
    assert not (tmp_path / "own").exists()


def test_files_that_are_there_are_never_replaced(tmp_path):
    write_folds("sst2", reviews(350), tmp_path)
    before = files_of(tmp_path)
    with pytest.raises(FileExistsError, match="SST-2 is there already"):
        write_folds("sst2", reviews(360), tmp_path, seed=1)
    assert files_of(tmp_path) == before
    write_folds("conll03", names(350), tmp_path)


def test_wrong_numbers_are_refused(tmp_path):
    with pytest.raises(ValueError, match="n_test"):
        write_folds("sst2", reviews(400), tmp_path / "own", n_test=0)
    with pytest.raises(ValueError, match="seed"):
        write_folds("sst2", reviews(400), tmp_path / "own", seed=-1)


@pytest.mark.parametrize("config", ["sst2", "mnli", "conll03", "squad", "record"])
def test_rows_of_every_task_can_be_drawn_from(config, tmp_path, sample_rows):
    folder = write_folds(config, sample_rows(config), tmp_path / "own", n_test=40)
    rows = load_dataset_builder("clues", config, shots=30, fold=1, data_dir=str(folder)).fold_rows()
    assert len(rows) == (90 if config == "conll03" else 30)


@pytest.fixture
def sample_rows():
    """The raw rows of the sample data: those to train on, and those to test."""

    def read(config):
        builder = load_dataset_builder("clues", config, shots=10, fold=1, sample=True)
        task = next(iter(builder.split_files("test").values()))
        files = (task, task.with_name(task.name.replace("_test", "_train")))
        rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        # SST-2 numbers the rows of each file anew.
        return [{**row, "id": str(number)} for number, row in enumerate(rows)]

    return read
