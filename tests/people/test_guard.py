"""Who may ask at all: from which pages, by which names of the machine, with which key."""

import httpx
import pytest

from hf_fewshot.people.guard import HEADERS

KEY = "a-key-of-24-characters-or"


def test_every_response_has_the_headers_that_keep_others_out(served):
    with served() as running:
        for path in ("/", "/annotate.css", "/annotate.js", "/api/study", "/nothing"):
            headers = httpx.get(running.url + path).headers
            assert {name: headers[name] for name in HEADERS} == HEADERS
            assert "server" not in headers
        assert HEADERS["Content-Security-Policy"].startswith(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
        )


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[::1"])
def test_another_name_of_this_machine_is_refused(served, host):
    with served() as running:
        refused = httpx.get(f"{running.url}/api/study", headers={"Host": host})
        assert refused.status_code in (400, 403)
        assert "title" not in refused.text


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_names_of_this_machine_alone_are_taken(served, host):
    with served() as running:
        assert httpx.get(f"{running.url}/api/study", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost:1", "http://["])
def test_pages_of_others_are_refused(served, origin):
    with served() as running:
        refused = httpx.post(f"{running.url}/api/annotators", json={"name": "a"}, headers={"Origin": origin})
        assert (refused.status_code, refused.json()["error"]["expected"]) == (403, "a request of the page itself")
        assert running.study.taken == {}
        own = {"Origin": running.url}
        assert httpx.post(f"{running.url}/api/annotators", json={"name": "a"}, headers=own).status_code == 201


def test_forms_of_pages_of_others_are_refused(served):
    with served() as running:
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            refused = httpx.post(
                f"{running.url}/api/annotators", content=b'{"name": "a"}', headers={"Content-Type": kind}
            )
            assert refused.status_code == 415
        twice = b'{"name": "a", "name": "b"}'
        refused = httpx.post(
            f"{running.url}/api/annotators", content=twice, headers={"Content-Type": "application/json"}
        )
        assert refused.status_code == 422
        assert running.study.taken == {}


def test_with_a_key_every_request_must_bring_it(served):
    with served(key=KEY) as running:
        for path in ("/", "/annotate.js", "/api/study", "/nothing"):
            for given in ({}, {"X-Access-Key": KEY[:-1]}, {"Cookie": f"access_key={KEY}x"}, {"X-Access-Key": "é"}):
                headers = {name: value.encode("latin-1") for name, value in given.items()}
                refused = httpx.get(running.url + path, headers=headers)
                assert refused.status_code == 401, (path, given)
                assert refused.json()["error"]["remedy"] == "Open the link that the server printed."
        assert httpx.get(f"{running.url}/api/study", headers={"X-Access-Key": KEY}).status_code == 200
        assert httpx.get(f"{running.url}/api/study?key={KEY}", headers={"Host": "10.0.0.7:8000"}).status_code == 200
        # The page gets a cookie, by which its other files come.
        page = httpx.get(f"{running.url}/?key={KEY}")
        cookie = page.headers["set-cookie"]
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        assert httpx.get(f"{running.url}/annotate.js", cookies=page.cookies).status_code == 200


def test_without_a_key_nothing_is_left_with_the_browser(served):
    with served() as running:
        assert "set-cookie" not in httpx.get(running.url).headers
