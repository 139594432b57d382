import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

import hf_fewshot
from hf_fewshot.cli import main
from hf_fewshot.cli.main import parser
from hf_fewshot.service.limits import Limits
from tests.fake_learner import FakeLearner

TOKEN = "a-token-of-32-characters-or-more"


@pytest.fixture
def serve(start):
    """Starts the command on a free port; the process and where it serves."""
    started = []

    def begin(*arguments):
        process = start("serve_script.py", "my-intents", "--port", "0", *arguments)
        started.append(process)
        line = process.stdout.readline()
        found = re.fullmatch(r"Serving my-intents on (http://127\.0\.0\.1:\d+) \(see \1/docs\)\. .*\n", line)
        assert found, line + process.stderr.read()
        return process, found[1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM])
def test_a_model_is_served_until_a_signal_ends_it(serve, ended_by):
    process, url = serve("--allow-examples", "--max-texts", "2")
    with httpx.Client(base_url=url, transport=httpx.HTTPTransport(retries=5)) as client:
        assert client.get("/health").json() == {"status": "ready"}
        assert client.post("/predict", json={"inputs": "no 0.5"}).json()["answers"] == [{"label": "no", "score": 0.5}]
        assert client.post("/predict", json={"inputs": ["a"] * 3}).status_code == 413
        examples = [{"text": "a", "label": "maybe"}]
        assert client.post("/examples", json={"examples": examples}).json()["classes"] == ["yes", "no", "maybe"]
        assert client.get("/model").json()["model"] == "my-intents"
    process.send_signal(ended_by)
    output, log = process.communicate(timeout=30)
    assert process.returncode == 0, log
    assert output == "Ended after 5 requests.\n"
    assert re.search(r"INFO [0-9a-f]{32} POST /predict 413 \d", log)
    assert "Traceback" not in log


def test_a_token_comes_from_the_environment_and_is_nowhere_shown(serve, monkeypatch):
    monkeypatch.setenv("SERVICE_TOKEN", TOKEN)
    process, url = serve("--token-env", "SERVICE_TOKEN")
    with httpx.Client(base_url=url, transport=httpx.HTTPTransport(retries=5)) as client:
        assert client.get("/model").status_code == 401
        assert client.get("/model", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    process.terminate()
    output, log = process.communicate(timeout=30)
    assert process.returncode == 0
    assert TOKEN not in output + log


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setattr(hf_fewshot, "FewShotLearner", FakeLearner, raising=False)
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")  # the command sets it for its own process


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["m", "--port", "65536"], "Expected a port from 0 to 65535, got 65536."),
        (["m", "--port", "-1"], "Expected a port from 0 to 65535, got -1."),
        (["m", "--threads", "0"], "Expected --threads of 1 or more, got 0."),
        (["m", "--max-texts", "0"], "Expected a number above 0 as the limit 'texts', got 0."),
        (["m", "--max-seconds", "nan"], "Expected a number above 0 as the limit 'seconds', got nan."),
        (["m", "--max-queue", "10"], "A queue of 10 has never room for a request with 256 texts."),
        (["m", "--token-env", "NO_SUCH"], "Expected a token in the environment variable NO_SUCH, got none."),
        (["m", "--token-env", "STRANGE"], "variable STRANGE, got one that no header can hold."),
        (["nothing", "--port", "0"], "Expected the folder of a learner, got 'nothing'."),
        (["m", "--host", "192.0.2.1"], "192.0.2.1:8000: Cannot assign requested address. Give another --host"),
    ],
)
def test_what_cannot_be_is_said(fake, arguments, said, capsys, monkeypatch):
    monkeypatch.setenv("STRANGE", "two words")
    assert main(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "two words" not in error


def test_a_port_that_is_taken_is_said_before_anything_is_loaded(fake, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert main(["serve", "nothing", "--port", str(taken)]) == 2
    assert f"127.0.0.1:{taken}: Address already in use. Give another --host or --port." in capsys.readouterr().err


def test_a_host_that_nobody_knows_is_said(fake, capsys):
    assert main(["serve", "m", "--host", "no.such.host.invalid"]) == 2
    assert capsys.readouterr().err.startswith("hf-fewshot: ")


def test_without_the_extra_it_is_said_what_to_install(monkeypatch, capsys):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "fastapi" else find(name))
    assert main(["serve", "m"]) == 2
    assert capsys.readouterr().err == "hf-fewshot: serve needs fastapi: pip install 'hf_fewshot[serve]'.\n"


def test_the_command_line_needs_neither_framework_nor_torch_to_know_its_options():
    code = (
        "import sys; from hf_fewshot.cli.main import parser; parser(); "
        "print([m for m in ('torch', 'fastapi', 'uvicorn', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout == "[]\n"


def test_the_service_is_imported_before_torch_which_reads_how_its_threads_wait():
    code = "import sys, hf_fewshot.service.application, hf_fewshot.web.server; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout == "False\n"


def test_limits_that_are_not_given_are_the_usual_ones():
    options = parser().parse_args(["serve", "m"])
    usual = Limits()
    names = [name.removeprefix("max_") for name in vars(options) if name.startswith("max_")]
    assert len(names) == 6
    assert [getattr(options, f"max_{name}") for name in names] == [getattr(usual, name) for name in names]
