import json

import pytest
from datasets import load_dataset

from hf_fewshot.data.benchmark_data import Data

FILES = {"sst2": "SST-2/sst", "squad": "SQuAD-v2/squad-v2", "mnli": "MNLI/mnli"}


def write(folder, task, **splits):
    for split, rows in splits.items():
        path = folder / f"data/JSON/CLUES-JSON/{FILES[task]}_{split}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_no_answer_is_an_empty_list_however_it_is_written(tmp_path):
    rows = [
        {"id": 1, "context": "good", "question": "?", "answer": [""]},
        {"id": 2, "context": "bad", "question": "?", "answer": []},
        {"id": 3, "context": "so", "question": "?", "answer": ["so", "so", "s"]},
    ]
    write(tmp_path, "sst2", train_10_1=rows, test=rows[:1])
    data = load_dataset("clues", "sst2", shots=10, fold=1, data_dir=str(tmp_path))
    assert data["train"]["answers"][:] == [[], [], ["so", "s"]]
    assert data["train"]["id"][:] == ["1", "2", "3"]
    assert data["test"].num_rows == 1


def test_squad_keeps_variants_positions_and_flags(tmp_path):
    row = {
        "id": "x",
        "context": "in Rome, Italy",
        "question": "where?",
        "answer": [{"text": "Rome", "answer_start": 3}, {"text": "Rome, Italy", "answer_start": 3}],
        "is_impossible": False,
    }
    impossible = {
        "id": "y",
        "context": "in Rome",
        "question": "when?",
        "answer": [],
        "is_impossible": True,
        "plausible_answers": [{"text": "Rome", "answer_start": 3}],
    }
    write(tmp_path, "squad", train_20_5=[row], test=[row, impossible])
    rows = load_dataset("clues", "squad", shots=20, fold=5, data_dir=str(tmp_path), split="test")
    assert rows[0]["answers"] == ["Rome", "Rome, Italy"]
    assert rows[0]["answer_variants"][1] == {"text": "Rome, Italy", "answer_start": 3}
    assert (rows[0]["is_impossible"], rows[0]["plausible_answers"]) == (False, [])
    assert (rows[1]["is_impossible"], rows[1]["plausible_answers"]) == (True, [{"text": "Rome", "answer_start": 3}])


def test_mnli_has_two_contexts_and_a_genre(tmp_path):
    row = {
        "id": "7",
        "context": ["A man runs.", "A man moves."],
        "question": "?",
        "answer": ["entailment"],
        "genre": "x",
    }
    write(tmp_path, "mnli", train_30_2=[row], test=[row])
    rows = load_dataset("clues", "mnli", shots=30, fold=2, data_dir=str(tmp_path), split="train")
    assert (rows[0]["context"], rows[0]["genre"]) == (["A man runs.", "A man moves."], "x")


def test_the_misspelt_label_in_the_question_of_mnli_is_corrected_unless_the_original_is_asked_for(tmp_path):
    row = {"id": "7", "context": ["a", "b"], "answer": ["contradiction"], "genre": "x"}
    rows = [row | {"question": "entailment, contraction, or neutral?"}, row | {"id": "8", "question": "contraction?"}]
    write(tmp_path, "mnli", train_10_1=rows, test=rows)
    ours = load_dataset("clues", "mnli", data_dir=str(tmp_path), split="test")
    assert ours["question"][:] == ["entailment, contradiction, or neutral?", "contraction?"]
    theirs = load_dataset("clues", "mnli", data_dir=str(tmp_path), split="test", compat="original")
    assert theirs["question"][:] == ["entailment, contraction, or neutral?", "contraction?"]
    write(tmp_path, "sst2", train_10_1=rows, test=rows)
    with pytest.raises(ValueError, match="compat='original' has no effect on sst2, which is read as published"):
        load_dataset("clues", "sst2", data_dir=str(tmp_path), compat="original")
    with pytest.raises(ValueError, match="compat='paper', but it must be one of 'original'"):
        load_dataset("clues", "mnli", data_dir=str(tmp_path), compat="paper")


