"""Predictions of intents and slots: the fast path, the plain path, pairs, single parts, and their scores."""

import pytest
import torch
from accelerate import Accelerator

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scoring import score
from hf_fewshot.metrics.joint_accuracy.scoring import score as joint_accuracy
from hf_fewshot.metrics.slot_f1.scoring import score as slot_f1
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_batch import intents_of, tags_of
from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.systems.joint_runner import JointRunner
from hf_fewshot.systems.separate import merge_parts
from tests.predicted import predict_episodes
from tests.small_episodes import JOINT, episodes_of
from tests.systems.joint_script import build, many

EVERY = [
    {},
    {"dependency": True, "transitions": "rules"},
    {"transitions": "cdt"},
    {"tapnet": True, "name_weight": 0.5},
    {"name_weight": 0.3, "dependency": True},
    {"part": "intent"},
    {"part": "slots"},
]


def predict(model, tokenizer, episodes, **options):
    return predict_episodes(model, tokenizer, episodes, progress=False, accelerator=Accelerator(cpu=True), **options)


def require_form(predictions, episodes, keys=("intent", "slot_tags")):
    """A prediction for each query, with labels that its episode has."""
    assert len(predictions) == len(episodes)
    for episode, own in zip(episodes, predictions, strict=True):
        assert len(own) == len(episode.query)
        for row, one in zip(episode.query, own, strict=True):
            assert tuple(one) == keys
            if "intent" in one:
                assert one["intent"] in intents_of(episode)
            if "slot_tags" in one:
                assert len(one["slot_tags"]) == len(JOINT[row]["tokens"])
                assert set(one["slot_tags"]) <= set(tags_of(episode))


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_encoding_once_predicts_what_encoding_every_episode_predicts(bert, joint_episodes, options, monkeypatch):
    model, tokenizer = build(bert, **options)
    keys = {"intent": ("intent",), "slots": ("slot_tags",)}.get(options.get("part"), ("intent", "slot_tags"))
    for episodes in (joint_episodes, many()):
        fast = predict(model, tokenizer, episodes)
        require_form(fast, episodes, keys)
        assert predict(model, tokenizer, episodes, encode_once=False) == fast
        for size in (1, 2):
            monkeypatch.setattr(JointRunner, "episodes_per_batch", size)
            assert predict(model, tokenizer, episodes) == fast
        monkeypatch.undo()


@torch.no_grad()
def test_predictions_are_the_best_scores_of_the_model(bert, joint_episodes):
    model, tokenizer = build(bert, dependency=True)
    predictions = predict(model, tokenizer, joint_episodes)
    for episode, own in zip(joint_episodes, predictions, strict=True):
        output = model(**JointCollator(model, tokenizer, joint_episodes)([episode]))
        for number, (row, one) in enumerate(zip(episode.query, own, strict=True)):
            assert one["intent"] == intents_of(episode)[output.intents[0, number].argmax()]
            best = output.tags[0, number, : len(JOINT[row]["tokens"])].argmax(-1)
            assert one["slot_tags"] == [tags_of(episode)[tag] for tag in best]


@pytest.mark.parametrize("options", [{}, {"name_weight": 0.5, "transitions": "rules"}, {"part": "slots"}], ids=str)
def test_pairs_are_predicted_in_the_same_form_however_many_fit(bert, joint_episodes, options, monkeypatch):
    model, tokenizer = build(bert, pairwise=True, **options)
    keys = ("slot_tags",) if options.get("part") else ("intent", "slot_tags")
    predictions = predict(model, tokenizer, joint_episodes)
    require_form(predictions, joint_episodes, keys)
    assert predict(model, tokenizer, joint_episodes, encode_once=False) == predictions
    monkeypatch.setattr("hf_fewshot.systems.joint_runner.TOKENS_PER_BATCH", 1)
    assert predict(model, tokenizer, joint_episodes) == predictions


def test_queries_that_stand_in_the_support_set_get_their_own_labels(bert):
    # Each tag but O has one support word: the nearest prototype of that word is itself.
    classes = ("intent:works", "intent:lives", "slot:place", "slot:person", "slot:org")
    episodes = episodes_of("joint", JOINT, Episode(classes, (5, 1), (1, 5)))
    (predicted,) = predict(*build(bert), episodes)
    assert [one["intent"] for one in predicted] == ["works", "lives"]
    assert [predicted[0]["slot_tags"][i] for i in (0, 3, 4)] == ["B-person", "B-org", "I-org"]
    assert predicted[1]["slot_tags"] == ["B-place"]


