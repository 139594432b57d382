"""slot_f1 is conlleval: against rules written out by hand, against seqeval, and on FewJoint."""

import json
import random
import warnings
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hf_fewshot.metrics.slot_f1.scoring import score

# The published tables of conlleval, extended to IOBES: which pairs of neighbouring prefixes begin a chunk, and which
# end one, where the type stays the same.
BEGINS = {"BB", "IB", "OB", "EB", "SB", "BS", "IS", "OS", "ES", "SS", "OI", "EI", "SI", "OE", "EE", "SE"}
ENDS = {"BB", "BS", "BO", "IB", "IS", "IO", "EB", "ES", "EO", "EI", "EE", "SB", "SS", "SO", "SI", "SE"}


def split(tag):
    prefix, _, kind = tag.partition("-")
    return {"L": "E", "U": "S"}.get(prefix, prefix), kind


def conlleval(predictions, references):
    """Counts as the published script does: token by token, with a chunk held open while both sides agree."""
    correct, predicted, gold, right, tokens = Counter(), Counter(), Counter(), 0, 0
    for found_tags, gold_tags in zip(predictions, references, strict=True):
        before_found = before_gold = ("O", "")
        open_type = None
        for found_tag, gold_tag in zip([*found_tags, "O"], [*gold_tags, "O"], strict=True):
            now_found, now_gold = split(found_tag), split(gold_tag)
            begins, ends = [], []
            for before, now in ((before_found, now_found), (before_gold, now_gold)):
                pair, changed = before[0] + now[0], before[1] != now[1]
                begins.append(pair in BEGINS or (now[0] != "O" and changed))
                ends.append(pair in ENDS or (before[0] != "O" and changed))
            if open_type is not None and any(ends):
                correct[open_type] += all(ends)
                open_type = None
            if all(begins) and now_found[1] == now_gold[1]:
                open_type = now_gold[1]
            predicted[now_found[1]] += begins[0]
            gold[now_gold[1]] += begins[1]
            before_found, before_gold = now_found, now_gold
        right += sum(a == b for a, b in zip(found_tags, gold_tags, strict=True))
        tokens += len(gold_tags)
    return correct, predicted, gold, right / tokens


def f1(correct, predicted, gold):
    precision = correct / predicted if predicted else 0.0
    recall = correct / gold if gold else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def assert_equals_conlleval(predictions, references):
    correct, predicted, gold, accuracy = conlleval(predictions, references)
    results = score(predictions, references)
    rates = f1(correct.total(), predicted.total(), gold.total())
    assert (results["precision"], results["recall"], results["f1"]) == pytest.approx(rates, abs=1e-12)
    assert results["accuracy"] == pytest.approx(accuracy, abs=1e-12)
    assert (results["n_correct"], results["n_predictions"], results["n_references"]) == (
        correct.total(),
        predicted.total(),
        gold.total(),
    )
    kinds = {kind for kind in predicted | gold if predicted[kind] or gold[kind]}
    assert {key.split("/")[1] for key in results if key.startswith("per_type/")} == kinds
    for kind in kinds:
        measured = tuple(results[f"per_type/{kind}/{measure}"] for measure in ("precision", "recall", "f1"))
        assert measured == pytest.approx(f1(correct[kind], predicted[kind], gold[kind]), abs=1e-12)


def tagged_sentences(prefixes):
    tags = st.sampled_from(["O"] + [f"{prefix}-{kind}" for prefix in prefixes for kind in ("x", "y", "x-y")])
    sentence = st.lists(st.tuples(tags, tags), max_size=12)
    return st.lists(sentence, min_size=1, max_size=5).filter(any)


@pytest.mark.parametrize("prefixes", ["I", "BI", "IE", "BIES", "BILU", "BIESLU"])
def test_random_and_broken_sequences_score_as_conlleval_rules_say(prefixes):
    @settings(max_examples=150, deadline=None)
    @given(tagged_sentences(prefixes))
    def check(sentences):
        predictions = [[found for found, _ in sentence] for sentence in sentences]
        references = [[gold for _, gold in sentence] for sentence in sentences]
        assert_equals_conlleval(predictions, references)

    check()


def test_long_random_sequences_with_few_errors_score_as_conlleval_rules_say():
    rng = random.Random(0)
    tags = ["O"] * 8 + [f"{prefix}-{kind}" for prefix in "BIES" for kind in "xyz"]
    references = [[rng.choice(tags) for _ in range(rng.randrange(30))] for _ in range(300)]
    predictions = [[rng.choice(tags) if rng.random() < 0.1 else tag for tag in sentence] for sentence in references]
    assert_equals_conlleval(predictions, references)


def iob2(rng, n_sentences):
    sentences = []
    for _ in range(n_sentences):
        tags = []
        while len(tags) < 15:
            kind, length = rng.choice(["city", "date", None]), rng.randrange(1, 4)
            tags += ["O"] * length if kind is None else [f"B-{kind}"] + [f"I-{kind}"] * (length - 1)
        sentences.append(tags[:15])
    return sentences


