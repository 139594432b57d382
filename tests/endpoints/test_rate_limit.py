"""Requests and tokens a minute, on a clock of the test's own."""

import pytest

from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.rate_limit import RateLimit
from tests.asked import ask


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_without_limits_nobody_waits(clock):
    limit = RateLimit(None, None, clock)
    assert [limit.reserve(10_000) for _ in range(5)] == [0] * 5


def test_requests_are_spread_over_the_minute(clock):
    limit = RateLimit(30, None, clock)
    assert [limit.reserve(1) for _ in range(4)] == [0, 2, 4, 6]
    clock.now += 7
    assert limit.reserve(1) == 1
    clock.now += 60
    assert limit.reserve(1) == 0


def test_tokens_are_spread_over_the_minute_and_corrected_when_they_are_known(clock):
    limit = RateLimit(None, 600, clock)
    assert limit.reserve(100) == 0
    assert limit.reserve(50) == 10
    limit.correct(-20)
    assert limit.reserve(0) == 13
    limit.correct(70)
    assert limit.reserve(0) == 20


def test_the_stricter_limit_counts(clock):
    limit = RateLimit(60, 600, clock)
    assert limit.reserve(100) == 0
    assert limit.reserve(1) == 10
    assert limit.reserve(1) == 11


def test_all_are_held_for_as_long_as_a_server_asks(clock):
    limit = RateLimit(None, None, clock)
    limit.hold(5)
    limit.hold(3)
    assert [limit.reserve(1), limit.reserve(1)] == [5, 5]
    clock.now += 5
    assert limit.reserve(1) == 0


def test_an_endpoint_reserves_what_a_request_may_take_and_corrects_it(chat_server, monkeypatch):
    server = chat_server(lambda messages: "job")
    endpoint = Endpoint(server.url, "m", tokens_per_minute=1e9)
    calls = []
    limit = endpoint._courier._limit
    monkeypatch.setattr(limit, "reserve", lambda tokens: calls.append(tokens) or 0.0)
    monkeypatch.setattr(limit, "correct", calls.append)
    ask(endpoint, "q" * 400, max_new_tokens=50)
    # 449 characters of three messages are about 112 tokens; the server counts 107 with its answer.
    assert calls == [112 + 50, 107 - 162]
