"""Paths beside predictions: health, model, metrics, OpenAPI, the page; tokens; what is refused for all of them."""

import re

import httpx
import pytest

from tests.fake_learner import FakeLearner
from tests.running_service import running_service

TOKEN = "a-token-of-32-characters-or-more"


@pytest.fixture(scope="module")
def service():
    with running_service(FakeLearner("a", "b", "c"), allow_examples=True) as running:
        yield running


@pytest.fixture(scope="module")
def guarded():
    with running_service(FakeLearner(), token=TOKEN) as running:
        yield running


def test_health_says_that_requests_are_answered(service):
    response = httpx.get(f"{service.url}/health")
    assert response.status_code == 200
    assert response.json() == {"status": "ready"}


def test_health_says_that_a_worker_is_no_more():
    with running_service(FakeLearner()) as running:
        running.service.worker.close()
        response = httpx.get(f"{running.url}/health")
    assert response.status_code == 503
    assert response.json() == {"status": "ending"}


def test_the_model_is_described(service):
    found = httpx.get(f"{service.url}/model").json()
    assert found["model"] == "fake"
    assert found["task"] == "classification"
    assert found["classes"] == ["a", "b", "c"]
    assert found["columns"] == ["id", "text", "label"]
    assert found["limits"]["texts"] == 256
    assert set(found["versions"]) >= {"hf_fewshot", "torch", "transformers"}
    assert (found["examples_added"], found["allows_examples"]) == (0, True)


def test_metrics_are_text_that_prometheus_reads():
    with running_service(FakeLearner()) as running:
        running.predict(["a", "b"])
        httpx.get(f"{running.url}/strange")
        response = httpx.get(f"{running.url}/metrics")
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]+"(,[a-z]+="[^"\n]+")*\})? [0-9.e+-]+')
    lines = response.text.splitlines()
    assert [line for line in lines if not (line.startswith("# ") or sample.fullmatch(line))] == []
    for line in (
        'hf_fewshot_requests_total{path="/predict",status="200"} 1',
        'hf_fewshot_requests_total{path="other",status="404"} 1',
        "# TYPE hf_fewshot_batch_texts histogram",
        'hf_fewshot_batch_texts_bucket{le="1"} 0',
        'hf_fewshot_batch_texts_bucket{le="2"} 1',
        'hf_fewshot_batch_texts_bucket{le="+Inf"} 1',
        "hf_fewshot_batch_texts_sum 2",
        "hf_fewshot_batch_texts_count 1",
        "hf_fewshot_request_seconds_count 1",
    ):
        assert line in lines


@pytest.mark.parametrize(
    ("method", "path", "status", "expected", "got"),
    [
        ("GET", "/predict", 405, "the method POST", "GET"),
        ("PUT", "/predict", 405, "the method POST", "PUT"),
        ("DELETE", "/model", 405, "the method GET", "DELETE"),
        ("OPTIONS", "/predict", 405, "the method POST", "OPTIONS"),
        ("GET", "/predict/", 404, "a path of this service", "'/predict/'"),
        ("GET", "/../../etc/passwd", 404, "a path of this service", "'/etc/passwd'"),
    ],
)
def test_other_methods_and_paths_are_refused_in_the_same_form(service, method, path, status, expected, got):
    response = httpx.request(method, service.url + path)
    assert response.status_code == status
    error = response.json()["error"]
    assert (error["expected"], error["got"]) == (expected, got)
    assert response.headers["X-Request-ID"] == error["request_id"]


def test_no_other_site_is_allowed_to_read_answers(service):
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    for method in ("OPTIONS", "POST"):
        response = httpx.request(method, f"{service.url}/predict", headers=headers)
        assert not [name for name in response.headers if name.startswith("access-control")]


def test_openapi_describes_every_path_with_its_errors(service):
    found = httpx.get(f"{service.url}/openapi.json").json()
    assert set(found["paths"]) == {"/predict", "/examples", "/model", "/metrics", "/health"}
    predict = found["paths"]["/predict"]["post"]
    assert set(predict["responses"]) == {"200", "408", "413", "415", "422", "429", "500", "504"}
    assert set(found["paths"]["/examples"]["post"]["responses"]) == {*predict["responses"], "403"}
    schemas = found["components"]["schemas"]
    assert set(schemas["PredictRequest"]["properties"]) == {"inputs", "nearest"}
    assert set(schemas["Reason"]["properties"]) == {"expected", "got", "remedy", "request_id"}
    refused = predict["responses"]["422"]["content"]["application/json"]["schema"]
    assert refused == {"$ref": "#/components/schemas/ErrorResponse"}
    assert "HTTPValidationError" not in schemas  # FastAPI's own form of errors, which is never sent
    assert "security" not in predict
    assert all(operation["description"] for path in found["paths"].values() for operation in path.values())


def test_the_page_needs_nothing_from_elsewhere(service):
    response = httpx.get(service.url, follow_redirects=True)
    assert str(response.url) == f"{service.url}/docs"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    assert re.findall(r"https?://|//\w+\.|src=|@import|url\(", response.text) == []


@pytest.mark.parametrize(
    "header",
    [None, "", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer", "Bearer ä".encode()],
)
def test_without_the_token_nothing_is_answered(guarded, header):
    headers = {} if header is None else {"Authorization": header}
    for method, path in (("POST", "/predict"), ("GET", "/model"), ("GET", "/metrics"), ("GET", "/openapi.json")):
        response = httpx.request(method, guarded.url + path, headers=headers)
        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"] == "Bearer"
        assert response.json()["error"]["expected"] == "a token"
        assert TOKEN not in response.text


def test_with_the_token_all_is_answered(guarded):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    response = httpx.post(f"{guarded.url}/predict", json={"inputs": "no"}, headers=headers)
    assert response.json() == {"answers": [{"label": "no", "score": 1.0}]}
    found = httpx.get(f"{guarded.url}/openapi.json", headers=headers).json()
    assert found["paths"]["/predict"]["post"]["security"] == [{"HTTPBearer": []}]
    assert "401" in found["paths"]["/model"]["get"]["responses"]
    assert "security" not in found["paths"]["/health"]["get"]


@pytest.mark.parametrize("path", ["/health", "/docs"])
def test_probes_and_the_page_need_no_token(guarded, path):
    assert httpx.get(guarded.url + path).status_code == 200


@pytest.mark.browser
def test_the_page_lists_paths_and_answers_queries(guarded, chromium):
    def text(name):
        return chromium.find_element("id", name).text

    def shows(name, expected):
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(chromium, 20).until(lambda _: expected in text(name))

    chromium.get(f"{guarded.url}/docs")
    shows("model", "401: expected a token, got none or another.")
    chromium.find_element("id", "token").send_keys(TOKEN)
    chromium.find_element("id", "inputs").send_keys("no 0.5\nyes 0.25")
    shows("model", "fake: classification, 2 classes (yes, no)")
    shows("paths", "POST /predict")
    shows("paths", "nearest: How many examples each answer names as its reason.")
    chromium.find_element("css selector", "button").click()
    shows("answer", '"score": 0.25')
    chromium.find_element("id", "inputs").send_keys('\n{"text": "a"}')
    chromium.find_element("css selector", "button").click()
    shows("answer", "422: expected inputs.2: a query of the task 'classification', got {'text': 'a'}.")
