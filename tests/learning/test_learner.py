"""The learner from labelled examples to answers, with a tiny encoder."""

import numpy as np
import pytest
import torch

from hf_fewshot import FewShotLearner
from hf_fewshot.learning.options import LearnerOptions, Tuning
from hf_fewshot.learning.tuning import batches
from tests.small_episodes import RELATIONS, TAGGED
from tests.small_learners import EXAMPLES, JOINT, QUERIES, SHORT, TEXTS, learner


@pytest.mark.parametrize("head", ["logistic", "tuned"])
@pytest.mark.parametrize("task", EXAMPLES)
def test_every_task_learns_what_it_was_shown_with_every_head(bert, task, head):
    fitted = learner(bert, task, head=head, strength=1e6, tuning=SHORT).fit(EXAMPLES[task])
    answers = fitted.answers(QUERIES[task])
    if task == "classification":
        assert [answer["label"] for answer in answers] == [label for _, label in TEXTS]
    elif task == "relation":
        assert [answer["label"] for answer in answers] == [row["relation"] for row in RELATIONS[:6]]
    elif task == "tagging":
        assert [(e["type"], e["text"], e["start"], e["end"]) for e in answers[1]["entities"]] == [
            ("person", "tom", 0, 3),
            ("org", "acme corp", 13, 22),
        ]
    else:
        assert [answer["intent"] for answer in answers] == ["home", "job"]
        assert [(slot["type"], slot["text"]) for slot in answers[1]["slots"]] == [("org", "acme corp")]


def test_prototypes_are_means_of_vectors_of_length_one(bert):
    fitted = learner(bert, head="prototypes", label_names=False).fit(TEXTS)
    texts = [text for text, _ in TEXTS]
    vectors = fitted.encode([{"text": text} for text in texts]).rows.numpy()
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    means = np.stack([vectors[:2].sum(0), vectors[2:].sum(0)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    scores = 20 * vectors @ means.T
    expected = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    np.testing.assert_allclose(fitted.predict_proba(texts), expected, atol=1e-5)


def test_one_query_gives_one_answer_and_a_list_gives_a_list(bert):
    fitted = learner(bert).fit(TEXTS)
    assert fitted.predict("anna lives in paris") == "home"
    assert fitted.predict(["anna lives in paris", {"text": "mia works at acme"}]) == ["home", "job"]
    assert learner(bert, "joint").fit(JOINT).predict("anna lives in paris").keys() == {"slots", "intent"}


def test_probabilities_are_those_of_all_classes_in_their_order(bert):
    fitted = learner(bert).fit(TEXTS)
    found = fitted.predict_proba([text for text, _ in TEXTS])
    assert fitted.classes == ("home", "job")
    assert found.shape == (4, 2)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-6)
    assert found.argmax(1).tolist() == [0, 0, 1, 1]
    assert fitted.answers([TEXTS[2][0]])[0]["score"] == pytest.approx(float(found[2, 1]), abs=1e-5)
    words = learner(bert, "tagging").fit(TAGGED).predict_proba([{"tokens": row["tokens"]} for row in TAGGED])
    assert [part.shape for part in words] == [(len(row["tokens"]), 4) for row in TAGGED]
    both = learner(bert, "joint").fit(JOINT).predict_proba(["anna lives in paris"])
    assert both["intent"].shape == (1, 2)
    assert [part.shape for part in both["slot_tags"]] == [(4, 3)]


def test_a_batch_and_single_queries_get_the_same_answers(bert):
    fitted = learner(bert).fit(TEXTS)
    queries = ["anna", "the bank of rome is in berlin . " * 4, "tom works"]
    together = fitted.predict_proba(queries)
    alone = np.concatenate([fitted.predict_proba([query]) for query in queries])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_the_nearest_examples_are_the_reason(bert):
    (answer,) = learner(bert).fit(TEXTS).answers(["tom lives in rome"], nearest=2)
    assert answer["nearest"][0] == {
        "text": "tom lives in rome",
        "label": "home",
        "similarity": pytest.approx(1.0, abs=1e-5),
    }
    assert len(answer["nearest"]) == 2
    (answer,) = learner(bert, "tagging", strength=1000.0).fit(TAGGED).answers(["tom works at acme corp"], nearest=1)
    assert answer["entities"][0]["nearest"] == [
        {
            "text": "tom",
            "type": "person",
            "sentence": "tom works at acme corp",
            "similarity": pytest.approx(1.0, abs=1e-5),
        }
    ]


def test_tuning_begins_with_the_same_weights_each_time_and_draws_nothing_of_others(bert):
    fitted = learner(bert, head="tuned", tuning=SHORT)
    before = fitted.model.encoder.encoder.layer[-1].output.dense.weight.detach().clone()
    low = fitted.model.encoder.encoder.layer[0].output.dense.weight.detach().clone()
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first = fitted.fit(TEXTS).predict_proba(["anna works"])
    assert torch.rand(1) == expected
    second = fitted.fit(TEXTS).predict_proba(["anna works"])
    np.testing.assert_array_equal(first, second)
    after = fitted.model.encoder.encoder.layer[-1].output.dense.weight
    assert not torch.equal(before, after)
    # Half of the layers learn, and all may learn afterwards.
    assert torch.equal(low, fitted.model.encoder.encoder.layer[0].output.dense.weight)
    assert all(weight.requires_grad for weight in fitted.model.parameters())


def test_examples_and_classes_are_added_without_starting_again(bert):
    fitted = learner(bert, head="tuned", tuning=SHORT, strength=1000.0).fit(TEXTS)
    weights = fitted.model.encoder.encoder.layer[-1].output.dense.weight.detach().clone()
    fitted.add_class("birth", ["mia was born in bern", "tom was born in oslo"])
    assert fitted.classes == ("home", "job", "birth")
    assert fitted.predict("mia was born in bern") == "birth"
    fitted.add_examples([("anna works in oslo", "job")])
    assert fitted.predict("anna works in oslo") == "job"
    assert fitted.predict("anna lives in paris") == "home"
    assert torch.equal(weights, fitted.model.encoder.encoder.layer[-1].output.dense.weight)
    assert len(fitted.fitted.support.examples) == 7
    with pytest.raises(ValueError, match=r"There is a class 'job' already\. Use add_examples"):
        fitted.add_class("job", ["paul works"])


def test_what_is_like_no_class_is_none_of_the_above(bert):
    fitted = learner(bert, none_of_the_above=True, label_names=False).fit(TEXTS)
    rule = fitted.fitted.none[0]
    vector = torch.nn.functional.normalize(fitted.encode([{"text": "anna lives in paris"}]).rows, dim=-1)
    likeness = float((vector @ rule.means.T).max())
    assert fitted.predict("anna lives in paris") == ("home" if likeness >= rule.threshold else "NOTA")
    object.__setattr__(rule, "threshold", 2.0)
    assert fitted.predict(["anna lives in paris"]) == ["NOTA"]


def test_the_names_of_classes_count_as_examples(bert):
    named = learner(bert, strength=1000.0).fit([("anna lives", "works"), ("tom was born", "bank")])
    assert named.predict(["works", "bank"]) == ["works", "bank"]
    assert len(named.fitted.support.examples) == 2


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda new: new.predict("a"), r"This learner has learned nothing yet\. Call fit\(examples\) first\."),
        (lambda new: new.fit([("a", "x"), ("b", "x")]), r"Expected examples of at least two classes, got only 'x'\."),
        (lambda new: new.fit(TEXTS).predict([]), r"Expected a list of queries, got \[\]\."),
        (lambda new: new.fit(TEXTS).predict([None]), r"Query 0: expected a text"),
        (lambda new: new.fit(TEXTS).answers("text"), r"Expected a list of queries, got 'text'\."),
    ],
)
def test_misuse_is_said_so(bert, action, message):
    with pytest.raises(ValueError, match=message):
        action(learner(bert))


