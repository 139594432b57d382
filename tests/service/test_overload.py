"""More than a service can do: what is refused, given up and answered at the end, and that nothing is lost."""

import socket
import time
from collections import Counter

import httpx
import pytest

from tests.fake_learner import FakeLearner
from tests.running_service import running_service, wait_until


def test_a_full_queue_refuses_with_429_and_when_to_come_again(threads):
    learner = FakeLearner()
    learner.running.clear()
    with running_service(learner, queue=4, texts=4) as service:
        first = threads.submit(service.predict, "first")
        assert learner.at_work.wait(20)
        waiting = threads.submit(service.predict, ["a", "b", "c"])
        wait_until(lambda: service.service.worker.waiting == (1, 3))
        refused = service.predict(["d", "e"])
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "1"
        error = refused.json()["error"]
        assert error["expected"] == "room for 2 in a queue of 4"
        assert error["got"] == "3 that wait"
        last = threads.submit(service.predict, "f")  # for which there is room
        wait_until(lambda: service.counts()["hf_fewshot_queue_texts"] == 4)
        assert service.counts()["hf_fewshot_queue_requests"] == 2
        learner.running.set()
        assert [one.result().status_code for one in (first, waiting, last)] == [200, 200, 200]
    assert learner.calls == [["first"], ["a", "b", "c", "f"]]


def test_the_time_to_come_again_follows_from_the_times_so_far(threads):
    learner = FakeLearner()
    learner.running.clear()
    with running_service(learner, queue=4, texts=4) as service:
        service.service.measures.batches.add(10)
        service.service.measures.model_seconds = 6.0
        first = threads.submit(service.predict, "first")
        assert learner.at_work.wait(20)
        waiting = threads.submit(service.predict, ["a", "b", "c", "d"])
        wait_until(lambda: service.service.worker.waiting == (1, 4))
        assert service.predict("e").headers["Retry-After"] == "3"  # 4 x 0.6 s
        learner.running.set()
        assert (first.result().status_code, waiting.result().status_code) == (200, 200)


def test_at_overload_every_request_gets_one_answer_and_the_counts_add_up(threads):
    learner = FakeLearner(seconds=0.03)
    with running_service(learner, queue=8, texts=4, batch=4) as service:
        responses = list(threads.map(lambda number: service.predict([f"no {number}"] * 2), range(400)))
        found = Counter(one.status_code for one in responses)
        assert set(found) == {200, 429}
        assert min(found.values()) > 0
        assert found.total() == 400
        for number, response in enumerate(responses):
            if response.status_code == 200:
                assert response.json()["answers"] == [{"label": "no", "score": float(number)}] * 2
        assert service.statuses() == dict(found)
        counts = service.counts()
        assert counts["hf_fewshot_texts_total"] == 2 * found[200]
        assert counts["hf_fewshot_request_seconds_count"] == found[200]
        assert service.predict("yes").status_code == 200
    assert sum(map(len, learner.calls)) == 2 * found[200] + 1


def test_a_request_that_waits_too_long_is_given_up_and_never_begun(threads):
    learner = FakeLearner()
    learner.running.clear()
    with running_service(learner, seconds=1.0) as service:
        begun = threads.submit(service.predict, "begun")
        assert learner.at_work.wait(20)
        response = service.predict("late")
        assert response.status_code == 504
        assert "1 s, in which it was waiting for others; it was not begun" in response.json()["error"]["got"]
        assert begun.result().status_code == 504
        assert "at work; it may still be done" in begun.result().json()["error"]["got"]
        assert service.service.worker.waiting == (0, 0)
        learner.running.set()
        wait_until(lambda: service.predict("next").status_code == 200)
    assert learner.calls[:2] == [["begun"], ["next"]]


def test_the_queries_of_a_client_that_has_gone_are_dropped(threads):
    learner = FakeLearner()
    learner.running.clear()
    with running_service(learner) as service:
        first = threads.submit(service.predict, "first")
        assert learner.at_work.wait(20)
        with pytest.raises(httpx.ReadTimeout, match="timed out"):
            httpx.post(f"{service.url}/predict", json={"inputs": "gone"}, timeout=0.3)
        wait_until(lambda: service.service.worker.waiting == (0, 0))
        learner.running.set()
        assert first.result().status_code == 200
        assert service.statuses() == {200: 1, 499: 1}
    assert learner.calls == [["first"]]


def listens(url):
    try:
        slow_client(url, "").close()
    except ConnectionRefusedError:
        return False
    return True


def slow_client(url, text):
    """A connection on which the beginning of a request was sent."""
    address = httpx.URL(url)
    connection = socket.create_connection((address.host, address.port), timeout=20)
    connection.sendall(text.encode())
    return connection


def test_a_client_that_sends_slowly_is_given_up_and_holds_nobody():
    head = "POST /predict HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    with running_service(FakeLearner(), seconds=1.0) as service, slow_client(service.url, head + '{"inputs"') as slow:
        assert service.client.get("/health").status_code == 200
        response = ""
        while not response.endswith("}}"):
            response += slow.recv(10_000).decode()
        assert response.startswith("HTTP/1.1 408 ")
        assert "a body that was not complete after 1 s" in response
        assert service.statuses() == {408: 1}


def test_connections_that_say_nothing_hold_nobody():
    with running_service(FakeLearner()) as service:
        silent = [slow_client(service.url, "GET /hea") for _ in range(50)]
        assert service.predict("yes").status_code == 200
        for connection in silent:
            connection.close()


def test_what_is_no_http_is_refused():
    with running_service(FakeLearner()) as service, slow_client(service.url, "\x16\x03\x01\x02\r\n\r\n") as strange:
        assert strange.recv(100).startswith(b"HTTP/1.1 400 ")
        assert service.predict("yes").status_code == 200


def test_at_the_end_what_waits_is_answered_and_nothing_more_is_taken(threads):
    learner = FakeLearner()
    with running_service(learner, batch=1) as service:
        learner.running.clear()
        first = threads.submit(service.predict, "no 0")
        assert learner.at_work.wait(20)
        waiting = [threads.submit(service.predict, f"no {number}") for number in range(1, 10)]
        wait_until(lambda: service.service.worker.waiting == (9, 9))
        ended = threads.submit(service.end)
        wait_until(lambda: not listens(service.url))
        learner.running.set()
        scores = [one.result().json()["answers"][0]["score"] for one in (first, *waiting)]
        ended.result()
    assert scores == [float(number) for number in range(10)]
    assert not service.service.worker.is_ready


def test_a_model_that_hangs_does_not_keep_the_service_from_ending(threads):
    learner = FakeLearner()
    with running_service(learner, seconds=0.3) as service:
        learner.running.clear()
        hanging = threads.submit(service.predict, "hanging")
        assert learner.at_work.wait(20)
        began = time.monotonic()
        service.end()
        assert time.monotonic() - began < 20
        assert hanging.result().status_code == 504
    learner.running.set()
