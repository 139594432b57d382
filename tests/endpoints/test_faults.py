"""Each way in which a server can answer badly ends in the right count, or in a message that says what to do."""

import datetime
import email.utils
import time

import pytest

from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from tests.asked import ask, ask_on

HTML = b"<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body>...</body></html>"
STREAM = b'data: {"choices": [{"delta": {"content": "jo"}}]}\n\ndata: [DONE]\n\n'
QUOTA = b'{"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}'


def answer_to(server, *script, **options):
    server.script = list(script)
    options = {"wait": 0.001, "max_retries": 1, "timeout": 20, "concurrency": 1, **options}
    return ask(Endpoint(server.url, "some-model", **options))


# What comes as 200 and is no completion: asked again, and failed if it stays so.
UNUSABLE = {
    "HTML": (
        HTML,
        r"an HTML page \(Welcome to nginx!\), so this is not the address of a model\. It often ends in /v1",
    ),
    "half JSON": (b'{"choices": [{"message": {"cont', "JSON that breaks off"),
    "nothing": (b"", "an empty answer"),
    "blanks": (b" \n", "an empty answer"),
    "a stream": (STREAM, "a stream of events, which was not asked for. Turn streaming off at the server"),
    "text": (b"Internal error", "no JSON"),
    "no choices": (b'{"choices": []}', "an answer without any choice"),
    "no text": (b'{"choices": [{"message": {"role": "assistant"}}]}', "an answer without text"),
}


@pytest.mark.parametrize(("body", "said"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_answer_that_is_none_is_asked_for_again_and_then_failed(chat_server, body, said):
    server = chat_server(lambda messages: "job")
    assert answer_to(server, (200, body)).text == "job"
    assert len(server.requests) == 2
    with pytest.raises(EndpointError, match=rf"failed 1 times in a row, each time after 1 retries, .*{said}"):
        answer_to(server, (200, body), (200, body), max_failures=1)


@pytest.mark.parametrize("body", [body for body, _ in UNUSABLE.values()], ids=UNUSABLE)
def test_a_few_answers_that_are_none_are_counted(chat_server, body):
    server = chat_server(lambda messages: "job")
    answer = answer_to(server, (200, body), (200, body))
    assert (answer.problem, answer.text) == ("failed", None)


ENDS = {
    401: "The key is wrong, or there is none. Give the name of the environment variable that holds it: "
    "token_env=NAME.",
    402: "Nothing is left to pay with. Add credit there, or take another server.",
    403: "The key may not use this model. Ask for access to it, or give another key or model.",
    404: "Check the address, which often ends in /v1, and the model's name.",
    405: "Check its address, the model's name and the key.",
    451: "Check its address, the model's name and the key.",
}


@pytest.mark.parametrize("status", ENDS)
def test_a_status_that_stays_ends_the_run_at_once_and_says_what_to_do(chat_server, status):
    server = chat_server(lambda messages: "job")
    body = b'{"error": {"message": "It is so."}}'
    with pytest.raises(EndpointError) as caught:
        answer_to(server, (status, body))
    assert str(caught.value) == f"The endpoint {server.url} answers with status {status}: It is so. {ENDS[status]}"
    assert len(server.requests) == 1


def test_a_quota_that_is_used_up_is_not_waited_for(chat_server):
    server = chat_server(lambda messages: "job")
    with pytest.raises(EndpointError, match=r"status 429: You exceeded .* quota\. Nothing is left to pay with"):
        answer_to(server, (429, QUOTA, {"Retry-After": "1"}))
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_prompt_that_is_not_taken_is_refused_and_not_asked_again(chat_server, status, caplog):
    server = chat_server(lambda messages: "job")
    answer = answer_to(server, (status, b'{"detail": "The prompt is too long."}'))
    assert (answer.problem, answer.reason) == ("refused", f"status {status}: The prompt is too long")
    assert len(server.requests) == 1
    assert "refuses a prompt: status" in caplog.text


def test_a_server_that_refuses_whatever_it_is_asked_ends_the_run(chat_server):
    """Some say so of a model that they do not have."""
    server = chat_server(lambda messages: "job")
    endpoint = Endpoint(server.url, "some-model", max_failures=3)
    server.script = [(400, b'{"detail": "No such model"}')] * 9
    assert [ask(endpoint).problem, ask_on(endpoint).problem] == ["refused", "refused"]
    with pytest.raises(
        EndpointError, match=r"refuses every prompt, 3 so far, the last with status 400: No such model\. C"
    ):
        ask_on(endpoint)


def test_a_server_that_has_answered_may_refuse_many_prompts(chat_server):
    server = chat_server(lambda messages: "job")
    endpoint = Endpoint(server.url, "some-model", max_failures=3)
    assert ask(endpoint).text == "job"
    server.script = [413] * 9
    assert {ask_on(endpoint).problem for _ in range(9)} == {"refused"}


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_status_that_passes_is_waited_for(chat_server, status):
    server = chat_server(lambda messages: "job")
    assert answer_to(server, (status, HTML)).text == "job"
    answer = answer_to(server, (status, HTML), (status, HTML))
    assert (answer.problem, answer.reason) == ("failed", f"status {status}: Welcome to nginx!")


def in_two_seconds():
    when = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=2)
    return email.utils.format_datetime(when, usegmt=True)


@pytest.mark.parametrize("says", [lambda: "1", in_two_seconds], ids=["seconds", "date"])
def test_what_a_server_asks_to_wait_is_waited_by_all(chat_server, says):
    server = chat_server(lambda messages: "job")
    begin = time.monotonic()
    assert answer_to(server, (429, b"{}", {"Retry-After": says()})).text == "job"
    assert time.monotonic() - begin >= 0.9


@pytest.mark.parametrize("says", ["", "soon", "-5", "\u00b2".encode().decode("latin-1"), "Wed, 99 Foo 2026"])
def test_a_wait_that_cannot_be_read_is_none(chat_server, says):
    server = chat_server(lambda messages: "job")
    assert answer_to(server, (429, b"{}", {"Retry-After": says})).text == "job"


def test_a_server_that_asks_for_an_hour_is_left_alone(chat_server):
    server = chat_server(lambda messages: "job")
    with pytest.raises(EndpointError, match="It asks to wait for 3,600 seconds: come back then"):
        answer_to(server, (429, b'{"error": "Daily limit"}', {"Retry-After": "3600"}))


def test_another_models_name_is_told_once(chat_server, caplog):
    server = chat_server(lambda messages: "job")
    server.model = "another-one"
    endpoint = Endpoint(server.url, "some-model")
    assert [ask(endpoint).text, ask_on(endpoint).text] == ["job", "job"]
    told = [record.message for record in caplog.records if "answers as" in record.message]
    assert len(told) == 1
    assert "was asked for 'some-model', but answers as 'another-one'. If that is another model" in told[0]


@pytest.mark.parametrize("called", ["some-model-2026-08-06", "org/Some-Model", "/models/some-model.Q4.gguf"])
def test_a_version_or_file_of_the_model_is_no_other(chat_server, caplog, called):
    server = chat_server(lambda messages: "job")
    server.model = called
    assert answer_to(server).text == "job"
    assert "answers as" not in caplog.text
