import json
import sys

import pytest

from hf_fewshot.dataset_scripts.clues.clues import Clues
from hf_fewshot.dataset_scripts.clues.fold import Fold, run_fold

TASKS = ("sst2", "mnli", "conll03", "wikiann", "squad", "record")
OPENED: list[str] | None = None


def record_open(event, arguments):
    if event == "open" and OPENED is not None and isinstance(arguments[0], str):
        OPENED.append(arguments[0])


# Sees every file that Python opens, by whatever function. It cannot be taken off again, but told not to listen.
sys.addaudithook(record_open)


@pytest.fixture
def opened():
    """Names of the raw files opened since the last `clear`."""
    global OPENED
    OPENED = []

    class Opened:
        def clear(self):
            OPENED.clear()

        def __call__(self):
            return [path.rpartition("/")[2] for path in OPENED if path.endswith(".jsonl")]

    yield Opened()
    OPENED = None


def write_sst(folder, name, rows):
    path = folder / f"data/JSON/CLUES-JSON/SST-2/sst_{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    items = [
        {"id": number, "context": context, "question": "positive or negative?", "answer": [answer]}
        for number, (context, answer) in enumerate(rows)
    ]
    path.write_text("".join(json.dumps(item) + "\n" for item in items))


@pytest.mark.parametrize("task", TASKS)
def test_training_rows_are_read_from_the_one_file_of_their_fold(task, opened):
    fold = Fold(task, 20, 3, {"sample": True})
    fold.train()  # writes the sample data where it is not yet there
    opened.clear()
    rows = fold.train()
    assert len(rows) in (20, 60)
    (file,) = opened()
    assert file.endswith("_train_20_3.jsonl")


@pytest.mark.parametrize("task", TASKS)
def test_questions_have_no_column_that_tells_the_answer(task):
    fold = Fold(task, 10, 1, {"sample": True})
    questions = fold.questions()
    assert not set(questions.column_names) & set(Clues.GOLD)
    assert {"id", "context", "question"} <= set(questions.column_names)
    assert len(fold.references()) == len(questions)
    assert "answers" in fold.train().column_names


def test_no_test_row_is_opened_before_training_has_ended(opened):
    fold = Fold("sst2", 10, 2, {"sample": True})
    fold.train()
    opened.clear()
    seen = {}

    def fit(train):
        seen["files"] = opened()
        seen["train"] = {row["context"][0] for row in train}

        def predict(questions):
            assert "answers" not in questions.column_names
            seen["test"] = {row["context"][0] for row in questions}
            return [["positive"]] * len(questions)

        seen["files at the end"] = opened()
        return predict

    result = run_fold(fold, fit)
    assert seen["files"] == seen["files at the end"] == ["sst_train_10_2.jsonl"]
    assert set(opened()) == {"sst_train_10_2.jsonl", "sst_test.jsonl"}
    assert not seen["train"] & seen["test"]
    assert result.s1 == 0.5
    assert len(result.predictions) == 60


def test_the_score_and_those_of_the_trivial_baselines(tmp_path):
    write_sst(tmp_path, "train_10_1", [("good", "positive"), ("fine", "positive"), ("bad", "negative")])
    write_sst(tmp_path, "test", [("great", "positive"), ("poor", "negative"), ("dull", "negative")])
    fold = Fold("sst2", 10, 1, {"data_dir": str(tmp_path)})
    result = run_fold(fold, lambda train: lambda questions: [["positive"], ["negative", "positive"], []])
    assert result.s1 == pytest.approx((1 + 2 / 3 + 0) / 3)
    expected = {"always_empty": 0.0, "most_frequent": 1 / 3, "every_label": 2 / 3}
    assert result.baselines == pytest.approx(expected)
    assert result.predictions == {"0": ["positive"], "1": ["negative", "positive"], "2": []}


def test_a_training_row_that_is_a_test_row_is_refused(tmp_path):
    write_sst(tmp_path, "train_10_1", [("good", "positive"), ("bad", "negative")])
    write_sst(tmp_path, "test", [("bad", "negative")])
    fold = Fold("sst2", 10, 1, {"data_dir": str(tmp_path)})
    with pytest.raises(ValueError, match=r"1 training rows of clues/sst2, 10 shots, fold 1 are also test rows: 1\."):
        run_fold(fold, lambda train: lambda questions: [[] for _ in questions])


def test_a_method_that_leaves_out_questions_is_refused(tmp_path):
    write_sst(tmp_path, "train_10_1", [("good", "positive")])
    write_sst(tmp_path, "test", [("bad", "negative"), ("poor", "negative")])
    fold = Fold("sst2", 10, 1, {"data_dir": str(tmp_path)})
    with pytest.raises(ValueError, match="The method gave 1 lists of answers to 2 questions"):
        run_fold(fold, lambda train: lambda questions: [[]])


def test_a_fold_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="fold=6, but it must be one of 1, 2, 3, 4, 5"):
        Fold("sst2", 10, 6, {"sample": True}).train()


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("sst2", {"always_empty": 0.0, "most_frequent": 56.19, "every_label": 66.67}),
        ("mnli", {"always_empty": 0.0, "most_frequent": 33.33, "every_label": 50.0}),
        ("conll03", {"always_empty": 51.33, "most_frequent": 51.33, "every_label": 51.33}),
        ("wikiann", {"always_empty": 62.83, "most_frequent": 62.83, "every_label": 62.83}),
        ("squad", {"always_empty": 49.5}),
        ("record", {"always_empty": 0.0}),
    ],
)
def test_baselines_on_the_published_rows_are_those_known(task, expected, shared_data):
    fold = Fold(task, 30, 1, {"data_dir": str(shared_data / "CLUES")})
    result = run_fold(fold, lambda train: lambda questions: [[] for _ in questions])
    assert result.s1 == result.baselines["always_empty"]
    for name, value in expected.items():
        assert round(100 * result.baselines[name], 2) == value
