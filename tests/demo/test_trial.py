"""A tiny model tried: answers with their reasons, what is remembered, what is refused."""

import pytest
import torch

from hf_fewshot.demo.model import DemoModel
from hf_fewshot.demo.remembered import RememberedEncoder
from hf_fewshot.demo.trial import Trial
from hf_fewshot.tasks import task_of
from tests.small_learners import TEXTS as EXAMPLES
from tests.small_learners import learner

TEXTS, WORDS, PAIRS, UTTERANCES = (task_of(name) for name in ("classification", "tagging", "relation", "joint"))
HOMES = "# home\nanna lives in paris\ntom lives in rome\n# job\nmia works at acme\npaul works at the bank\n"
PLACES = "[anna](person) lives in [paris](place)\n[tom](person) is in [rome](place)\nmia works\n"
JOBS = "# job\n[mia](head) works at [acme](tail)\n# home\n[tom](head) lives in [rome](tail)\n"
SPOKEN = "# home\n[anna](person) in [paris](place)\n# job\n[tom](person) at [acme](org)\n"


@pytest.fixture(scope="module")
def trial(bert):
    return Trial(DemoModel(str(bert)))


def test_a_text_gets_a_class_with_all_scores_and_the_nearest_examples(trial):
    answer = trial.answer(TEXTS, HOMES, "tom lives in rome", False)
    assert (answer.label, answer.is_none, answer.entities) == ("home", False, None)
    assert list(answer.scores) == ["home", "job"]
    assert sum(answer.scores.values()) == pytest.approx(1)
    first, *others = answer.nearest
    assert (first["text"], first["label"], first["similarity"]) == ("tom lives in rome", "home", pytest.approx(1))
    assert len(others) == 2


def test_words_are_marked_with_the_scores_of_their_classes_and_the_nearest_marked_words(trial):
    answer = trial.answer(WORDS, PLACES, "anna lives in paris", False)
    assert [(one.text, one.mark) for one in answer.entities] == [
        ("anna", (0, 4, "person")),
        ("paris", (14, 19, "place")),
    ]
    person = answer.entities[0]
    assert next(iter(person.scores)) == "person"
    assert set(person.scores) == {None, "person", "place"}
    assert person.score == pytest.approx(person.scores["person"])
    assert (person.nearest[0]["text"], person.nearest[0]["sentence"]) == ("anna", "anna lives in paris")


def test_a_sentence_without_entities_names_the_word_most_like_one(trial):
    answer = trial.answer(WORDS, PLACES, "works", False)
    assert answer.entities == ()
    assert (answer.doubtful.text, answer.doubtful.nearest) == ("works", ())
    assert answer.doubtful.score == max(share for name, share in answer.doubtful.scores.items() if name)


def test_relations_are_asked_with_their_sides_marked(trial):
    answer = trial.answer(PAIRS, JOBS, "[tom](head) lives in [rome](tail)", False)
    assert (answer.text, answer.label) == ("tom lives in rome", "home")
    assert answer.sides == ((0, 3, "head"), (13, 17, "tail"))
    with pytest.raises(ValueError, match=r"^The sentence: expected one head and one tail, as in .*, got no mark\.$"):
        trial.answer(PAIRS, JOBS, "tom lives in rome", False)


def test_utterances_have_an_intent_and_slots(trial):
    answer = trial.answer(UTTERANCES, SPOKEN, "tom at [acme](anything)", False)
    assert (answer.label, answer.text) == ("job", "tom at acme")
    assert [(one.text, one.mark.name) for one in answer.entities] == [("tom", "person"), ("acme", "org")]


def test_other_examples_give_another_answer(trial):
    turned = HOMES.replace("home", "other").replace("# job", "# home").replace("# other", "# job")
    assert trial.answer(TEXTS, turned, "tom lives in rome", False).label == "job"


def test_what_is_like_nothing_is_none_of_the_above_on_request(trial):
    assert not trial.answer(TEXTS, HOMES, "the the the", False).is_none
    answer = trial.answer(TEXTS, HOMES, "the the the", True)
    assert (answer.is_none, answer.label) == (True, None)
    assert set(answer.scores) == {"home", "job"}


