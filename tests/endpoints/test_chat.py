"""What is sent, and what is made of the answer: several answers, schemas, thoughts."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.in_context.sampling import Sampling
from tests.asked import ask, ask_on

SCHEMA = {"type": "string", "enum": ["home", "job"]}
WRAPPED = {
    "type": "json_schema",
    "json_schema": {
        "name": "answer",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"answer": {"type": "string", "enum": ["home", "job"]}},
            "required": ["answer"],
            "additionalProperties": False,
        },
    },
}
PLAIN = {"path", "key", "model", "messages", "temperature", "max_tokens"}


def endpoint_of(server, **options):
    return Endpoint(server.url, "some-model", wait=0.001, max_retries=0, **options)


def numbered():
    """A reply that says how many came before it."""
    count = iter(range(1000))
    return lambda messages: f"answer {next(count)}"


def test_a_greedy_answer_is_asked_for_with_nothing_that_servers_may_not_know(chat_server):
    server = chat_server(lambda messages: "job")
    answer = ask(endpoint_of(server))
    assert set(server.requests[0]) == PLAIN
    assert (answer.text, answer.samples, answer.structured, answer.thought) == ("job", None, False, None)
    assert (answer.prompt_tokens, answer.completion_tokens) == (100, 7)


def test_several_answers_are_drawn_in_one_request(chat_server):
    server = chat_server(numbered())
    answer = ask(endpoint_of(server), sampling=Sampling(0.7, 3, 5))
    (request,) = server.requests
    assert (request["n"], request["seed"], request["temperature"]) == (3, 5, 0.7)
    assert answer.samples == ["answer 0", "answer 1", "answer 2"]
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("answer 0", 100, 21)


def test_a_server_without_n_is_asked_several_times_with_other_seeds(chat_server):
    server = chat_server(numbered())
    server.refuses = {"n"}
    endpoint = endpoint_of(server)
    answer = ask(endpoint, sampling=Sampling(0.7, 3, 5))
    assert [(request.get("n"), request["seed"]) for request in server.requests] == [
        *[(3, 5), (None, 5), (None, 6), (None, 7)],
    ]
    assert answer.samples == ["answer 0", "answer 1", "answer 2"]
    assert (answer.prompt_tokens, answer.completion_tokens) == (300, 21)


def test_a_server_that_answers_once_whatever_it_is_asked_for_is_asked_for_the_rest(chat_server):
    server = chat_server(numbered())
    body = b'{"choices": [{"message": {"content": "first"}, "finish_reason": "stop"}]}'
    server.script = [(200, body)]
    assert ask(endpoint_of(server), sampling=Sampling(0.7, 3, 0)).samples == ["first", "answer 0", "answer 1"]
    assert [request["seed"] for request in server.requests] == [0, 1]


def test_the_schema_is_sent_in_an_object_and_the_answer_taken_out_of_it(chat_server):
    server = chat_server(lambda messages: '{"answer": "job"}')
    answer = ask(endpoint_of(server), schema=SCHEMA)
    assert server.requests[0]["response_format"] == WRAPPED
    assert (answer.text, answer.structured) == ("job", True)


@pytest.mark.parametrize(
    ("written", "text", "structured"),
    [
        # A server that does not mind the schema, which has labels only.
        ('{"answer": [{"text": "Zürich", "type": "place"}]}', '[{"text": "Zürich", "type": "place"}]', False),
        ('<think>hm</think>\n{"answer": "job"}', "job", True),
        ("job", "job", False),
        ('{"label": "job"}', '{"label": "job"}', False),
        ('{"answer": "jo', '{"answer": "jo', False),
        ('{"answer": "job", "why": "x"}', '{"answer": "job", "why": "x"}', False),
    ],
)
def test_an_answer_is_taken_out_of_its_object_only_if_it_is_in_one(chat_server, written, text, structured):
    server = chat_server(lambda messages: written)
    answer = ask(endpoint_of(server), schema=SCHEMA)
    assert (answer.text, answer.structured) == (text, structured)


def test_what_a_model_thought_before_a_structured_answer_is_kept_apart(chat_server):
    server = chat_server(lambda messages: '<think>hm</think>{"answer": "job"}')
    assert ask(endpoint_of(server), schema=SCHEMA).thought == "hm"


def test_a_server_that_refuses_schemas_is_asked_without_once(chat_server, caplog):
    server = chat_server(lambda messages: "job")
    server.refuses = {"response_format"}
    endpoint = endpoint_of(server)
    first = ask(endpoint, schema=SCHEMA)
    second = ask_on(endpoint, schema=SCHEMA)
    assert [(one.text, one.structured) for one in (first, second)] == [("job", False)] * 2
    # The first query once more, with its demonstrations in the form of the task.
    assert ["response_format" in request for request in server.requests] == [True, False, False, False]
    answers = [[turn["content"] for turn in one["messages"] if turn["role"] == "assistant"] for one in server.requests]
    assert answers[0] == answers[1] == ['{"answer": "home"}']
    assert answers[2] == answers[3] == ["home"]
    assert "is asked without response_format, as it says: status 400: Unknown field 'response_format'" in caplog.text


def test_a_prompt_that_is_refused_says_nothing_of_schemas(chat_server):
    server = chat_server(lambda messages: '{"answer": "job"}')
    endpoint = endpoint_of(server)
    server.script = [(400, b'{"error": "too long"}')] * 2
    assert ask(endpoint, schema=SCHEMA).problem == "refused"
    assert ask_on(endpoint, schema=SCHEMA).structured
    # From now on it is known that schemas are taken: a refusal is about the prompt.
    server.script = [(400, b'{"error": "too long"}')]
    assert ask_on(endpoint, schema=SCHEMA).problem == "refused"
    assert ["response_format" in request for request in server.requests] == [True, False, True, True]


def test_many_requests_at_once_find_out_only_once(chat_server):
    server = chat_server(lambda messages: "job")
    server.refuses = {"response_format"}
    endpoint = endpoint_of(server, concurrency=8)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ask_on(endpoint, schema=SCHEMA), range(24)))
    assert {answer.text for answer in answers} == {"job"}
    assert sum("response_format" in request for request in server.requests) == 1


def test_models_that_count_tokens_by_another_name_are_asked_so(chat_server, caplog):
    server = chat_server(lambda messages: "job")
    server.refuses = {"max_tokens"}
    endpoint = endpoint_of(server)
    assert [ask(endpoint).text, ask_on(endpoint).text] == ["job", "job"]
    assert [request.get("max_completion_tokens") for request in server.requests] == [None, 8, 8]


def test_thinking_is_passed_on_and_has_tokens_of_its_own(chat_server):
    server = chat_server(lambda messages: "job")
    ask(endpoint_of(server, reasoning_effort="low", reasoning_budget=100), max_new_tokens=8)
    (request,) = server.requests
    assert (request["reasoning_effort"], request["thinking_token_budget"]) == ("low", 100)
    assert request["chat_template_kwargs"] == {"thinking_budget": 100}
    assert request["max_tokens"] == 108


def test_a_server_that_cannot_think_as_asked_is_an_error(chat_server):
    server = chat_server(lambda messages: "job")
    server.refuses = {"reasoning_effort"}
    with pytest.raises(EndpointError, match=r"does not take reasoning_effort='low' \(status 400: .*\)\. Leave it out"):
        ask(endpoint_of(server, reasoning_effort="low"))


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thoughts_that_come_apart_are_no_part_of_the_answer(chat_server, name):
    server = chat_server(lambda messages: {"content": "job", name: "He works."})
    answer = ask(endpoint_of(server))
    assert (answer.text, answer.thought) == ("job", "He works.")


def test_an_answer_that_ended_in_thoughts_is_cut_off(chat_server):
    server = chat_server(lambda messages: "job")
    body = b"""{"choices": [{"message": {"content": null, "reasoning_content": "Let me"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 9}}}"""
    server.script = [(200, body)]
    answer = ask(endpoint_of(server))
    assert (answer.text, answer.thought, answer.cut_off, answer.reasoning_tokens) == ("", "Let me", True, 9)