def test_rules_leave_no_slot_without_a_beginning(bert):
    model, tokenizer = build(bert, transitions="rules")
    for own in predict(model, tokenizer, many()):
        for one in own:
            before = "O"
            for tag in one["slot_tags"]:
                assert tag[:2] != "I-" or before[2:] == tag[2:]
                before = tag


def test_labels_without_support_are_never_predicted(bert):
    classes = ("intent:fly", "intent:lives", "slot:film", "slot:place")
    episodes = episodes_of("joint", JOINT, Episode(classes, (0,), (1, 2, 5)))
    for options in ({}, {"transitions": "cdt"}, {"name_weight": 0.5}):
        predicted = predict(*build(bert, **options), episodes)[0]
        assert {one["intent"] for one in predicted} == {"lives"}
        assert {tag for one in predicted for tag in one["slot_tags"]} <= {"O", "B-place"}


def test_the_two_networks_of_sepproto_together_predict_both(bert, joint_episodes):
    both = predict(*build(bert), joint_episodes)
    parts = [predict(*build(bert, part=part), joint_episodes) for part in ("intent", "slots")]
    assert merge_parts(*parts) == both
    assert merge_parts([[{"intent": "a"}]], [[{"slot_tags": ["O"]}]]) == [[{"intent": "a", "slot_tags": ["O"]}]]
    with pytest.raises(ValueError, match="is shorter than"):
        merge_parts(parts[0], parts[1][:-1])


def test_an_episode_without_queries_has_no_predictions(bert):
    classes = ("intent:lives", "slot:place")
    episodes = episodes_of("joint", JOINT, Episode(classes, (0,), ()), Episode(classes, (0,), (5,)))
    for options in ({}, {"pairwise": True}):
        model, tokenizer = build(bert, **options)
        first, second = predict(model, tokenizer, episodes)
        assert (len(first), len(second)) == (0, 1)


def test_the_model_stays_in_the_mode_it_was_in(bert, joint_episodes):
    model, tokenizer = build(bert)
    for training in (True, False):
        predict(model.train(training), tokenizer, joint_episodes)
        assert model.training is training


def test_references_of_joint_queries_are_their_intents_and_tags(joint_episodes):
    found = list(references(joint_episodes))
    assert found[1] == [
        {"intent": "lives", "slot_tags": ["B-person", "O", "O", "B-place"]},
        {"intent": "lives", "slot_tags": ["B-person", "O", "O", "B-place", "I-place", "I-place", "I-place"]},
    ]
    assert [len(own) for own in found] == [3, 2, 3]


def chunks(tags):
    """(start, end, slot) of well-formed BIO tags."""
    starts = [i for i, tag in enumerate(tags) if tag.startswith("B-")]
    ends = [next((j for j in range(i + 1, len(tags)) if tags[j] != f"I-{tags[i][2:]}"), len(tags)) for i in starts]
    return {(i, j, tags[i][2:]) for i, j in zip(starts, ends, strict=True)}


def test_scores_equal_a_plain_count_and_the_metrics_themselves(bert):
    episodes = many()
    predictions = predict(*build(bert, transitions="rules"), episodes)
    gold = list(references(episodes))
    scores = score(episodes, predictions)
    intents, f1s, right = [], [], []
    for own, wanted in zip(predictions, gold, strict=True):
        pairs = list(zip(own, wanted, strict=True))
        intents.append(sum(a["intent"] == b["intent"] for a, b in pairs) / len(pairs))
        found, true = ([chunks(one["slot_tags"]) for one in part] for part in (own, wanted))
        correct = sum(len(a & b) for a, b in zip(found, true, strict=True))
        f1s.append(2 * correct / (sum(map(len, found)) + sum(map(len, true))))
        right += [a == b for a, b in pairs]
    assert scores["intent_accuracy"] == pytest.approx(sum(intents) / len(intents))
    assert scores["slot_f1"] == pytest.approx(sum(f1s) / len(f1s))
    assert scores["sentence_accuracy"] == pytest.approx(sum(right) / len(right))
    assert 0 < scores["slot_f1"] < 1
    groups = [i for i, own in enumerate(gold) for _ in own]
    flat, flat_gold = ([one for own in part for one in own] for part in (predictions, gold))
    options = {"groups": groups, "confidence_level": 0.9, "n_bootstrap": 50}
    joint = joint_accuracy(flat, flat_gold, **options)
    tags = [[one["slot_tags"] for one in part] for part in (flat, flat_gold)]
    slots = slot_f1(*tags, average="episode", **options)
    with_bounds = score(episodes, predictions, confidence_level=0.9, n_bootstrap=50)
    for bound in ("", "_ci_low", "_ci_high"):
        assert with_bounds[f"intent_accuracy{bound}"] == joint[f"intent_accuracy_group_mean{bound}"]
        assert with_bounds[f"sentence_accuracy{bound}"] == joint[f"sentence_accuracy{bound}"]
        assert with_bounds[f"slot_f1{bound}"] == slots[f"f1{bound}"]
    assert with_bounds["slot_f1_ci_low"] <= scores["slot_f1"] <= with_bounds["slot_f1_ci_high"]


