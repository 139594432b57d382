"""Every task in words, and back."""

import pytest

import hf_fewshot
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.references import references
from hf_fewshot.in_context.prompt_format import PromptFormat, load_format
from hf_fewshot.in_context.tasks import TaskPrompts
from hf_fewshot.tasks.parsed import Parsed
from tests.small_episodes import RELATIONS, TAGGED, TEXTS

QUERY = {"id": "q", "text": "rome", "tokens": ["Anna", "met", "Paul"]}
JOINT = {
    "id": "j",
    "tokens": list("订五张看台的票"),
    "intent": "TICKET",
    "slot_tags": ["O", "B-number", "O", "B-seat", "I-seat", "O", "O"],
}


def test_classification():
    task = TaskPrompts(load_format("classification"), Episode(("home", "job"), (), ()), [TEXTS[0], TEXTS[2]])
    assert task.prompts.prefix([0, 1]) == (
        "Choose the label of each text from: home, job.\n\n"
        "Text: anna lives in paris\nLabel: home\n\nText: paul works\nLabel: job\n\n"
    )
    assert task.query(QUERY) == "Text: rome\nLabel:"
    assert task.content_free(QUERY, "N/A") == "Text: N/A\nLabel:"
    assert task.parse("Job", QUERY) == Parsed("job")
    assert task.parse("a job", QUERY) == Parsed("job", loose=True)
    assert task.parse("no job", QUERY) == Parsed("<unparsed>", parsed=False)


def test_relations_with_none_of_the_above():
    task = TaskPrompts(load_format("relation"), Episode(("lives", "works"), (), ()), [RELATIONS[2]], nota=True)
    assert task.prompts.instruction.endswith("Choose from: lives, works, none of the above.")
    assert task.prompts.demonstrations[0].query == (
        "Sentence: paul works at acme corp .\nFirst entity: paul\nSecond entity: acme corp\nRelation:"
    )
    assert task.prompts.demonstrations[0].answer == "works"
    assert task.parse("none of the above", QUERY) == Parsed("NOTA")


def test_relations_are_called_by_their_names():
    shown = [{**RELATIONS[0], "relation": "P551", "relation_name": "residence"}]
    task = TaskPrompts(load_format("relation"), Episode(("P551",), (), ()), shown)
    assert task.words == {"P551": "residence"}
    assert task.parse("residence", QUERY) == Parsed("P551")


def test_entities_of_other_types_are_not_shown():
    task = TaskPrompts(load_format("tagging"), Episode(("person", "org"), (), ()), [TAGGED[1], TAGGED[3], TAGGED[5]])
    answers = [one.answer for one in task.prompts.demonstrations]
    assert answers == ['[["tom", "person"], ["acme corp", "org"]]', '[["mia", "person"]]', "[]"]
    assert task.parse('[["Paul", "person"], ["Tom", "person"]]', QUERY) == Parsed(["O", "O", "person"], unplaced=1)
    # Not O, which would be right for every sentence without entities.
    assert task.parse("Paul", QUERY) == Parsed(["<unparsed>"] * 3, parsed=False)
    fenced = '```json\n[{"text": "Paul", "type": "person"}]\n```'
    assert task.parse(fenced, QUERY) == Parsed(["O", "O", "person"], loose=True)


def test_intents_and_slots():
    episode = Episode(("intent:TICKET", "intent:DATE", "slot:number", "slot:seat"), (), (), "concert")
    task = TaskPrompts(load_format("joint"), episode, [JOINT])
    assert task.prompts.prefix([0]) == (
        "Give the intent and the slots of each utterance as JSON. Intents: TICKET, DATE. Slots: number, seat.\n\n"
        'Utterance: 订五张看台的票\nFrame: {"intent": "TICKET", "slots": [["五", "number"], ["看台", "seat"]]}\n\n'
    )
    frame = {"intent": "TICKET", "slot_tags": JOINT["slot_tags"]}
    assert task.parse(task.prompts.demonstrations[0].answer, JOINT) == Parsed(frame)
    sentence = f"The frame is {task.prompts.demonstrations[0].answer}."
    assert task.parse(sentence, JOINT) == Parsed(frame, loose=True)
    failed = {"intent": "<unparsed>", "slot_tags": ["B-<unparsed>"] + ["I-<unparsed>"] * 6}
    assert task.parse("TICKET", JOINT) == Parsed(failed, parsed=False)


