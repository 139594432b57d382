"""When the Hub refuses, is busy or cannot be reached; and where tokens never stand."""

import json

import pytest
from huggingface_hub import constants

from hf_fewshot.hub import HubError, push_run
from tests.hub.client import OTHER, READ, WRITE
from tests.hub.stand_in import Fault

# The client itself uploads large files in a way that its HTTP library has outgrown.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")

PUSH = "from hf_fewshot.hub import push_run; print(push_run('results', 'me/m'{}))"


def test_offline_is_an_error_that_says_so(results):
    with pytest.raises(HubError, match=r"^me/m cannot be reached: HF_HUB_OFFLINE is set\. Unset it, or give dry_run"):
        push_run(results, "me/m")


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (None, r"^The Hub does not accept the token for me/m \(401: Invalid username or password\."),
        ("hf_nobody", r"^The Hub does not accept the token for me/m \(401: Invalid credentials"),
        (READ, r"^The token may not write to me/m \(403: You don't have the rights"),
        (OTHER, r"^The token may not write to me/m \(403: You don't have the rights"),
    ],
)
def test_a_token_without_the_right_to_write_is_an_error_that_says_which_is_needed(
    token, message, online, results, monkeypatch
):
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(HubError, match=message) as caught:
        push_run(results, "me/m", token=token)
    assert "a token with the role 'write'" in str(caught.value)
    assert "https://huggingface.co/settings/tokens" in str(caught.value)
    assert not online.storage.exists("models/me/m")


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (500, r"^The Hub is in trouble \(500: injected\)\. Nothing was committed\."),
        (429, r"^The Hub was asked too often \(429: injected\)\. Wait a few minutes\."),
        (412, r"^me/m was changed by somebody else meanwhile \(412: injected\)\."),
        (400, r"^The Hub refused what was sent to me/m \(400: injected\)\."),
    ],
)
def test_errors_of_the_hub_are_explained(status, message, online, results):
    online.faults.append(Fault("/commit/", status))
    with pytest.raises(HubError, match=message):
        push_run(results, "me/m")
    assert "README.md" not in online.storage.files("models/me/m")


def test_an_upload_that_fails_names_the_file(online, results):
    online.faults.append(Fault("/upload/", 403))
    with pytest.raises(HubError, match=r"^Error while uploading 'model\.safetensors' to the Hub\. The token may not"):
        push_run(results, "me/m")


def test_a_busy_hub_is_asked_again(online, results):
    online.faults += [Fault("/preupload/", 429, headers={"Retry-After": "0"}), Fault("/upload/", 503)]
    push_run(results, "me/m")
    assert "README.md" in online.storage.files("models/me/m")
    assert len(online.asked("/preupload/")) == len(online.asked("/upload/")) == 2


def test_an_unreachable_hub_is_an_error_of_ours(online, results, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(HubError, match=r"^The Hub at http://127\.0\.0\.1:9 cannot be reached \("):
        push_run(results, "me/m")


def test_the_token_stands_nowhere(hub, client, results, tmp_path):
    loud = "import logging; logging.basicConfig(level=logging.DEBUG); "
    hub.faults.append(Fault("/commit/", 400, message=f"you sent {WRITE}"))
    # A server that gives the token away is shown by the HTTP library's own debugging; all else must not repeat it.
    failed = client(PUSH.format(f", token='{WRITE}'"), token=None, check=False)
    assert failed.returncode == 1
    assert "HubError: The Hub refused what was sent to me/m (400: you sent <redacted>)" in failed.stderr
    done = client(loud + PUSH.format(f", token='{WRITE}'"), token=None)
    assert "DEBUG" in done.stderr
    texts = [failed.stdout, failed.stderr, done.stdout, done.stderr]
    assert not [text for text in texts if WRITE in text]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "repo.json" for path in files)
    assert not [path for path in files if WRITE.encode() in path.read_bytes()]


@pytest.mark.parametrize("secret", [WRITE, "hf_" + "x" * 34])
def test_a_record_with_a_token_in_its_command_is_not_uploaded(secret, results, monkeypatch):
    (path,) = [path / "record.json" for path in results.iterdir() if "seed=1" in path.name]
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"command": f"hf-fewshot run --token {secret}"}))
    with pytest.raises(ValueError, match=r"^A token, key or password stands in records/.*seed=1.*/record\.json: "):
        push_run(results, "me/m", dry_run=True)
