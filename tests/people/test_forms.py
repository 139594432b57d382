"""Examples of each task as forms, and filled forms as predictions."""

import pytest

from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.form import Answer, FormError, Mark, check_answer, part_of_words
from hf_fewshot.tasks.task import Task

SENTENCE = {"id": "1", "tokens": ["Anna", "Berg", "visits", "New", "York"], "tags": ["O"] * 5}
UTTERANCE = {"id": "1", "domain": "weather", "tokens": list("明天北京"), "intent": "ask", "slot_tags": ["O"] * 4}
RELATION = {
    "id": "1",
    "tokens": ["Anna", "lives", "in", "Rome"],
    "head": {"text": "", "id": "", "type": "", "mentions": [{"start": 0, "end": 1}]},
    "tail": {"text": "", "id": "", "type": "", "mentions": [{"start": 3, "end": 4}]},
    "relation": "P1",
    "original_relation": "P1",
}
QUESTION = {"id": "1", "context": ["Anna met Ben.", "Ben left."], "question": "Anna or Ben?", "answers": ["Ben"]}


def marks_of(form, answer):
    return [(form.parts[one.part].text[one.start : one.end], one.label) for one in answer.marks]


def test_entities_are_marked_words():
    task = task_of("tagging")
    form = task.form(SENTENCE, ["person", "city"], {})
    assert (form.parts[0].text, form.parts[0].words[3:]) == ("Anna Berg visits New York", ((17, 20), (21, 25)))
    assert (form.choice, form.marking.types, form.marking.aligned) == (None, ("person", "city"), True)
    answer = Answer(marks=(Mark(0, 17, 25, "city"), Mark(0, 0, 9, "person")))
    check_answer(form, answer)
    filled = [task.filled(answer, SENTENCE, ["person", "city"], scheme=scheme) for scheme in ("io", "bio")]
    assert filled[0] == ["person", "person", "O", "city", "city"]
    assert filled[1] == ["B-person", "I-person", "O", "B-city", "I-city"]


@pytest.mark.parametrize(
    ("scheme", "tags", "marks"),
    [
        ("io", ["person", "person", "city", "O", "person"], ["person", "city", "person"]),
        ("io", ["B-cell", "B-cell", "O", "O", "O"], ["B-cell"]),
        ("bio", ["B-person", "B-person", "I-person", "O", "O"], ["person", "person"]),
        # Tags of a model need not begin with B-: such a span is told by its first tag, and comes back the same.
        ("bio", ["I-person", "I-person", "I-city", "O", "I-city"], ["I-person", "I-city", "I-city"]),
        ("bio", ["B-person", "I-city", "B-city", "I-city", "O"], ["person", "I-city", "city"]),
    ],
)
def test_all_tags_come_back_from_their_marks(scheme, tags, marks):
    task = task_of("tagging")
    classes = ["person", "city", "B-cell"]
    answer = task.answered(tags, SENTENCE, classes, scheme=scheme)
    assert [mark.label for mark in answer.marks] == marks
    check_answer(task.form(SENTENCE, classes, {}), answer)
    assert task.filled(answer, SENTENCE, classes, scheme=scheme) == tags


def test_types_alone_are_what_the_metric_takes_them_for_where_tags_have_prefixes():
    task = task_of("tagging")
    answer = task.answered(["city", "city", "O", "O", "O"], SENTENCE, ["city"], scheme="bio")
    assert task.filled(answer, SENTENCE, ["city"], scheme="bio") == ["I-city", "I-city", "O", "O", "O"]


def test_an_utterance_has_an_intent_and_slots_and_characters_of_chinese_are_words():
    task = task_of("joint")
    classes = ["intent:ask", "intent:play", "slot:date", "slot:city"]
    form = task.form(UTTERANCE, classes, {})
    assert (form.parts[0].text, form.parts[0].words) == ("明天北京", ((0, 1), (1, 2), (2, 3), (3, 4)))
    assert (list(form.choice.options), form.marking.types) == (["ask", "play"], ("date", "city"))
    prediction = {"intent": "ask", "slot_tags": ["B-date", "I-date", "B-city", "I-city"]}
    answer = task.answered(prediction, UTTERANCE, classes)
    assert (answer.label, marks_of(form, answer)) == ("ask", [("明天", "date"), ("北京", "city")])
    assert task.filled(answer, UTTERANCE, classes) == prediction


def test_half_a_prediction_is_no_answer():
    with pytest.raises(FormError, match="a prediction without an intent, or without slots"):
        task_of("joint").answered({"intent": "ask"}, UTTERANCE, ["intent:ask"])