def test_spans():
    shown = {"id": "s", "context": ["Anna met Paul ."], "question": "Who?", "answers": ["Anna", "Paul"]}
    task = TaskPrompts(load_format("clues_conll03"), Episode((), (), ()), [shown, {**shown, "answers": []}])
    assert [one.answer for one in task.prompts.demonstrations] == ['["Anna", "Paul"]', "[]"]
    assert task.query(shown) == "Text: Anna met Paul .\nQuestion: Who?\nAnswer:"
    assert task.parse("[]", shown) == Parsed([])
    # Not "no answer", which would often be right.
    assert task.parse("no idea", shown) == Parsed(["<unparsed>"], parsed=False)
    assert task.parse("The answer is: Paul.", shown) == Parsed(["Paul"], loose=True)


def test_spans_with_labels():
    shown = {"id": "m", "context": ["It rains.", "It is wet."], "question": "?", "answers": ["entailment"]}
    task = TaskPrompts(load_format("clues_mnli"), Episode((), (), ()), [shown])
    assert task.prompts.demonstrations[0].query == "Text: It rains.\nClaim: It is wet.\nTrue?"
    assert task.prompts.demonstrations[0].answer == "yes"
    assert task.prompts.demonstrations[0].label == "entailment"
    assert task.content_free(shown, "") == "Text: \nClaim: \nTrue?"
    assert task.parse("Maybe.", shown) == Parsed(["neutral"])
    assert task.prediction("contradiction") == ["contradiction"]


def test_what_a_format_cannot_say_is_an_error():
    shown = {"id": "m", "context": ["It rains."], "question": "?", "answers": ["sunny"]}
    with pytest.raises(ValueError, match="shows 'context_2', but example 'm' has only context, question, context_1"):
        TaskPrompts(load_format("clues_mnli"), Episode((), (), ()), [shown])
    with pytest.raises(
        ValueError, match=r"'m' has the label 'sunny', which the format has no word for. Known: positive"
    ):
        TaskPrompts(load_format("clues_sst2"), Episode((), (), ()), [shown])
    same = PromptFormat("classification", "{text}", labels={"home": "job"})
    with pytest.raises(ValueError, match="Labels have the same word"):
        TaskPrompts(same, Episode(("home", "job"), (), ()), [])


def test_queries_by_a_template():
    template = """
{% if context_2 is defined %}
{{ context_1 }} So {{ context_2 | lower }}
{% else %}
{{ context }}
{% endif %}
True?
"""
    form = PromptFormat("spans", template=template, labels={"a": "yes", "b": "no"})
    task = TaskPrompts(form, Episode((), (), ()), [])
    shown = {"id": "m", "context": ["{{ It }}", "Is WET."], "question": "?", "answers": []}
    assert task.query(shown) == "{{ It }} So is wet.\nTrue?"
    assert task.query({**shown, "context": ["It"]}) == "It\nTrue?"
    assert task.content_free(shown, "N/A") == "N/A So n/a\nTrue?"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ context_2 }}", "fails for example 'm', which has context, question, context_1: 'context_2' is undefined"),
        ("{{ context.__class__.__mro__ }}", "access to attribute '__class__' of 'str' object is unsafe"),
        ("{{ context + 1 }}", "fails for example 'm'.* concatenate"),
        ("{{ context[:0] }}", "The template shows nothing for example 'm'"),
    ],
)
def test_a_template_that_fails_names_the_example(template, message):
    task = TaskPrompts(PromptFormat("spans", template=template), Episode((), (), ()), [])
    with pytest.raises(ValueError, match=message):
        task.query({"id": "m", "context": ["It"], "question": "?", "answers": []})


def test_a_system_message_comes_first():
    form = PromptFormat("classification", "{text} =", instruction="Choose.", system="You know {labels}.")
    prompts = TaskPrompts(form, Episode(("home", "job"), (), ()), [TEXTS[0]]).prompts
    assert prompts.prefix([0]) == "You know home, job.\n\nChoose.\n\nanna lives in paris = home\n\n"
    assert prompts.messages([], "rome =") == [
        {"role": "system", "content": "You know home, job."},
        {"role": "user", "content": "Choose.\n\nrome ="},
    ]
    assert [turn["role"] for turn in prompts.messages([0])] == ["system", "user", "assistant"]