def test_perfect_predictions_score_one_and_worst_ones_zero(joint_episodes):
    gold = list(references(joint_episodes))
    names = {"intent_accuracy", "sentence_accuracy", "slot_f1", "slot_precision", "slot_recall"}
    assert score(joint_episodes, gold) == dict.fromkeys(names, 1.0)
    wrong = [[{"intent": "?", "slot_tags": ["O"] * len(one["slot_tags"])} for one in own] for own in gold]
    assert score(joint_episodes, wrong) == dict.fromkeys(names, 0.0)


def test_episodes_count_alike_and_sentences_are_pooled():
    examples = [{"id": str(i), "domain": "d", "tokens": ["x"], "intent": "a", "slot_tags": ["B-s"]} for i in range(5)]
    classes = ("intent:a", "intent:b", "slot:s")
    episodes = episodes_of("joint", examples, Episode(classes, (0,), (1,)), Episode(classes, (0,), (2, 3, 4)))
    right, wrong = {"intent": "a", "slot_tags": ["B-s"]}, {"intent": "b", "slot_tags": ["O"]}
    scores = score(episodes, [[right], [wrong, wrong, wrong]])
    assert scores["intent_accuracy"] == 0.5
    assert scores["slot_f1"] == 0.5
    assert scores["sentence_accuracy"] == 0.25


def test_a_single_part_has_the_scores_of_that_part(joint_episodes):
    gold = list(references(joint_episodes))
    parts = [[[{name: one[name]} for one in own] for own in gold] for name in ("intent", "slot_tags")]
    assert score(joint_episodes, parts[0]) == {"intent_accuracy": 1.0}
    assert score(joint_episodes, parts[1]) == {"slot_f1": 1.0, "slot_precision": 1.0, "slot_recall": 1.0}


@pytest.mark.parametrize("prediction", [{}, "lives", {"tags": ["O"]}])
def test_predictions_of_another_form_are_not_scored(joint_episodes, prediction):
    wrong = [[prediction for _ in episode.query] for episode in joint_episodes]
    with pytest.raises(ValueError, match="Expected predictions with 'intent', 'slot_tags' or both"):
        score(joint_episodes, wrong)


def test_another_model_than_a_joint_one_is_refused(bert, joint_episodes, tagging_episodes):
    with pytest.raises(ValueError, match="need a JointModel, got a FewShotModel"):
        predict(*FewShotModel.from_encoder(bert, "proto"), joint_episodes)
    with pytest.raises(ValueError, match=r"Expected joint episodes .* got episodes of task 'tagging'"):
        predict(*JointModel.from_encoder(bert, "joint_proto"), tagging_episodes)


@pytest.mark.parametrize(
    "changed", [{"transitions": "rules"}, {"dependency": True}, {"part": "slots"}, {"pairwise": True}]
)
def test_predictions_with_other_options_are_not_taken_for_these(bert, joint_episodes, tmp_path, changed):
    # None of these options has weights.
    predict(*build(bert), joint_episodes, output_dir=tmp_path)
    with pytest.raises(ValueError, match="holds the predictions of another run"):
        predict(*build(bert, **changed), joint_episodes, output_dir=tmp_path)


def test_damaged_weights_are_noticed(bert, joint_episodes):
    model, tokenizer = build(bert)
    with torch.no_grad():
        model.method.log_temperature.fill_(torch.nan)
    with pytest.raises(ValueError, match="The scores are NaN: the weights of the model are damaged"):
        predict(model, tokenizer, joint_episodes)
