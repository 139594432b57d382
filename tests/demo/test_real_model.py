"""What the page says when it opens, with a pretrained encoder: ready-made examples are enough for their sentences."""

import pytest

from hf_fewshot.demo.model import DemoModel
from hf_fewshot.demo.ready import words_of
from hf_fewshot.demo.trial import Trial

pytestmark = pytest.mark.real_model

# Of the first set of every task, sentence by sentence.
CLASSES = {
    "classification": ["lost card", "delivery", "refund"],
    "tagging": [None, None, None],
    "joint": ["play music", "set light", "set alarm"],
    "relation": ["works at", "founded", "lives in"],
}
WORDS = {
    "tagging": [{"Peter Novak": "person", "London": "city"}, {"Julia": "person", "Vienna": "city"}, {}],
    "joint": [{"blues": "genre", "garage": "room"}, {"on": "state", "office": "room"}, {"nine": "time"}],
}


@pytest.fixture(scope="module")
def trial():
    return Trial(DemoModel("all-MiniLM-L6-v2"))


@pytest.mark.parametrize("name", CLASSES)
def test_ready_made_sentences_are_answered_rightly(trial, name):
    (task,) = [one for one in trial.model.tasks if one.name == name]
    first = words_of(task).sets[0]
    answers = [trial.answer(task, first.examples, sentence, False) for sentence in first.sentences]
    assert [one.label for one in answers] == CLASSES[name]
    if name in WORDS:
        assert [{found.text: found.mark[2] for found in one.entities} for one in answers] == WORDS[name]
