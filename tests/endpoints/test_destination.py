"""Where requests go, and which key they carry."""

import logging

import pytest

from hf_fewshot.cli.main import main
from hf_fewshot.endpoints import destination
from hf_fewshot.endpoints.destination import Destination
from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.endpoints.reach import Reach
from tests.asked import ask

SAVED = "hf_" + "savedtoken" * 3
OWN = "k3y-of-my-own-server"


@pytest.fixture(autouse=True)
def saved(monkeypatch):
    """A Hugging Face token that is saved on this machine."""
    monkeypatch.setenv("HF_TOKEN", SAVED)
    monkeypatch.setenv("MY_SERVER_KEY", OWN)


def test_a_key_is_read_from_the_environment_variable_that_is_named(chat_server):
    server = chat_server(lambda messages: "job")
    ask(Endpoint(server.url, "m", token_env="MY_SERVER_KEY"))
    assert server.requests[0]["key"] == f"Bearer {OWN}"


def test_without_a_key_none_is_sent(chat_server):
    server = chat_server(lambda messages: "job")
    ask(Endpoint(server.url, "m"))
    assert server.requests[0]["key"] is None


def test_offline_mode_does_not_touch_an_endpoint(chat_server, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    server = chat_server(lambda messages: "job")
    assert ask(Endpoint(server.url, "m")).text == "job"


def test_a_proxy_does_not_touch_a_server_of_this_machine(chat_server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server = chat_server(lambda messages: "job")
    assert ask(Endpoint(server.url, "m")).text == "job"


def test_providers_are_asked_through_the_router_with_the_saved_token(chat_server, monkeypatch):
    server = chat_server(lambda messages: "job")
    monkeypatch.setattr(destination, "ROUTER", server.url)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    assert ask(Endpoint(None, "org/model", provider="groq")).text == "job"
    assert ask(Endpoint(None, "org/model")).text == "job"
    assert [(one["model"], one["key"], one["path"]) for one in server.requests] == [
        ("org/model:groq", f"Bearer {SAVED}", "/v1/chat/completions"),
        ("org/model", f"Bearer {SAVED}", "/v1/chat/completions"),
    ]


def test_the_router_is_that_of_hugging_face():
    found = Destination.of(Reach(provider="auto"), "org/model")
    assert found.address.url == "https://router.huggingface.co/v1"
    assert SAVED not in repr(found)


def test_offline_mode_is_meant_for_providers(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(EndpointError, match="org/model of Inference Providers is not asked: HF_HUB_OFFLINE is set"):
        ask(Endpoint(None, "org/model", provider="auto"))


@pytest.mark.parametrize(
    ("reach", "model", "message"),
    [
        (
            {"provider": "auto", "token_env": "MY_SERVER_KEY"},
            "m",
            "must be a Hugging Face token, which begins with hf_",
        ),
        ({"provider": "a:b"}, "m", "provider='a:b', but it must be the name of a provider"),
        ({"provider": "auto"}, None, "Inference Providers have many models. Give the name of one"),
        (
            {"endpoint": "http://x", "token_env": "NOT_SET_KEY"},
            "m",
            "NOT_SET_KEY is not set. Run: export NOT_SET_KEY=",
        ),
    ],
)
def test_what_cannot_be_reached_is_refused(reach, model, message):
    with pytest.raises(ValueError, match=message):
        Destination.of(Reach(**reach), model)


def test_without_any_token_providers_ask_to_log_in(monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(ValueError, match=r"need a Hugging Face token\. Run: hf auth login, or give token_env"):
        Destination.of(Reach(provider="auto"), "org/model")


def test_one_key_is_enough():
    with pytest.raises(ValueError, match="Both token and token_env are given"):
        Endpoint("http://x", "m", token="a", token_env="MY_SERVER_KEY")


@pytest.mark.parametrize("given", [OWN, SAVED, "sk-" + "a1" * 20, "", "A B", "1KEY", "key"])
def test_a_key_in_the_place_of_its_name_is_refused_and_not_repeated(given):
    with pytest.raises(ValueError, match="token_env must be the name of an environment variable in capital") as caught:
        Reach(endpoint="http://x", token_env=given)
    assert len(given) < 4 or given not in str(caught.value)


@pytest.mark.parametrize("status", [None, 400, 401, 500])
def test_a_key_of_a_run_stands_nowhere(status, chat_server, tmp_path, capsys, caplog):
    caplog.set_level(logging.DEBUG)
    server = chat_server(lambda messages: "none of the above")
    server.script = [(status, f'{{"error": "Bearer {OWN} was sent"}}'.encode())] if status else []
    words = ["run", "--benchmark", "fewrel", "--n-way", "3", "--shots", "1", "--n-episodes", "2", "-o", "n_query=1"]
    words += ["--sample", "--split", "validation", "--method", "in_context", "--model", "m", "--output", str(tmp_path)]
    options = [f"endpoint={server.url}", "token_env=MY_SERVER_KEY", "max_retries=0", "concurrency=1"]
    code = main([*words, *(word for option in options for word in ("--method-option", option))])
    assert code == (1 if status in (401, 500) else 0)
    assert server.requests[0]["key"] == f"Bearer {OWN}"
    printed = capsys.readouterr()
    files = {path.name: path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file()}
    assert code or "record.json" in files
    shown = {"output": printed.out, "errors": printed.err, "log": caplog.text, **files}
    assert [name for name, text in shown.items() if OWN in text] == []


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("token=secret-value", "Unknown option of method 'in_context' 'token'. Did you mean 'token_env'?"),
        ("max_tokens=5", "Unknown option of method 'in_context' 'max_tokens'. Did you mean 'max_new_tokens'?"),
        ("requests_per_minute=0", "requests_per_minute=0, but it must be above 0. Leave it out for no limit."),
        ("provider=groq", "Both endpoint and provider are given, but a model is asked in one place. Give one."),
        ("token_env=secret-value", "token_env must be the name of an environment variable in capital letters"),
    ],
)
def test_options_that_are_none_end_in_a_sentence(option, message, capsys):
    words = ["run", "--benchmark", "fewrel", "--sample", "--split", "validation", "--method", "in_context", "--model"]
    words += ["m", "--method-option", "endpoint=http://localhost:9/v1", "--method-option", option, "--dry-run"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
    assert "secret-value" not in said
