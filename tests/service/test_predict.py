"""What requests are answered, and what of them is refused and why."""

import json

import httpx
import pytest

from tests.fake_learner import FakeLearner
from tests.running_service import running_service, wait_until

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def service():
    with running_service(FakeLearner("yes", "no"), body=2000, texts=3, characters=50, nearest=5) as running:
        yield running


def test_one_query_gives_a_list_of_one_answer(service):
    response = service.predict("no 0.25")
    assert response.status_code == 200
    assert response.json() == {"answers": [{"label": "no", "score": 0.25}]}


def test_answers_have_the_order_of_the_queries(service):
    answers = service.predict(["no 0.1", "yes 0.2", "no 0.3"]).json()["answers"]
    assert [(one["label"], one["score"]) for one in answers] == [("no", 0.1), ("yes", 0.2), ("no", 0.3)]


def test_the_nearest_examples_are_given_if_asked_for(service):
    assert service.predict("yes", nearest=2).json() == {"answers": [{"label": "yes", "score": 1.0, "nearest": []}]}


@pytest.mark.parametrize(
    ("body", "status", "expected", "got", "remedy"),
    [
        ({}, 422, "inputs: Field required", "nothing", "See /docs"),
        ({"inputs": []}, 422, "inputs: a text, or a list of at least one", "[]", "See /docs"),
        ({"inputs": 3}, 422, "inputs: a text, or an object with a text and its parts", "3", "See /docs"),
        ({"inputs": ["a", None]}, 422, "an object with a text and its parts (in place 1)", "['a', None]", "See"),
        ({"inputs": "a", "nearest": "1"}, 422, "nearest: Input should be a valid integer", "'1'", "See /docs"),
        ({"inputs": "a", "nearest": True}, 422, "nearest: Input should be a valid integer", "True", "See /docs"),
        ({"inputs": "a", "nearest": -1}, 422, "nearest: Input should be greater than or equal", "-1", "See"),
        ({"inputs": "a", "nearest": 6}, 422, "nearest: at most 5", "6", "Ask for fewer."),
        ({"inputs": "a", "texts": "b"}, 422, "texts: Extra inputs are not permitted", "'b'", "See /docs"),
        (["a"], 422, "the body: Input should be a valid dictionary", "['a']", "See /docs"),
        ({"inputs": ["a", " "]}, 422, "inputs.1: a query of the task 'classification'", "' '", "Send one."),
        ({"inputs": {"text": "a"}}, 422, "inputs.0: a query of the task", "{'text': 'a'}", "Send one."),
        ({"inputs": ["a"] * 4}, 413, "inputs: at most 3 in a request", "4", "several requests"),
        ({"inputs": ["a", "b" * 51]}, 413, "inputs.1: at most 50 characters", "51", "Cut it into parts."),
        ({"inputs": {"text": "a" * 40, "head": [1] * 7}}, 413, "inputs.0: at most 50 characters", "55", "Cut"),
        ({"inputs": "a" * 2000}, 413, "at most 2,000 bytes", "2,013 bytes", "Send less at once."),
    ],
)
def test_what_is_malformed_or_too_large_is_refused_with_a_reason(service, body, status, expected, got, remedy):
    response = service.post("/predict", body)
    error = response.json()["error"]
    assert response.status_code == status
    assert expected in error["expected"]
    assert error["got"] == got
    assert remedy in error["remedy"]
    assert error["request_id"] == response.headers["X-Request-ID"]


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (b'{"inputs": "a"', "delimiter"),
        (b"", None),
        (b'{"inputs": "a", "nearest": NaN}', "NaN is no number that JSON has."),
        (b'{"inputs": "a", "nearest": 1e999}', "The number 1e999 is too large."),
        (b'{"inputs": "a", "inputs": "b"}', "The key 'inputs' comes twice in one object."),
        (b"[" * 1500, "It is nested more than 200 deep."),
        (b"[" * 700 + b"]" * 700, "It is nested more than 200 deep."),
        (b'{"inputs": "\\ud800"}', "is half a character."),
        (b'{"inputs": "\xff"}', "codec can't decode"),
        (b'{"inputs": ' + b"1" * 1900 + b"}", None),
    ],
    ids=["cut", "empty", "nan", "infinite", "twice", "open", "deep", "half", "bytes", "number"],
)
def test_what_is_no_json_of_one_meaning_is_refused(service, content, remedy):
    response = httpx.post(f"{service.url}/predict", content=content, headers=JSON)
    assert response.status_code == 422
    assert remedy is None or remedy in response.json()["error"]["remedy"]