def test_a_relation_is_chosen_with_its_two_entities_marked():
    task = task_of("relation")
    form = task.form(RELATION, ["P1", "P2"], {"P1": "lives in", "P2": "works at", "NOTA": "none of the above"})
    assert [(form.parts[0].text[one.start : one.end], one.label) for one in form.given] == [
        ("Anna", "head"),
        ("Rome", "tail"),
    ]
    assert form.choice.options == {"P1": "lives in", "P2": "works at", "NOTA": "none of the above"}
    assert form.marking is None
    assert task.filled(Answer("NOTA"), RELATION, ["P1", "P2"]) == "NOTA"
    with pytest.raises(FormError, match="the label '<unparsed>', which is none of P1, P2, NOTA"):
        check_answer(form, task.answered("<unparsed>", RELATION, ["P1", "P2"]))


def test_answers_are_marked_in_contexts_and_question():
    task = task_of("spans")
    form = task.form(QUESTION, [], {})
    assert [part.name for part in form.parts] == ["context 1", "context 2", "question"]
    assert (form.choice, form.marking.types, form.marking.aligned) == (None, None, False)
    answer = task.answered(["Ben", "Anna or Ben?", " "], QUESTION, [])
    assert [(one.part, one.start, one.end, one.label) for one in answer.marks] == [(0, 9, 12, None), (2, 0, 12, None)]
    check_answer(form, answer)
    assert task.filled(answer, QUESTION, []) == ["Ben", "Anna or Ben?"]
    assert task.is_same(["Ben", "Anna"], ["Anna", "Ben"])
    assert not task.is_same(["Ben"], [])
    again = Answer(marks=(Mark(0, 9, 12), Mark(1, 0, 3)))
    assert task.filled(again, QUESTION, []) == ["Ben"]


def test_an_answer_that_stands_nowhere_cannot_be_marked():
    task = task_of("spans")
    answer = task.answered(["Cleo", "Ben"], QUESTION, [])
    assert (answer.nowhere, answer.marks) == (("Cleo",), (Mark(0, 9, 12),))
    with pytest.raises(FormError, match="the answer 'Cleo', which stands in no part of the example"):
        check_answer(task.form(QUESTION, [], {}), answer)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer("person"), "a label, 'person', where none is asked for"),
        (Answer(marks=(Mark(1, 0, 4, "city"),)), "characters 0 to 4 of part 1, which are not there"),
        (Answer(marks=(Mark(0, 4, 4, "city"),)), "characters 4 to 4 of part 0, which are not there"),
        (Answer(marks=(Mark(0, 21, 26, "city"),)), "characters 21 to 26 of part 0, which are not there"),
        (Answer(marks=(Mark(0, 0, 4, "cat"),)), "of the type 'cat', which is none of person, city"),
        (Answer(marks=(Mark(0, 0, 4),)), "of the type None, which is none of person, city"),
        (Answer(marks=(Mark(0, 1, 4, "city"),)), "characters 1 to 4 of part 0, which are no whole words"),
        (Answer(marks=(Mark(0, 5, 9, "city"), Mark(0, 0, 9, "city"))), "5 to 9 of part 0 that overlaps another"),
    ],
)
def test_what_does_not_fit_the_form_is_refused(answer, message):
    form = task_of("tagging").form(SENTENCE, ["person", "city"], {})
    with pytest.raises(FormError, match=message):
        check_answer(form, answer)


def test_a_label_must_be_chosen_and_plain_answers_have_no_type():
    form = task_of("relation").form(RELATION, ["P1"], {"P1": "lives in"})
    with pytest.raises(FormError, match="the label None, which is none of P1"):
        check_answer(form, Answer())
    with pytest.raises(FormError, match="marks where none are asked for"):
        check_answer(form, Answer("P1", (Mark(0, 0, 4),)))
    with pytest.raises(FormError, match="a mark of the type 'x' where marks have none"):
        check_answer(task_of("spans").form(QUESTION, [], {}), Answer(marks=(Mark(0, 0, 4, "x"),)))


def test_words_without_anything_to_see_have_a_place_and_hidden_characters_are_shown():
    part = part_of_words("sentence", ["a", "", " ", "b\u202e"])
    assert (part.text, part.words) == ("a \u2423 \u2423 b\\u202e", ((0, 1), (2, 3), (4, 5), (6, 13)))


def test_a_task_without_forms_says_what_it_lacks():
    class Silent(task_of("tagging").__class__):
        name = "silent"
        form = Task.form

    with pytest.raises(TypeError, match="Task 'silent' cannot be asked of people: its class has no `form`"):
        Silent().form(SENTENCE, [], {})
