"""`hf-fewshot demo`: what it says before a page, and who may see the page."""

import socket

import httpx
import pytest

from hf_fewshot.cli import main
from tests.demo.served import served


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["all-MiniLM-L6-v3"], "all-MiniLM-L6-v2"),
        (["bert", "--port", "70000"], "Expected a port from 1 to 65535, got 70000."),
        (
            ["bert", "--config", "inter"],
            "--config is of the data of a benchmark. Name it with --benchmark, or leave it out.",
        ),
        (["bert", "--benchmark", "few_nerds"], "Did you mean 'few_nerd'?"),
        (["bert", "--benchmark", "clues", "-o", "shots=11"], "shots=11, but it must be one of 0, 10, 20, 30."),
    ],
)
def test_mistakes_are_found_before_a_page_is_served(words, message, bert, capsys):
    assert main(["demo", *(str(bert) if word == "bert" else word for word in words)]) == 2
    assert message in capsys.readouterr().err


def test_a_benchmark_whose_task_has_no_tab_is_refused(bert, capsys):
    assert main(["demo", str(bert), "--benchmark", "clues", "-o", "fold=1"]) == 2
    assert "clues is of task 'spans', which cannot be tried here with this model: it does " in capsys.readouterr().err


def test_a_port_that_is_taken_is_said(bert, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["demo", str(bert), "--port", str(port)]) == 2
    assert f"127.0.0.1:{port}: Address already in use. Give another --host or --port." in capsys.readouterr().err


def test_beyond_this_machine_a_word_is_asked_for(bert, project, tmp_path):
    with served(bert, project, tmp_path, "--host", "0.0.0.0") as (url, printed):
        word = printed.splitlines()[1].rpartition(" ")[2]
        assert len(word) == 12
        port = url.rstrip("/").rpartition(":")[2]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
            assert client.get("/config").status_code == 401
            wrong = client.post("/login", data={"username": "demo", "password": "guessed"})
            assert (wrong.status_code, client.get("/config").status_code) == (400, 401)
            assert client.post("/login", data={"username": "demo", "password": word}).status_code == 200
            assert client.get("/config").status_code == 200
