"""Files of FewRel's hidden test set: questions in, numbers of classes out."""

import json

import pytest
from accelerate import Accelerator

from hf_fewshot.dataset_scripts.fewrel.submission import read_test_input, write_submission
from hf_fewshot.files.raw_files import RawFileError
from hf_fewshot.models.few_shot_model import FewShotModel
from tests.predicted import predict_episodes
from tests.small_episodes import RELATIONS
from tests.tiny_models import write_bert


def instance(number):
    """A row of the small relations as FewRel writes it."""
    row = RELATIONS[number]
    entities = {}
    for key, side in (("h", "head"), ("t", "tail")):
        (mention,) = row[side]["mentions"]
        entities[key] = ["", "Q1", [list(range(mention["start"], mention["end"]))]]
    return {"tokens": row["tokens"], **entities}


def question(classes, query):
    return {"meta_train": [[instance(n) for n in own] for own in classes], "meta_test": instance(query)}


@pytest.fixture
def questions(tmp_path):
    file = tmp_path / "test_wiki_input-2-2.json"
    content = [question([[0, 1], [2, 3]], 7), question([[2, 9], [0, 1]], 8), question([[4, 5], [0, 8]], 7)]
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def test_a_question_is_an_episode_of_one_query(questions):
    episodes = read_test_input(questions)
    assert [episode.classes for episode in episodes] == [("0", "1")] * 3
    found = [[episodes.plain_examples[row] for row in (*one.support, *one.query)] for one in episodes]
    assert [[" ".join(row["tokens"]) for row in own] for own in found] == [
        [" ".join(RELATIONS[n]["tokens"]) for n in own] for own in ([0, 1, 2, 3, 7], [2, 9, 0, 1, 8], [4, 5, 0, 8, 7])
    ]
    assert [[row["relation"] for row in own] for own in found] == [["0", "0", "1", "1", "NOTA"]] * 3
    # The same sentence in the same place is one row; the query of the first and last question too.
    assert episodes[0].query == episodes[2].query
    assert len(episodes.examples) == 14 - 1


def test_predictions_are_numbers_and_minus_one_for_none(tmp_path):
    write_submission(tmp_path / "pred.json", [["1"], ["NOTA"], ["0"], ["4"]])
    assert (tmp_path / "pred.json").read_text() == "[1, -1, 0, 4]"


def test_a_model_answers_a_file(questions, tmp_path):
    model, tokenizer = FewShotModel.from_encoder(write_bert(tmp_path / "bert"), "mnav", n_vectors=2)
    episodes = read_test_input(questions)
    predictions = predict_episodes(model, tokenizer, episodes, progress=False, accelerator=Accelerator(cpu=True))
    write_submission(tmp_path / "pred.json", predictions)
    numbers = json.loads((tmp_path / "pred.json").read_text())
    assert len(numbers) == 3
    assert set(numbers) <= {-1, 0, 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([{"meta_train": [[1]]}], "meta_test"),
        ([{"meta_train": [], "meta_test": {}}], "question 1: expected meta_train as lists of instances"),
        ([{"meta_train": [[]], "meta_test": {}}], "question 1: expected meta_train as lists of instances"),
        ([{"meta_train": [[{"tokens": ["a"]}]], "meta_test": {}}], "question 1"),
        ({"meta_train": []}, "a JSON list with entries"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    file = tmp_path / "input.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RawFileError, match=message):
        read_test_input(file)