def test_a_key_that_no_column_takes_is_refused(tmp_path):
    row = {"id": 1, "context": "good", "question": "?", "answer": ["good"], "source": "web"}
    write(tmp_path, "sst2", train_10_1=[row], test=[row])
    with pytest.raises(ValueError, match="expected the keys of this task alone, got also source"):
        load_dataset("clues", "sst2", data_dir=str(tmp_path))


def test_a_missing_configuration_name_lists_them(tmp_path):
    with pytest.raises(
        ValueError, match=r"clues has several configurations; choose one: .*Known: sst2, mnli, conll03"
    ):
        load_dataset("clues", data_dir=str(tmp_path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shots": 5}, "shots=5, but it must be one of 0, 10, 20, 30"),
        ({"shots": 10, "fold": 6}, "fold=6, but it must be one of 1, 2, 3, 4, 5"),
    ],
)
def test_shots_and_folds_that_do_not_exist_are_refused(options, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        load_dataset("clues", "sst2", data_dir=str(tmp_path), **options)


# task: (test rows, rows of a training file per shot, share of test rows without an answer in percent)
PUBLISHED = {
    "sst2": (210, 1, 0.0),
    "mnli": (210, 1, 0.0),
    "conll03": (600, 3, 51.33),
    "wikiann": (600, 3, 62.83),
    "squad": (200, 1, 49.5),
    "record": (200, 1, 0.0),
}


@pytest.mark.shared_data
@pytest.mark.parametrize("task", PUBLISHED)
def test_all_published_files_have_the_published_rows(task, shared_data):
    n_test, per_shot, empty = PUBLISHED[task]
    folder = str(shared_data / "CLUES")
    trained_on = {}
    for shots in (10, 20, 30):
        for fold in (1, 2, 3, 4, 5):
            data = load_dataset("clues", task, shots=shots, fold=fold, data_dir=folder)
            assert data["train"].num_rows == shots * per_shot
            assert data["test"].num_rows == n_test
            trained_on[shots, fold] = set(data["train"]["id"])
    without = [not answers for answers in data["test"]["answers"]]
    assert round(100 * sum(without) / n_test, 2) == empty
    if task in ("conll03", "wikiann", "mnli"):
        assert all(trained_on[10, fold] < trained_on[20, fold] < trained_on[30, fold] for fold in (1, 2, 3, 4, 5))


def test_without_shots_there_are_test_rows_only():
    data = load_dataset("clues", "sst2", shots=0, sample=True)
    assert {name: rows.num_rows for name, rows in data.items()} == {"test": 60}
    with pytest.raises(ValueError, match="fold=2 has no effect with shots=0, which has no training rows"):
        load_dataset("clues", "sst2", shots=0, fold=2, sample=True)


def test_all_rows_are_read_from_a_file_of_the_user(tmp_path):
    rows = [{"id": n, "context": f"text {n}", "question": "?", "answer": ["good"]} for n in range(7)]
    write(tmp_path, "sst2", train=rows[:6], test=rows[6:])
    data = load_dataset("clues", "sst2", all_rows=True, data_dir=str(tmp_path))
    assert {name: own.num_rows for name, own in data.items()} == {"train": 6, "test": 1}
    with pytest.raises(ValueError, match="shots=20 has no effect with all_rows, which has one training set"):
        load_dataset("clues", "sst2", all_rows=True, shots=20, data_dir=str(tmp_path))
    (tmp_path / "data/JSON/CLUES-JSON/SST-2/sst_train.jsonl").unlink()
    message = r"all_rows=True reads data/JSON/CLUES-JSON/SST-2/sst_train\.jsonl, which the authors do not publish"
    with pytest.raises(FileNotFoundError, match=message):
        load_dataset("clues", "sst2", all_rows=True, data_dir=str(tmp_path))


def test_all_rows_that_are_also_test_rows_are_refused(tmp_path):
    rows = [{"id": n, "context": f"text {n}", "question": "?", "answer": ["good"]} for n in range(3)]
    write(tmp_path, "sst2", train=rows, test=rows[2:])
    data = Data("clues", "sst2", {"all_rows": True}, source={"data_dir": str(tmp_path)})
    with pytest.raises(ValueError, match="1 training rows of clues/sst2, all rows are also test rows: 2"):
        _ = data.unanswered
