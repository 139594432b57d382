"""joint_accuracy: intents and whole sentences, pooled and by domain."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hf_fewshot.metrics.joint_accuracy.scoring import score


def row(intent, tags):
    return {"intent": intent, "slot_tags": tags.split()}


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("de"),
            st.tuples(st.sampled_from("xy"), st.sampled_from("xy")),
            st.lists(st.tuples(st.sampled_from("OB"), st.sampled_from("OB")), max_size=4),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_random_sentences_score_as_plain_loops_say(sentences):
    predictions = [{"intent": intents[0], "slot_tags": [pair[0] for pair in tags]} for _, intents, tags in sentences]
    references = [{"intent": intents[1], "slot_tags": [pair[1] for pair in tags]} for _, intents, tags in sentences]
    by_domain = {}
    for (domain, _, _), found, gold in zip(sentences, predictions, references, strict=True):
        right_intent = found["intent"] == gold["intent"]
        by_domain.setdefault(domain, []).append((right_intent, right_intent and found == gold))
    results = score(predictions, references, groups=[domain for domain, _, _ in sentences])
    for column, measure in enumerate(("intent_accuracy", "sentence_accuracy")):
        means = [sum(pair[column] for pair in pairs) / len(pairs) for pairs in by_domain.values()]
        total = sum(pair[column] for pairs in by_domain.values() for pair in pairs)
        assert results[measure] == pytest.approx(total / len(sentences), abs=1e-12)
        assert results[f"{measure}_group_mean"] == pytest.approx(sum(means) / len(means), abs=1e-12)


def test_perfect_sentences_score_one():
    rows = [row("a", "O B-x"), row("b", "O")]
    assert score(rows, rows) == {"intent_accuracy": 1.0, "sentence_accuracy": 1.0, "n": 2}


def test_all_wrong_sentences_score_zero():
    assert score([row("a", "O")], [row("b", "B-x")]) == {"intent_accuracy": 0.0, "sentence_accuracy": 0.0, "n": 1}


def test_one_wrong_tag_or_a_wrong_intent_spoils_the_sentence():
    references = [row("a", "O B-x"), row("a", "O B-x"), row("a", "O B-x"), row("b", "O")]
    predictions = [row("a", "O B-x"), row("a", "O O"), row("b", "O B-x"), row("b", "O")]
    results = score(predictions, references, groups=["d", "d", "d", "e"], per_group=True)
    assert results == pytest.approx(
        {
            "intent_accuracy": 3 / 4,
            "sentence_accuracy": 2 / 4,
            "intent_accuracy_group_mean": (2 / 3 + 1) / 2,
            "sentence_accuracy_group_mean": (1 / 3 + 1) / 2,
            "n_groups": 2,
            "n": 4,
            "per_group/d/intent_accuracy": 2 / 3,
            "per_group/d/sentence_accuracy": 1 / 3,
            "per_group/e/intent_accuracy": 1.0,
            "per_group/e/sentence_accuracy": 1.0,
        }
    )
    assert {type(value) for value in results.values()} == {int, float}


def test_class_ids_score_as_strings():
    predictions = [{"intent": 1, "slot_tags": [0, 1]}, {"intent": 0, "slot_tags": [0]}]
    references = [{"intent": 1, "slot_tags": [0, 1]}, {"intent": 0, "slot_tags": [1]}]
    assert score(predictions, references) == {"intent_accuracy": 1.0, "sentence_accuracy": 0.5, "n": 2}


def test_both_kinds_of_mean_get_an_interval():
    references = [row("a", "O B-x")] * 40
    predictions = [row("a" if index % 3 else "b", "O B-x" if index % 2 else "O O") for index in range(40)]
    results = score(predictions, references, groups=[index // 5 for index in range(40)], confidence_level=0.9)
    for measure in (
        "intent_accuracy",
        "sentence_accuracy",
        "intent_accuracy_group_mean",
        "sentence_accuracy_group_mean",
    ):
        assert results[f"{measure}_ci_low"] < results[measure] < results[f"{measure}_ci_high"]


@pytest.mark.parametrize(
    ("prediction", "error", "message"),
    [
        ("a O O", TypeError, r"predictions\[0\] must be a dict with 'intent' and 'slot_tags', got 'a O O'"),
        ({"intent": "a"}, TypeError, r"predictions\[0\] must be a dict with 'intent' and 'slot_tags', got {'intent'"),
        (row("a", "O"), ValueError, r"predictions\[0\] has 1 tags, references\[0\] has 2"),
        ({"intent": "a", "slot_tags": "O O"}, TypeError, r"predictions\[0\] must be a list of tags, got str 'O O'"),
        ({"intent": ["a"], "slot_tags": ["O", "O"]}, TypeError, "predictions are nested too deep"),
    ],
)
def test_wrong_rows_are_refused_with_what_to_do(prediction, error, message):
    with pytest.raises(error, match=message):
        score([prediction], [row("a", "O O")])


@pytest.mark.shared_data
def test_the_most_frequent_intent_of_each_fewjoint_domain_scores_its_share(shared_data):
    file = "data/FewJoint1.1/result/SMP_data_slu_3/smp.spt_s_3.q_s_4.ep_50.cross_id_0/test.json"
    predictions, references, groups, shares = [], [], [], []
    for domain, episodes in json.loads((shared_data / "FewShotJoint" / file).read_text(encoding="utf-8")).items():
        query = episodes[0]["query"]
        intents = [labels[0] for labels in query["labels"]]
        frequent = max(sorted(set(intents)), key=intents.count)
        shares.append(intents.count(frequent) / len(intents))
        references += [{"intent": i, "slot_tags": t} for i, t in zip(intents, query["seq_outs"], strict=True)]
        predictions += [{"intent": frequent, "slot_tags": ["O"] * len(tags)} for tags in query["seq_outs"]]
        groups += [domain] * len(intents)
    results = score(predictions, references, groups=groups)
    assert (results["n"], results["n_groups"]) == (1061, 9)
    assert results["intent_accuracy_group_mean"] == pytest.approx(sum(shares) / 9, abs=1e-12)
    assert results["sentence_accuracy"] <= results["intent_accuracy"]
