"""A fold of CLUES: what may be trained on, and what is asked afterwards."""

import json
import sys

import pytest

import hf_fewshot
from hf_fewshot import Run, execute
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.dataset_scripts.clues.clues import Clues

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


def fold(task, shots, number, **source):
    """The data of a run on a fold."""
    options = {"shots": shots, "fold": number, **({"sample": True} if not source else {})}
    return Data("clues", task, options, source={name: str(value) for name, value in source.items()})


@pytest.mark.parametrize("task", TASKS)
def test_training_rows_are_read_from_the_one_file_of_their_fold(task, opened):
    fold(task, 20, 3).train_rows()  # writes the sample data where it is not yet there
    opened.clear()
    rows = fold(task, 20, 3).train_rows()
    assert len(rows) in (20, 60)
    assert {file for file in opened() if not file.endswith("_train_20_3.jsonl")} == set()
    assert opened()


@pytest.mark.parametrize("task", TASKS)
def test_questions_have_no_column_that_tells_the_answer(task):
    data = fold(task, 10, 1)
    questions = data.builder().questions()
    assert not set(questions.column_names) & set(Clues.GOLD)
    assert {"id", "context", "question"} <= set(questions.column_names)
    (episode,) = data.unanswered
    assert len(episode.query) == len(questions)
    assert all(data.unanswered.examples[row]["answers"] == [] for row in episode.query)
    assert all("answers" in row for row in data.train_rows())


def test_no_test_row_is_opened_before_it_is_asked(opened):
    fold("sst2", 10, 2).train_rows()
    opened.clear()
    data = fold("sst2", 10, 2)
    train = {row["context"][0] for row in data.train_rows()}
    assert set(opened()) == {"sst_train_10_2.jsonl"}
    (episode,) = data.unanswered
    assert set(opened()) == {"sst_train_10_2.jsonl", "sst_test.jsonl"}
    assert not train & {data.unanswered.examples[row]["context"][0] for row in episode.query}


def test_the_score_and_those_of_the_trivial_baselines(tmp_path):
    write_sst(tmp_path, "train_10_1", [("good", "positive"), ("fine", "positive"), ("bad", "negative")])
    write_sst(tmp_path, "test", [("great", "positive"), ("poor", "negative"), ("dull", "negative")])
    episodes = hf_fewshot.load_episodes("clues", "sst2", split="test", shots=10, fold=1, data_dir=str(tmp_path))
    predictions = [["positive"], ["negative", "positive"], []]
    assert hf_fewshot.score(episodes, [predictions])["s1"] == pytest.approx((1 + 2 / 3 + 0) / 3)
    run = Run("clues", "always_empty", "sst2", {"shots": 10, "fold": 1})
    record = execute(run, tmp_path / "results", source={"data_dir": str(tmp_path)}, progress=False)
    assert record.baselines == pytest.approx({"always_empty": 0.0, "most_frequent": 1 / 3, "every_label": 2 / 3})


def test_a_training_row_that_is_a_test_row_is_refused(tmp_path):
    write_sst(tmp_path, "train_10_1", [("good", "positive"), ("bad", "negative")])
    write_sst(tmp_path, "test", [("bad", "negative")])
    with pytest.raises(ValueError, match=r"1 training rows of clues/sst2, 10 shots, fold 1 are also test rows: 1\."):
        _ = fold("sst2", 10, 1, data_dir=tmp_path).unanswered


def test_a_fold_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="fold=6, but it must be one of 1, 2, 3, 4, 5"):
        fold("sst2", 10, 6)


def test_a_fold_is_asked_its_test_rows_only():
    with pytest.raises(ValueError, match="split='train', but clues is evaluated on its test rows"):
        hf_fewshot.load_episodes("clues", "sst2", split="train", shots=10, fold=1, sample=True)


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
def test_baselines_on_the_published_rows_are_those_known(task, expected, shared_data, tmp_path):
    source = {"data_dir": str(shared_data / "CLUES")}
    run = Run("clues", "always_empty", task, {"shots": 30, "fold": 1})
    record = execute(run, tmp_path, source=source, progress=False)
    assert record.score == record.baselines["always_empty"]
    for name, value in expected.items():
        assert round(100 * record.baselines[name], 2) == value