def test_the_longest_number_of_a_body_is_no_bug():
    with running_service(FakeLearner()) as running:
        body = b'{"inputs": "a", "nearest": ' + b"1" * 5000 + b"}"
        response = httpx.post(f"{running.url}/predict", content=body, headers=JSON)
        assert response.status_code == 422
        assert response.json()["error"]["expected"] == "a body in JSON"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/json-seq", ""])
def test_a_page_of_another_site_cannot_send_json_as_something_else(service, kind):
    response = httpx.post(f"{service.url}/predict", content=b'{"inputs": "a"}', headers={"Content-Type": kind})
    assert response.status_code == 415
    assert response.json()["error"]["expected"] == "the content type application/json"
    assert response.json()["error"]["got"] == repr(kind)


def test_the_character_set_may_be_named(service):
    headers = {"Content-Type": "application/json; charset=utf-8"}
    response = httpx.post(f"{service.url}/predict", content=b'{"inputs": "a"}', headers=headers)
    assert response.status_code == 200


def test_a_body_of_unknown_length_is_read_up_to_the_limit(service):
    def parts():
        for _ in range(100):
            yield b" " * 1000

    response = httpx.post(f"{service.url}/predict", content=parts(), headers=JSON)
    assert response.status_code == 413
    assert response.json()["error"]["got"] == "more"
    whole = httpx.post(f"{service.url}/predict", content=iter([b'{"inputs"', b': "no"}']), headers=JSON)
    assert whole.json() == {"answers": [{"label": "no", "score": 1.0}]}


def test_the_service_goes_on_after_a_body_of_a_hundred_megabytes(service):
    def parts():
        for _ in range(100):
            yield b" " * 2**20

    headers = {**JSON, "Content-Length": str(100 * 2**20)}
    try:
        status = httpx.post(f"{service.url}/predict", content=parts(), headers=headers).status_code
    except httpx.TransportError:  # the connection was closed while the rest was on its way
        status = 413
    assert status == 413
    assert service.predict("no").status_code == 200


def test_a_request_id_is_taken_if_it_is_sane_and_else_made(service):
    def answered(name):
        return httpx.get(f"{service.url}/health", headers={"X-Request-ID": name}).headers["X-Request-ID"]

    assert answered("order-7.b_2") == "order-7.b_2"
    for strange in ("", "a b", "a" * 65, '"<script>"', "ä".encode()):
        assert len(answered(strange)) == 32
    assert answered("") != answered("")


def test_an_error_of_the_model_is_a_500_that_the_log_explains(service, caplog):
    response = service.predict("!")
    assert response.status_code == 500
    assert "Traceback" not in response.text
    assert "cannot answer" not in response.text
    error = response.json()["error"]
    assert error["got"] == "RuntimeError"
    wait_until(lambda: f"{error['request_id']} failed" in caplog.messages)
    assert "the model cannot answer this" in caplog.text
    assert service.predict("no").status_code == 200


def test_a_score_that_is_no_number_is_an_error_and_no_broken_json(service):
    response = service.predict("no nan")
    assert response.status_code == 500
    assert json.loads(response.text)["error"]["got"] == "ValueError"


def test_the_log_has_a_line_per_request_without_strange_characters(service, caplog):
    caplog.set_level("INFO", "hf_fewshot.service")
    httpx.get(f"{service.url}/a%0Ab%1b[31m", headers={"X-Request-ID": "one"})
    (line,) = [one for one in caplog.messages if one.startswith("one ")]
    assert line.startswith(r"one GET /a\nb\x1b[31m 404 ")