def test_wrong_options_are_said_so():
    with pytest.raises(ValueError, match=r"Unknown head 'tunes'\. Did you mean 'tuned'\?"):
        LearnerOptions(head="tunes")
    with pytest.raises(ValueError, match=r"rates must not be negative"):
        Tuning(learning_rate=-1)
    with pytest.raises(ValueError, match=r"share=0, but it must be above 0 and at most 1\."):
        Tuning(share=0)


def test_each_step_shows_all_classes_and_each_example_as_often_as_the_others():
    classes = np.repeat(np.arange(5), 4)
    drawn = list(batches(classes, 10, 6, seed=3))
    assert [sorted(classes[numbers].tolist()) for numbers in drawn] == [[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]] * 6
    counts = np.bincount(np.concatenate(drawn), minlength=20)
    assert counts.tolist() == [3] * 20


@pytest.mark.real_model
def test_a_real_encoder_tells_intents_apart_and_finds_entities_with_their_characters():
    texts = [("I lost my card", "lost card"), ("my card is gone", "lost card"), ("when will it arrive", "delivery")]
    learned = FewShotLearner.from_encoder("all-MiniLM-L6-v2", head="logistic").fit(
        [*texts, ("where is it", "delivery")]
    )
    assert learned.predict(["someone stole my card", "has it been delivered yet"]) == ["lost card", "delivery"]
    rows = [
        {"text": "She moved to Paris last year.", "entities": [{"start": 13, "end": 18, "type": "city"}]},
        {
            "text": "He flew from London to Rome.",
            "entities": [{"start": 13, "end": 19, "type": "city"}, {"start": 23, "end": 27, "type": "city"}],
        },
        {"text": "Nobody knows why it rained.", "entities": []},
    ]
    found = FewShotLearner.from_encoder("all-MiniLM-L6-v2", "tagging", head="logistic").fit(rows)
    (entity,) = found.predict("They settled in Munich.")
    assert {key: entity[key] for key in ("type", "text", "start", "end")} == {
        "type": "city",
        "text": "Munich",
        "start": 16,
        "end": 22,
    }