def test_well_formed_iob2_scores_as_in_seqeval():
    from seqeval.metrics import accuracy_score, classification_report

    references, predictions = iob2(random.Random(1), 200), iob2(random.Random(2), 200)
    report = classification_report(references, predictions, output_dict=True)
    results = score(predictions, references)
    for measure, theirs in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
        assert results[measure] == pytest.approx(report["micro avg"][theirs], abs=1e-12)
        assert results[f"per_type/city/{measure}"] == pytest.approx(report["city"][theirs], abs=1e-12)
    assert results["accuracy"] == pytest.approx(accuracy_score(references, predictions), abs=1e-12)
    assert results["n_references"] == report["micro avg"]["support"]


def test_perfect_tags_score_one():
    tags = [["B-city", "I-city", "O"], ["B-date"]]
    results = score(tags, tags)
    assert (results["precision"], results["recall"], results["f1"], results["accuracy"]) == (1.0, 1.0, 1.0, 1.0)


def test_all_wrong_tags_score_zero():
    results = score([["O", "O", "B-date"]], [["B-city", "I-city", "O"]])
    assert (results["precision"], results["recall"], results["f1"], results["accuracy"]) == (0.0, 0.0, 0.0, 0.0)


def test_half_right_slots_score_one_half():
    results = score([["B-city", "I-city", "O", "B-date"]], [["B-city", "I-city", "O", "B-city"]])
    assert results == {
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "accuracy": 0.75,
        "n_correct": 1,
        "n_predictions": 2,
        "n_references": 2,
        "n_tokens": 4,
        "n_sentences": 1,
        "per_type/city/precision": 1.0,
        "per_type/city/recall": 0.5,
        "per_type/city/f1": 2 / 3,
        "per_type/city/n_correct": 1,
        "per_type/city/n_predictions": 1,
        "per_type/city/n_references": 2,
        "per_type/date/precision": 0.0,
        "per_type/date/recall": 0.0,
        "per_type/date/f1": 0.0,
        "per_type/date/n_correct": 0,
        "per_type/date/n_predictions": 1,
        "per_type/date/n_references": 0,
    }
    assert {type(value) for value in results.values()} == {int, float}


def test_class_ids_with_names_score_as_strings():
    names = ["O", "B-city", "I-city"]
    predictions, references = [[0, 1, 2], [1]], [[0, 1, 2], [0]]
    as_strings = [[[names[tag] for tag in sentence] for sentence in column] for column in (predictions, references)]
    assert score(predictions, references, label_names=names) == score(*as_strings)


def test_class_ids_without_names_are_refused():
    with pytest.raises(ValueError, match=r"Tag '0' has the prefix '0'.*give label_names for class ids"):
        score([[0, 1]], [[0, 1]])


def test_the_mean_over_episodes_weighs_episodes_alike():
    predictions = [["B-a"], ["B-a"], ["B-a"], ["O"], ["O"]]
    references = [["B-a"], ["B-a"], ["B-a"], ["B-a"], ["O"]]
    groups = ["large", "large", "large", "small", "without slots"]
    assert score(predictions, references, groups=groups)["f1"] == pytest.approx(6 / 7)
    results = score(predictions, references, groups=groups, average="episode", per_group=True)
    assert results["f1"] == pytest.approx(1 / 3)
    assert results["accuracy"] == pytest.approx(2 / 3)
    assert results["per_group/large/f1"] == 1.0
    assert results["per_group/small/f1"] == results["per_group/without slots/f1"] == 0.0


def test_intervals_hold_the_score():
    rng = random.Random(0)
    references = iob2(rng, 60)
    predictions = [[rng.choice(["O", tag, tag]) for tag in sentence] for sentence in references]
    groups = [index % 6 for index in range(60)]
    for average in ("pooled", "episode"):
        results = score(predictions, references, groups=groups, average=average, confidence_level=0.95)
        assert results["f1_ci_low"] < results["f1"] < results["f1_ci_high"]


def test_the_mean_over_episodes_needs_groups():
    with pytest.raises(ValueError, match=r'average="episode" needs groups. Give groups='):
        score([["O"]], [["O"]], average="episode")


@pytest.mark.shared_data
def test_fewjoint_scores_are_means_of_conlleval_over_domains(shared_data):
    file = "data/FewJoint1.1/result/SMP_data_slu_3/smp.spt_s_3.q_s_4.ep_50.cross_id_0/test.json"
    rng, predictions, references, groups, by_domain = random.Random(0), [], [], [], []
    for domain, episodes in json.loads((shared_data / "FewShotJoint" / file).read_text(encoding="utf-8")).items():
        gold = [tags for episode in episodes for tags in episode["query"]["seq_outs"]]
        vocabulary = sorted({tag for tags in gold for tag in tags})
        found = [[rng.choice(vocabulary) if rng.random() < 0.2 else tag for tag in tags] for tags in gold]
        correct, predicted, true, _ = conlleval(found, gold)
        by_domain.append(f1(correct.total(), predicted.total(), true.total())[2])
        predictions, references, groups = predictions + found, references + gold, groups + [domain] * len(gold)
    assert (len(by_domain), len(references)) == (9, 1061)
    results = score(predictions, references, groups=groups, average="episode")
    assert results["f1"] == pytest.approx(sum(by_domain) / 9, abs=1e-12)
    assert_equals_conlleval(predictions, references)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert score(references, references, groups=groups, average="episode")["f1"] == 1.0
