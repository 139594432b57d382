"""All classes at once: some examples of each to learn from, the rest to be asked."""

from collections import Counter

import pytest

from hf_fewshot import verify
from hf_fewshot.episodes.all_classes import all_classes
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.units import measure_episodes
from hf_fewshot.tasks.schemas import example_features, table_of


def texts(**counts):
    rows = [(name, f"{name} {number}") for name, count in counts.items() for number in range(count)]
    rows = [{"id": str(n), "text": text, "label": name} for n, (name, text) in enumerate(rows)]
    return table_of(rows, example_features("classification"))


def sentences(*tags):
    rows = [{"id": str(n), "tokens": ["w"] * len(one.split()), "tags": one.split()} for n, one in enumerate(tags)]
    return table_of(rows, example_features("tagging"))


def test_each_class_has_its_shots_and_the_rest_is_asked():
    episodes = all_classes("classification", texts(a=5, b=3, c=9), shots=2)
    (episode,) = episodes
    labels = episodes.examples["label"][:]
    assert episode.classes == ("a", "b", "c")
    assert Counter(labels[row] for row in episode.support) == {"a": 2, "b": 2, "c": 2}
    assert Counter(labels[row] for row in episode.query) == {"a": 3, "b": 1, "c": 7}
    found = verify(episodes)
    assert not any(found.having(problem) for problem in ("short", "removable", "unseen", "overlap", "stray"))


def test_another_draw_or_seed_is_another_support_set_and_the_same_is_the_same():
    table = texts(a=20, b=20)
    drawn = {
        (seed, draw): all_classes("classification", table, shots=2, seed=seed, draw=draw)[0].support
        for seed in (0, 1)
        for draw in (0, 1)
    }
    assert len(set(drawn.values())) == 4
    assert all_classes("classification", table, shots=2, seed=1, draw=1)[0].support == drawn[1, 1]


def test_types_of_entities_are_each_in_as_many_sentences():
    table = sentences("x O", "x y", "y", "x", "O O", "y x")
    episodes = all_classes("tagging", table, shots=2)
    (episode,) = episodes
    assert episode.classes == ("x", "y")
    held = Counter(name for row in episode.support for name in {*table["tags"][row]} - {"O"})
    assert min(held["x"], held["y"]) >= 2
    assert sorted((*episode.support, *episode.query)) == list(range(6))
    assert not verify(episodes).having("removable")


def test_a_test_set_of_its_own_is_asked_whole():
    episodes = all_classes("classification", texts(a=3, b=2), texts(b=4), shots=2)
    (episode,) = episodes
    assert len(episode.support) == 4
    assert episode.query == (5, 6, 7, 8)
    assert list(references(episodes)) == [["b"] * 4]


def test_queries_that_repeat_what_is_learnt_from_are_counted(caplog):
    all_classes("classification", texts(a=4, b=4), shots=2)
    assert not caplog.text
    rows = [{"id": str(n), "text": "the same", "label": "a"} for n in range(5)]
    all_classes("classification", table_of(rows, example_features("classification")), shots=2)
    assert "3 of 3 queries are the same as an example that is learnt from, word for word" in caplog.text


def test_classes_with_too_few_examples_are_an_error_or_are_left_out(caplog):
    table = texts(a=3, b=2, c=4)
    message = r"shots=2 and 1 to be asked, but in 'the data' these labels are held by fewer examples: b \(2\)\. Lower"
    with pytest.raises(ValueError, match=message):
        all_classes("classification", table, shots=2)
    episodes = all_classes("classification", table, shots=2, scarce="skip")
    assert episodes[0].classes == ("a", "c")
    assert len(episodes[0].support) + len(episodes[0].query) == 7
    assert "fewer than 3 examples hold b (2); these labels and 2 of 9 examples are left out" in caplog.text


def test_classes_with_too_few_examples_can_be_learnt_from_fewer():
    episodes = all_classes("classification", texts(a=9, b=2, c=1), shots=3, scarce="fewer")
    labels = episodes.examples["label"][:]
    assert Counter(labels[row] for row in episodes[0].support) == {"a": 3, "b": 1, "c": 1}
    assert Counter(labels[row] for row in episodes[0].query) == {"a": 6, "b": 1}
    own_test = all_classes("classification", texts(a=9, b=2), texts(b=1), shots=3, scarce="fewer")
    assert Counter(own_test.examples["label"][row] for row in own_test[0].support) == {"a": 3, "b": 2}


def test_classes_that_only_the_test_set_has_are_an_error_or_are_left_out(caplog):
    message = r"classes that the data to learn from has not: z \(2\)\. Correct it, or use scarce=\"skip\""
    with pytest.raises(ValueError, match=message):
        all_classes("classification", texts(a=2), texts(a=1, z=2), shots=1)
    episodes = all_classes("classification", texts(a=2), texts(a=1, z=2), shots=1, scarce="skip")
    assert episodes[0].query == (2,)
    assert "2 of 3 test examples are left out: they hold z (2)" in caplog.text
    with pytest.raises(ValueError, match="No example of the test set has only classes that the data to learn from"):
        all_classes("classification", texts(a=2), texts(z=2), shots=1, scarce="skip")


@pytest.mark.parametrize("draw", [-1, 1.0, True])
def test_a_draw_is_a_whole_number(draw):
    with pytest.raises(ValueError, match=f"draw must be a whole number of at least 0, but is {draw!r}"):
        all_classes("classification", texts(a=3), shots=1, draw=draw)


def test_questions_are_told_by_their_rows():
    table = texts(a=4, b=4)
    for draw in (0, 1):
        episodes = all_classes("classification", table, shots=2, draw=draw)
        measured = measure_episodes(episodes, [["a"] * 4])
        assert measured.unit == "question"
        assert measured.units == [str(row) for row in episodes[0].query]
        assert measured.numerators == [1.0, 1.0, 0.0, 0.0]


def test_utterances_of_one_episode_are_questions_and_slots_are_pooled():
    rows = [("a", "B-x O"), ("a", "O O"), ("b", "B-x I-x"), ("b", "B-x O"), ("a", "B-x O"), ("b", "O O")]
    rows = [
        {"id": str(n), "domain": "", "tokens": ["v", "w"], "intent": intent, "slot_tags": tags.split()}
        for n, (intent, tags) in enumerate(rows)
    ]
    episodes = all_classes("joint", table_of(rows, example_features("joint")), shots=1)
    predictions = [[dict(one) for one in gold] for gold in references(episodes)]
    n_queries = len(predictions[0])
    wrong = next(n for n, one in enumerate(predictions[0]) if one["slot_tags"] == ["B-x", "O"])
    n_slots = sum(one["slot_tags"] != ["O", "O"] for one in predictions[0])
    predictions[0][wrong] = {**predictions[0][wrong], "slot_tags": ["O", "O"]}
    measured = measure_episodes(episodes, predictions)
    assert (measured.unit, len(measured.units)) == ("question", n_queries)
    assert measured.numerators == [float(n != wrong) for n in range(n_queries)]
    assert measured.scores["slot_recall"] == pytest.approx((n_slots - 1) / n_slots)
    assert measured.scores["slot_precision"] == 1.0
    assert measured.scores["intent_accuracy"] == 1.0
    assert "sentence_accuracy" in measured.intervals
