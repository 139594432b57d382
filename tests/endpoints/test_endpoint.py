"""An endpoint on this machine that is slow, overloaded, down, or answers nonsense."""

import json
import socket
import traceback

import pytest

import hf_fewshot
from hf_fewshot.endpoints import client
from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.episodes.episode import Episode
from tests.attacks.faulty_server import FaultyServer
from tests.predicted import predict_in_context
from tests.small_episodes import TEXTS, episodes_of

EPISODES = episodes_of("classification", TEXTS * 8, Episode(("home", "job"), (0, 2), tuple(range(3, 40))))


def label(messages):
    return "job" if "works" in messages[-1]["content"] else "home"


RIGHT = [["job" if "works" in TEXTS[row % 5]["text"] else "home" for row in range(3, 40)]]


def dead_url():
    """Where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


def predict(server, folder=None, **options):
    endpoint = Endpoint(server.url, "some-model", **({"wait": 0.01, "timeout": 20, "max_retries": 3} | options))
    return predict_in_context(endpoint, EPISODES, "classification", output_dir=folder, progress=False)


@pytest.mark.parametrize(("token", "sent"), [(None, None), ("key", "Bearer key")])
def test_the_saved_token_is_not_sent_to_other_servers(chat_server, monkeypatch, token, sent):
    monkeypatch.setenv("HF_TOKEN", "hf_saved")
    server = chat_server(label)
    predict(server, token=token)
    assert {request["key"] for request in server.requests} == {sent}


def test_answers_come_several_at_a_time(chat_server):
    server = chat_server(label)
    server.script = [0.3] * 4
    found = predict(server, concurrency=4, prices=(2.0, 10.0))
    assert found.predictions == RIGHT
    assert server.most_busy == 4
    assert (found.report.prompt_tokens, found.report.completion_tokens) == (3700, 259)
    assert found.report.cost == pytest.approx((3700 * 2 + 259 * 10) / 1e6)
    request = server.requests[0]
    assert request["path"] == "/v1/chat/completions"
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("some-model", 0.0, 64)
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    assert request["messages"][1]["content"] == "home"


@pytest.mark.parametrize(
    "trouble",
    [
        429,
        500,
        503,
        (200, b"not json"),
        (200, b"[1, 2]"),
        (200, b"{}"),
        (200, b'{"choices": []}'),
        (200, b'{"choices": [{"message": {"content": null}}]}'),
        (200, b'{"choices": [{"message": "text"}]}'),
        (200, b"[" * 100_000),
        (200, b"\xff\xfe"),
    ],
    ids=lambda trouble: str(trouble)[:30],
)
def test_passing_trouble_is_overcome(chat_server, trouble):
    server = chat_server(label)
    server.script = [trouble] * 3
    found = predict(server, concurrency=2)
    assert found.predictions == RIGHT
    assert found.report.failed == 0
    assert len(server.requests) == 40


def test_slow_answers_are_asked_for_again(chat_server):
    server = chat_server(label)
    server.script = [3.0, 3.0]
    found = predict(server, concurrency=2, timeout=1.0)
    assert found.predictions == RIGHT
    assert len(server.requests) >= 39


def test_answers_without_counts_and_with_broken_characters_are_taken(chat_server):
    server = chat_server(lambda messages: "\ud83d jobs")
    server.script = [(200, b'{"choices": [{"message": {"content": "job"}}], "usage": {"prompt_tokens": "many"}}')]
    found = predict(server, concurrency=1)
    assert found.predictions[0][:2] == ["job", "<unparsed>"]
    assert found.report.unparsed == 36
    assert found.report.prompt_tokens == 3600


def test_what_fails_is_an_error_and_the_same_call_asks_only_for_it(chat_server, tmp_path):
    server = chat_server(label)
    server.script = [500] * 8
    message = r"2 of 37 queries got no answer \(last: status 500: .*\)\. Answers .* the same command asks only for the"
    with pytest.raises(EndpointError, match=message):
        predict(server, tmp_path, concurrency=1)
    asked = len(server.requests)
    assert asked == 35 + 2 * 4
    again = predict(server, tmp_path, concurrency=1)
    assert again.predictions == RIGHT
    assert (again.report.failed, again.report.refused, again.report.unparsed) == (0, 0, 0)
    assert len(server.requests) == asked + 2
    assert predict(server, tmp_path) == again
    assert len(server.requests) == asked + 2


def test_what_fails_without_a_folder_says_how_to_keep_answers(chat_server):
    server = chat_server(label)
    server.script = [500] * 4
    with pytest.raises(
        EndpointError, match=r"1 of 37 queries got no answer .* Give output_dir to keep the answers that"
    ):
        predict(server, concurrency=1)


def test_few_queries_at_a_dead_endpoint_have_no_predictions(tmp_path):
    # Fewer than may fail in a row.
    few = episodes_of("classification", TEXTS, Episode(("home", "job"), (0, 2), (1, 3, 4)))
    endpoint = Endpoint(dead_url(), "m", max_retries=0, concurrency=2)
    with pytest.raises(EndpointError, match=r"3 of 3 queries got no answer \(last: ConnectError: "):
        predict_in_context(endpoint, few, "classification", output_dir=tmp_path, progress=False)
    assert not list(tmp_path.iterdir())


def test_refused_prompts_are_counted(chat_server, tmp_path, caplog):
    server = chat_server(label)
    server.script = [(400, b'{"error": "the prompt has 9000 tokens, the limit is 8192"}')]
    found = predict(server, tmp_path, concurrency=1)
    assert found.report.refused == 1
    assert found.predictions[0][0] == "<unparsed>"
    assert "refuses a prompt: status 400" in caplog.text
    assert len(server.requests) == 37


@pytest.mark.parametrize(("status", "remedy"), [(401, "The key is wrong"), (404, "Check the address")])
def test_a_wrong_key_or_name_ends_the_run_at_once_and_answers_are_kept(chat_server, tmp_path, status, remedy):
    server = chat_server(label)

    def reply(messages):
        server.script = [status] * 40 if len(server.requests) >= 10 else []
        return label(messages)

    server.reply = reply
    with pytest.raises(EndpointError, match=rf"answers with status {status}: {{}}\. {remedy}"):
        predict(server, tmp_path, concurrency=2)
    kept = len((tmp_path / "predictions-0.jsonl").read_text().splitlines()) - 1
    assert 9 <= kept < 20
    server.reply, server.script = label, []
    assert predict(server, tmp_path, concurrency=2).predictions == RIGHT
    rows = [json.loads(line) for line in (tmp_path / "predictions-0.jsonl").read_text().splitlines()[1:]]
    assert sorted(row["index"] for row in rows) == list(range(37))


def test_an_endpoint_that_is_down_ends_the_run():
    endpoint = Endpoint(dead_url(), "m", wait=0.001, max_retries=2, max_failures=3, concurrency=2)
    with pytest.raises(
        EndpointError, match="failed 3 times in a row, each time after 2 retries, last with ConnectError"
    ):
        predict_in_context(endpoint, EPISODES, "classification", progress=False)


def test_other_tasks_are_generated_and_parsed(chat_server, tagging_episodes):
    server = chat_server(lambda messages: '\n[["oslo", "place"]]\nSentence: and so on')
    found = predict_in_context(Endpoint(server.url), tagging_episodes, "tagging", progress=False)
    assert found.predictions[0] == [["O", "O", "O", "O", "place"], ["O"]]
    assert found.report.unplaced == 3
    assert hf_fewshot.score(tagging_episodes, found.predictions)["n_correct"] == 2


def test_answers_that_were_withheld_are_refused_and_those_that_ran_out_of_tokens_unparsed(chat_server, tmp_path):
    server = chat_server(label)
    ended = '{"choices": [{"finish_reason": "%s", "message": {"role": "assistant", "content": null}}]}'
    server.script = [(200, (ended % reason).encode()) for reason in ("content_filter", "length")]
    found = predict(server, tmp_path, concurrency=1)
    assert (found.report.refused, found.report.unparsed, found.report.failed) == (1, 1, 0)
    assert found.predictions[0][:3] == ["<unparsed>", "<unparsed>", RIGHT[0][2]]
    # Asked again, they would be the same.
    assert predict(server, tmp_path).report == found.report
    assert len(server.requests) == 37


@pytest.fixture
def faulty():
    """An endpoint that answers wrongly as told."""
    with FaultyServer(reply=label) as server:
        yield server


@pytest.mark.parametrize(
    "fault",
    [
        *("endless:", f"endless:{1 << 40}", "gzip:bomb", "gzip:bad", "cut:0.5", "chunks:cut", "chunks:bad", "slow"),
        *(
            "raw:nothing",
            "raw:garbage",
            "raw:half",
            "raw:header",
            "length:abc",
            "length:-5",
            "status:429",
            "redirect:0",
        ),
        *("redirect:1", "redirect:loop", "body:{\\x22choices\\x22: " + "[" * 9000, "ended:stop"),
    ],
)
def test_no_answer_is_read_without_end(fault, faulty, monkeypatch):
    monkeypatch.setattr(client, "MAX_BYTES", 1 << 20)
    faulty.faults = [fault]
    found = predict(faulty, concurrency=1, timeout=0.5 if fault == "slow" else 20)
    assert found.predictions == RIGHT
    assert sum(request["fault"] == fault for request in faulty.requests) == 1


def test_counts_of_tokens_that_are_none_count_nothing(faulty):
    usage = ("true", "-5", "1e3", "9" * 400, '"7"', "null")
    message = '"finish_reason": "stop", "message": {"role": "assistant", "content": "job"}'
    body = '{"choices": [{' + message + '}], "usage": {"prompt_tokens": %s}}'
    faulty.faults = [f"body:{body % count}" for count in usage]
    found = predict(faulty, concurrency=1, prices=(1.0, 1.0))
    assert found.report.prompt_tokens == 31 * 100


SECRETS = ("s3cret-w/ord", "s3cret-w%2Ford", "anna:", "YW5uYTpzM2NyZXQtdy9vcmQ=", "bearer-k3y", "parameter-k3y")


@pytest.mark.parametrize("status", [400, 401, 404, 500])
@pytest.mark.parametrize("kind", ["password", "token", "parameter"])
def test_secrets_that_a_server_echoes_are_in_no_error_log_or_file(kind, status, faulty, tmp_path, caplog):
    url = f"{faulty.url}/v1"
    url = url.replace("http://", "http://anna:s3cret-w%2Ford@") if kind == "password" else url
    url = f"{url}?version=2&subscription=parameter-k3y" if kind == "parameter" else url
    endpoint = Endpoint(
        url, "m", token="bearer-k3y" if kind == "token" else None, wait=0.01, max_retries=0, concurrency=1
    )
    faulty.faults = [f"status:{status}"]
    said = ""
    try:
        predict_in_context(endpoint, EPISODES, "classification", output_dir=tmp_path, progress=False)
    except EndpointError as error:
        said = "".join(traceback.format_exception(error))
    sent = faulty.requests[0]
    assert {
        "password": sent["headers"]["Authorization"] == "Basic YW5uYTpzM2NyZXQtdy9vcmQ=",
        "token": sent["headers"]["Authorization"] == "Bearer bearer-k3y",
        "parameter": sent["path"].endswith("/chat/completions?version=2&subscription=parameter-k3y"),
    }[kind]
    assert (said == "") == (status == 400)
    written = "".join(path.read_text() for path in tmp_path.iterdir())
    shown = said + caplog.text + written + repr(endpoint.destination)
    assert "<redacted>" in said + caplog.text
    assert [secret for secret in SECRETS if secret in shown.replace(url, "")] == []
    assert "\x1b" not in said + caplog.text


@pytest.mark.parametrize("token", [None, "bearer-k3y"])
def test_a_redirect_takes_no_password_or_key_to_another_host(token, faulty):
    user = "" if token else "anna:s3cret@"
    with FaultyServer(reply=label) as other:
        faulty.elsewhere = other.url
        faulty.faults = ["redirect:"]
        endpoint = Endpoint(f"{faulty.url}/v1".replace("//", f"//{user}"), "m", token=token, concurrency=1)
        predict_in_context(endpoint, EPISODES, "classification", progress=False)
        sent = [request["headers"]["Authorization"] for request in (*faulty.requests[:1], *other.requests)]
    assert sent == ["Bearer bearer-k3y" if token else "Basic YW5uYTpzM2NyZXQ=", None]


def test_a_warning_that_a_server_sends_for_the_terminal_is_not_printed(faulty, caplog, capfd):
    faulty.faults = ["header:X-HF-Warning: topic; \u009b2J"]
    assert predict(faulty, concurrency=1).predictions == RIGHT
    printed = capfd.readouterr()
    assert "\u009b" not in caplog.text + printed.out + printed.err


def test_the_url_of_a_server_is_no_model():
    with pytest.raises(
        ValueError, match=r"model='https://<redacted>@host/v1' is the URL of an endpoint\. Give it as url"
    ):
        Endpoint(None, "https://user:password@host/v1")


def test_options_are_checked():
    with pytest.raises(ValueError, match="Give the url of an endpoint, the name of a model, or both"):
        Endpoint(None)
    with pytest.raises(ValueError, match="concurrency must be a whole number of at least 1, but is 0"):
        Endpoint("http://x", concurrency=0)
    with pytest.raises(ValueError, match="concurrency=1001, but at most 1000 requests are sent at a time"):
        Endpoint("http://x", concurrency=1001)
    with pytest.raises(ValueError, match=r"timeout=0, max_retries=5: the first must be above 0"):
        Endpoint("http://x", timeout=0)
    with pytest.raises(ValueError, match=r"url=5, but this option of the endpoint must be"):
        Endpoint(5)


def test_threads_that_fail_after_the_end_do_not_count():
    courier = Endpoint("http://127.0.0.1:9/v1", "m", max_failures=2)._courier
    courier.count(failed=True, problem="x")
    with pytest.raises(EndpointError, match="failed 2 times in a row"):
        courier.count(failed=True, problem="x")
    courier.count(failed=True, problem="x")  # would say 3 times
