import pytest

from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.episodes.units import distinct, measure_episodes


def test_entity_f1_is_a_ratio_of_sums_over_episodes(tagging_episodes):
    predictions = list(references(tagging_episodes))
    predictions[0] = [["person", "O", "O", "O", "O"], ["O"]]
    measured = measure_episodes(tagging_episodes, predictions)
    # Episode 0: 1 correct of 1 predicted and 3 gold; episode 1: 4 of 4; episode 2: 1 of 1.
    assert (measured.measure, measured.unit, measured.units) == ("f1", "episode", ["0", "1", "2"])
    assert measured.numerators == [2.0, 8.0, 2.0]
    assert measured.denominators == [4.0, 8.0, 2.0]
    assert measured.scores["f1"] == pytest.approx(12 / 14)
    low, high = measured.intervals["f1"]
    assert low < 12 / 14 <= high <= 1
    assert not any(name.startswith("per_group/") or "_ci_" in name for name in measured.scores)


def test_nota_f1_leaves_none_of_the_above_out(relation_episodes):
    predictions = [["lives", "works", "lives"], ["lives"], ["NOTA", "born", "NOTA"]]
    measured = measure_episodes(relation_episodes, predictions)
    assert measured.numerators == [4.0, 2.0, 2.0]
    assert measured.denominators == [5.0, 2.0, 3.0]
    assert measured.scores["f1"] == pytest.approx(0.8)


def test_the_measure_of_texts_is_accuracy(text_episodes):
    measured = measure_episodes(text_episodes, [["home", "home", "NOTA"], ["home", "job"]])
    assert (measured.measure, measured.numerators, measured.denominators) == ("accuracy", [2.0, 2.0], [3.0, 2.0])
    assert measured.scores["accuracy"] == pytest.approx(0.8)


def test_sentences_of_domains_are_counted(joint_episodes):
    predictions = list(references(joint_episodes))
    predictions[0][1] = {"intent": "works", "slot_tags": ["B-place"]}
    measured = measure_episodes(joint_episodes, predictions)
    sizes = [float(len(queries)) for queries in predictions]
    assert (measured.measure, measured.unit) == ("sentence_accuracy", "domain")
    assert measured.denominators == sizes
    assert measured.numerators == [sizes[0] - 1, *sizes[1:]]
    assert measured.scores["sentence_accuracy"] == pytest.approx((sum(sizes) - 1) / sum(sizes))


def test_questions_of_a_fold_are_units_of_their_own():
    row = {"context": ["a b"], "question": "?"}
    test = [{"id": str(i), **row, "answers": answers} for i, answers in enumerate((["a"], [], ["a", "b"]))]
    episodes = split_episode("spans", [{"id": "0", **row, "answers": ["a"]}], test)
    measured = measure_episodes(episodes, [[["a"], ["a"], ["a"]]])
    assert (measured.measure, measured.unit) == ("s1", "question")
    assert measured.numerators == pytest.approx([1.0, 0.0, 2 / 3])
    assert measured.denominators == [1.0, 1.0, 1.0]
    assert measured.scores["s1"] == pytest.approx(5 / 9)


def test_one_unit_has_no_interval():
    row = {"id": "0", "context": ["a"], "question": "?", "answers": ["a"]}
    assert measure_episodes(split_episode("spans", [], [row]), [[["a"]]]).intervals == {}


def test_units_of_one_name_are_numbered():
    assert distinct(["a", "b", "a"]) == ["a 1", "b", "a 2"]
