"""Names of classes as texts."""

import pytest

from hf_fewshot.learning.label_names import name_examples, name_texts
from hf_fewshot.tasks import task_of


@pytest.mark.parametrize(
    ("names", "texts"),
    [
        (["card_arrival", "Refund_not_showing_up"], ["card arrival", "refund not showing up"]),
        (["PlayMusic", "GetWeather"], ["play music", "get weather"]),
        (["travel/flight", "top-up"], ["travel flight", "top up"]),
        (["天气", "音乐"], ["天气", "音乐"]),
        (["positive", "LABEL_1"], None),
        (["0", "1"], None),
        (["class 3", "class 4"], None),
        (["a", "b"], None),
        (["c1", "c2"], None),
        (["_", "sport"], None),
    ],
)
def test_names_are_words_or_say_nothing(names, texts):
    assert name_texts(names) == texts


def test_names_count_as_examples_of_texts_only():
    texts = task_of("classification")
    assert name_examples(texts, ["lost_card"], None) == [
        {"id": "name of lost_card", "text": "lost card", "label": "lost_card"}
    ]
    assert name_examples(texts, ["lost_card"], False) == []
    assert name_examples(texts, ["1", "2"], None) == []
    assert name_examples(task_of("relation"), ["lives_in"], None) == []


@pytest.mark.parametrize(("task", "names"), [("classification", ["1", "2"]), ("relation", ["lives_in", "works_at"])])
def test_names_that_were_asked_for_and_say_nothing_are_an_error(task, names):
    with pytest.raises(ValueError, match=r"label_names=True needs .*; got task .* and '.*', '.*'\. Leave it out\."):
        name_examples(task_of(task), names, True)
