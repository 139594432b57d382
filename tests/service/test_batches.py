"""Requests that come at the same time: batches, order, examples in between."""

from tests.fake_learner import FakeLearner
from tests.running_service import running_service, wait_until


def held(service, learner, threads):
    """Holds the learner at a first request, so that others must wait; the future of its response."""
    learner.running.clear()
    first = threads.submit(service.predict, "first")
    assert learner.at_work.wait(20)
    return first


def queued(service, threads, *requests, **options):
    """Sends requests one after the other into the queue; the futures of their responses."""
    futures = []
    for inputs in requests:
        before = service.service.worker.waiting[0]
        futures.append(threads.submit(service.predict, inputs, **options))
        wait_until(lambda before=before: service.service.worker.waiting[0] == before + 1)
    return futures


def test_what_waits_is_answered_in_one_call_and_everyone_gets_their_own(threads):
    learner = FakeLearner()
    with running_service(learner) as service:
        held(service, learner, threads)
        responses = queued(service, threads, "no 1", ["yes 2", "no 3"], "no 4")
        assert service.service.worker.waiting == (3, 4)
        learner.running.set()
        scores = [[one["score"] for one in future.result().json()["answers"]] for future in responses]
        assert scores == [[1.0], [2.0, 3.0], [4.0]]
        assert learner.calls == [["first"], ["no 1", "yes 2", "no 3", "no 4"]]
        counts = service.counts()
    assert counts["hf_fewshot_texts_total"] == 5
    assert counts['hf_fewshot_batch_texts_bucket{le="1"}'] == 1
    assert counts['hf_fewshot_batch_texts_bucket{le="4"}'] == 2
    assert counts["hf_fewshot_queue_texts"] == 0


def test_a_batch_is_bounded_in_queries_and_requests_are_not_divided(threads):
    learner = FakeLearner()
    with running_service(learner, batch=3) as service:
        held(service, learner, threads)
        responses = queued(service, threads, ["a", "b"], "c", "d", ["e"] * 5, "f")
        learner.running.set()
        assert [future.result().status_code for future in responses] == [200] * 5
    assert learner.calls == [["first"], ["a", "b", "c"], ["d"], ["e"] * 5, ["f"]]


def test_a_batch_is_bounded_in_characters(threads):
    learner = FakeLearner()
    with running_service(learner, batch_characters=10) as service:
        held(service, learner, threads)
        responses = queued(service, threads, "a" * 6, "b" * 4, "c", "d" * 20)
        learner.running.set()
        assert [future.result().status_code for future in responses] == [200] * 4
    assert [[len(query) for query in call] for call in learner.calls] == [[5], [6, 4], [1], [20]]


def test_requests_that_want_other_numbers_of_examples_are_answered_apart(threads):
    learner = FakeLearner()
    learner.examples = [{"text": "x", "label": "yes"}, {"text": "y", "label": "no"}]
    with running_service(learner) as service:
        held(service, learner, threads)
        plain, with_one, again = (
            queued(service, threads, text, nearest=nearest)[0] for text, nearest in (("a", 0), ("b", 1), ("c", 0))
        )
        learner.running.set()
        assert plain.result().json()["answers"] == [{"label": "yes", "score": 1.0}]
        assert again.result().json() == plain.result().json()
        assert [one["text"] for one in with_one.result().json()["answers"][0]["nearest"]] == ["x"]
    assert learner.calls == [["first"], ["a", "c"], ["b"]]


def test_a_query_that_breaks_the_model_fails_alone(threads):
    learner = FakeLearner()
    with running_service(learner) as service:
        held(service, learner, threads)
        responses = queued(service, threads, "no 1", ["yes", "!"], "no 2")
        learner.running.set()
        assert [future.result().status_code for future in responses] == [200, 500, 200]
        assert responses[2].result().json()["answers"] == [{"label": "no", "score": 2.0}]
        assert service.counts()["hf_fewshot_texts_total"] == 3


def test_a_malformed_query_never_joins_the_queue(threads):
    learner = FakeLearner()
    with running_service(learner) as service:
        first = held(service, learner, threads)
        assert service.predict(["good", ""]).status_code == 422
        assert service.service.worker.waiting == (0, 0)
        learner.running.set()
        assert first.result().status_code == 200
    assert learner.calls == [["first"]]


def test_many_clients_get_each_their_own_answers(threads):
    learner = FakeLearner(seconds=0.02)
    with running_service(learner) as service:
        inputs = [[f"no {number}.{place}" for place in range(1 + number % 4)] for number in range(300)]
        responses = list(threads.map(service.predict, inputs))
        given = [[f"no {answer['score']}" for answer in one.json()["answers"]] for one in responses]
        assert given == [[f"no {float(text.split()[1])}" for text in texts] for texts in inputs]
        assert service.statuses() == {200: 300}
        assert service.counts()["hf_fewshot_texts_total"] == sum(map(len, inputs))
    assert len(learner.calls) < 250  # batches


def test_examples_are_added_between_batches_in_the_order_of_requests(threads):
    learner = FakeLearner("yes")
    with running_service(learner, allow_examples=True) as service:
        held(service, learner, threads)
        (before,) = queued(service, threads, "maybe")
        added = threads.submit(service.post, "/examples", {"examples": [{"text": "a", "label": "maybe"}]})
        wait_until(lambda: service.service.worker.waiting[0] == 2)
        (after,) = queued(service, threads, "maybe")
        learner.running.set()
        assert before.result().json()["answers"][0]["label"] == "yes"
        assert added.result().json() == {"added": 1, "classes": ["yes", "maybe"]}
        assert after.result().json()["answers"][0]["label"] == "maybe"
        assert service.counts()["hf_fewshot_examples_total"] == 1


def test_examples_are_added_while_others_ask(threads):
    """The learner fails if two threads are inside of it."""
    learner = FakeLearner("yes", seconds=0.001)
    with running_service(learner, allow_examples=True) as service:
        asked = [threads.submit(service.predict, f"class{number % 20}") for number in range(150)]
        rows = [{"examples": [{"text": "a", "label": f"class{number}"}]} for number in range(20)]
        added = [threads.submit(service.post, "/examples", row) for row in rows]
        assert {future.result().status_code for future in (*asked, *added)} == {200}
        final = service.predict([f"class{number}" for number in range(20)]).json()["answers"]
    assert [one["label"] for one in final] == [f"class{number}" for number in range(20)]


def test_examples_are_refused_unless_allowed_and_if_malformed():
    row = {"text": "a", "label": "yes"}
    with running_service(FakeLearner()) as service:
        refused = service.post("/examples", {"examples": [row]})
        assert refused.status_code == 403
        assert refused.json()["error"]["remedy"] == "Start the service with --allow-examples."
    learner = FakeLearner()
    with running_service(learner, allow_examples=True, texts=2) as service:
        malformed = service.post("/examples", {"examples": [row, {"text": "b"}]})
        assert malformed.status_code == 422
        assert malformed.json()["error"]["remedy"] == "Expected text and label, got ['text']."
        assert service.post("/examples", {"examples": []}).status_code == 422
        assert service.post("/examples", {"examples": ["a"]}).status_code == 422
        assert service.post("/examples", {"examples": [row] * 3}).status_code == 413
        assert service.counts()["hf_fewshot_examples_total"] == 0
    assert learner.examples == []