@pytest.mark.parametrize(
    ("task", "sheet", "sentence", "none", "message"),
    [
        (TEXTS, HOMES, " ", False, r"^Type a sentence\.$"),
        (TEXTS, HOMES, "a" * 2001, False, r"^The sentence has 2,001 characters, and this page takes 2,000\."),
        (TEXTS, " ", "a", False, r"^There is no example yet\. Write some, or load ready-made ones\.$"),
        (TEXTS, "# a\n# b", "a", False, r"^There is no example yet\."),
        (TEXTS, "# a\nb\n# c", "a", False, r"^There is only the class 'a' so far\. Write a second one"),
        (TEXTS, "# a\nb\n# c\nd", "a", True, r"^To answer none of the above it takes two classes"),
        (WORDS, PLACES, "\u200b", False, r"expected a text with words"),
    ],
)
def test_what_cannot_be_answered_is_said(trial, task, sheet, sentence, none, message):
    with pytest.raises(ValueError, match=message):
        trial.answer(task, sheet, sentence, none)


def test_every_text_is_encoded_once_however_examples_change(bert, monkeypatch):
    read = []
    monkeypatch.setattr(
        RememberedEncoder,
        "features",
        lambda self, inputs, real=RememberedEncoder.features: (
            read.append(len(inputs.offsets) - 1) or real(self, inputs)
        ),
    )
    trial = Trial(DemoModel(str(bert)))
    trial.answer(TEXTS, HOMES, "tom", False)
    assert sum(read) == 4 + 2 + 1  # examples, names of classes, the sentence
    trial.answer(TEXTS, HOMES + "the bank\n", "tom", False)
    assert sum(read) == 7 + 1
    trial.answer(TEXTS, HOMES, "tom", True)
    assert sum(read) == 8


def test_remembered_vectors_are_those_of_the_model_and_their_number_is_bounded(bert, monkeypatch):
    monkeypatch.setattr("hf_fewshot.demo.remembered.MOST_VECTORS", 5)
    model = DemoModel(str(bert))
    encode = model.learner(WORDS, none_of_the_above=False).encode
    rows = [{"tokens": ["anna", "lives"]}, {"tokens": ["in", "rome", "."]}, {"tokens": ["anna", "lives"]}]
    found = encode(rows)
    assert found.offsets.tolist() == [0, 2, 5, 7]
    alone = encode.features(encode.read([rows[1]])).rows
    assert torch.allclose(found.rows[2:5], alone, atol=1e-5)
    assert torch.equal(found.rows[:2], found.rows[5:])
    encode([{"tokens": ["tom"]}])
    assert (encode._size, len(encode._kept)) == (3, 2)


def test_learners_of_few_sheets_are_kept(bert, monkeypatch):
    monkeypatch.setattr("hf_fewshot.demo.trial.MOST_LEARNERS", 2)
    trial = Trial(DemoModel(str(bert)))
    sheets = [HOMES.replace("home", name) for name in ("x", "y", "z")]
    learned = [trial.learned(TEXTS, sheet, False) for sheet in sheets]
    assert trial.learned(TEXTS, sheets[2], False) is learned[2]
    assert trial.learned(TEXTS, sheets[0], False) is not learned[0]


def test_a_saved_learner_answers_as_it_would_elsewhere(bert, tmp_path):
    saved = learner(bert, none_of_the_above=True).fit(EXAMPLES)
    saved.save_pretrained(tmp_path / "with")
    saved.save_pretrained(tmp_path / "without", examples=False)
    model = DemoModel(str(tmp_path / "with"))
    assert ([task.name for task in model.tasks], model.title, model.what) == (
        ["classification"],
        "with",
        "a saved learner",
    )
    (expected,) = saved.answers(["anna works"])
    shown = Trial(model).answer(TEXTS, HOMES, "anna works", True)
    bare = Trial(DemoModel(str(tmp_path / "without"))).answer(TEXTS, "", "anna works", True)
    for answer in (shown, bare):
        label = "NOTA" if answer.is_none else answer.label
        assert (label, max(answer.scores.values())) == (expected["label"], pytest.approx(expected["score"], abs=1e-4))
    assert (len(shown.nearest), bare.nearest) == (3, ())


def test_learners_share_their_encoder_and_nothing_they_learned(trial):
    first, second = (trial.learned(TEXTS, text, False).learner for text in (HOMES, HOMES + "tom\n"))
    assert first.encode is second.encode
    assert first.fitted is not second.fitted