def test_braces_in_texts_are_no_fields():
    task = TaskPrompts(load_format("classification"), Episode(("a", "b"), (), ()), [])
    assert task.query({"id": "x", "text": "{text} {0} }"}) == "Text: {text} {0} }\nLabel:"


def test_schemas_say_what_an_answer_may_be():
    classes = Episode(("home", "job"), (), ())
    labels = {"type": "string", "enum": ["home", "job"]}
    assert TaskPrompts(load_format("classification"), classes, []).schema == labels
    nota = TaskPrompts(load_format("relation"), classes, [], nota=True)
    assert nota.schema["enum"] == ["home", "job", "none of the above"]
    assert TaskPrompts(load_format("clues_mnli"), Episode((), (), ()), []).schema["enum"] == ["yes", "maybe", "no"]
    texts = {"type": "array", "items": {"type": "string"}}
    assert TaskPrompts(load_format("clues_squad"), Episode((), (), ()), []).schema == texts
    entity = {
        "type": "object",
        "properties": {"text": {"type": "string"}, "type": labels},
        "required": ["text", "type"],
        "additionalProperties": False,
    }
    assert TaskPrompts(load_format("tagging"), classes, []).schema == {"type": "array", "items": entity}
    frame = TaskPrompts(load_format("joint"), Episode(("intent:T", "slot:a"), (), ()), []).schema
    assert frame["required"] == ["intent", "slots"]
    assert frame["properties"]["intent"] == {"type": "string", "enum": ["T"]}
    assert frame["properties"]["slots"]["items"]["properties"]["type"] == {"type": "string", "enum": ["a"]}
    # No server takes an empty enumeration.
    without = TaskPrompts(load_format("joint"), Episode(("intent:T",), (), ()), []).schema
    assert without["properties"]["slots"]["items"]["properties"]["type"] == {"type": "string"}


def test_answers_in_the_form_of_a_schema_are_read_strictly():
    tagging = TaskPrompts(load_format("tagging"), Episode(("person",), (), ()), [])
    assert tagging.parse('[{"text": "Paul", "type": "person"}]', QUERY) == Parsed(["O", "O", "person"])
    joint = TaskPrompts(load_format("joint"), Episode(("intent:TICKET", "slot:seat"), (), ()), [])
    frame = {"intent": "TICKET", "slot_tags": ["O", "O", "O", "B-seat", "I-seat", "O", "O"]}
    assert joint.parse('{"intent": "TICKET", "slots": [{"text": "看台", "type": "seat"}]}', JOINT) == Parsed(frame)


@pytest.mark.parametrize(
    ("name", "config", "options"),
    [
        ("few_nerd", "inter", {"n_way": 5, "shots": 1, "n_episodes": 20}),
        ("fewrel", None, {"n_way": 5, "shots": 1, "n_query": 2, "n_episodes": 10}),
        ("fewjoint", None, {"shots": 3}),
    ],
)
def test_right_answers_of_the_benchmarks_are_right_predictions(name, config, options):
    split = "validation" if name == "fewrel" else "test"
    episodes = hf_fewshot.load_episodes(name, config, split=split, sample=True, **options)
    form = load_format(episodes.task)
    examples = episodes.examples.to_list()
    gold = list(references(episodes)) if name != "fewjoint" else None
    wrong = total = 0
    for number, episode in enumerate(episodes):
        queries = [examples[row] for row in episode.query]
        # Asked as demonstrations, queries show their right answers.
        task = TaskPrompts(form, episode, queries)
        for place, (query, shown) in enumerate(zip(queries, task.prompts.demonstrations, strict=True)):
            expected = {key: query[key] for key in ("intent", "slot_tags")} if gold is None else gold[number][place]
            parsed = task.parse(shown.answer, query)
            assert (parsed.parsed, parsed.unplaced) == (True, 0)
            total += 1
            wrong += parsed.prediction != expected
    # A text that also stands before the entity, outside any, is found there first.
    assert wrong <= 0.02 * total
