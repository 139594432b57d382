"""Where an operation is below an address, and what a client does not follow."""

import pytest

from hf_fewshot.endpoints.client import Client
from tests.attacks.faulty_server import FaultyServer


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://host", "http://host/v1/completions"),
        ("http://host:8000/v1", "http://host:8000/v1/completions"),
        ("http://host/v1/", "http://host/v1/completions"),
        ("https://host/v1beta/openai/", "https://host/v1beta/openai/completions"),
        ("https://host/v1/chat/completions", "https://host/v1/completions"),
        ("https://host/v1?api-version=2", "https://host/v1/completions?api-version=2"),
    ],
)
def test_an_operation_is_below_the_address(url, asked):
    assert str(Client(url, {}, 1.0, 1)._at("/completions")) == asked


def test_tokens_are_asked_for_beside_the_api():
    assert str(Client("http://host/at/v1", {}, 1.0, 1)._at("/tokenize")) == "http://host/at/tokenize"
    assert str(Client("http://host", {}, 1.0, 1)._at("/tokenize")) == "http://host/tokenize"


def test_a_redirect_that_would_lose_the_question_is_not_followed():
    with FaultyServer() as server:
        server.faults = ["moved:http://elsewhere/v1"]
        with pytest.raises(
            ValueError, match=r"it redirects to http://elsewhere/v1, without what was asked\. Give that"
        ):
            Client(server.url, {}, 5.0, 1).post("/chat/completions", {"messages": []})
