"""How a model behind an endpoint is reached is no part of what a run is."""

import json
import signal
import threading
import time
from dataclasses import fields

import pytest

from hf_fewshot.cli.main import main
from hf_fewshot.endpoints.reach import Reach
from hf_fewshot.registry import REACH, SYSTEMS
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run

DATA = {"n_way": 3, "shots": 1, "n_query": 1, "n_episodes": 4, "sample": True}
OTHERWISE = {
    "endpoint": "http://elsewhere:9/v1",
    "token_env": "SOME_KEY",
    "concurrency": 16,
    "timeout": 5.0,
    "max_retries": 0,
    "max_failures": 3,
    "prices": [1.0, 2.0],
    "requests_per_minute": 100,
    "tokens_per_minute": 1e6,
}


def run_of(model="m", **options):
    return Run("fewrel", "in_context", None, DATA, "validation", model=model, options=options)


def test_the_registry_names_all_options_of_reach():
    assert tuple(one.name for one in fields(Reach)) == REACH == SYSTEMS["in_context"].reached_by
    assert [name for name, entry in SYSTEMS.items() if entry.reached_by] == ["in_context"]


@pytest.mark.parametrize("name", OTHERWISE)
def test_each_of_them_leaves_name_and_cell_as_they_are(name):
    one, other = run_of(endpoint="http://a/v1"), run_of(**{"endpoint": "http://a/v1", name: OTHERWISE[name]})
    assert (one.name, one.cell, one.compared) == (other.name, other.cell, other.compared)
    assert one.shown != other.shown


def test_a_provider_is_an_endpoint_too():
    assert run_of(endpoint="http://a/v1").digest == run_of(provider="auto").digest


def test_what_changes_answers_changes_the_run():
    runs = [
        run_of(),
        run_of(endpoint="http://a/v1"),
        run_of("other", endpoint="http://a/v1"),
        run_of(endpoint="http://a/v1", reasoning_effort="low"),
        run_of(endpoint="http://a/v1", structured=True),
        run_of(None, endpoint="http://a/v1"),
        run_of(None, endpoint="http://b/v1"),
    ]
    assert len({run.digest for run in runs}) == len(runs)


def test_runs_without_an_endpoint_are_called_what_they_were():
    run = Run("fewrel", "proto", None, DATA, "validation", model="all-MiniLM-L6-v2", options={"layers": 4})
    assert run.digest == "98f9c566e3"
    assert run_of(calibration="content_free").digest == "00f8d0c4e3"


def test_an_option_of_that_name_of_another_method_counts():
    one, other = (Run("fewrel", "tuned", model="m", options={"timeout": seconds}) for seconds in (1, 2))
    assert one.digest != other.digest


def test_a_run_that_is_reached_otherwise_is_not_asked_again(chat_server, tmp_path):
    first, second = (chat_server(lambda messages: "none of the above") for _ in range(2))
    record = execute(run_of(endpoint=first.url, concurrency=2), tmp_path, progress=False)
    again = execute(run_of(endpoint=second.url, prices=[1.0, 1.0], timeout=7.0), tmp_path, progress=False)
    assert again == record
    assert (len(first.requests), len(second.requests)) == (12, 0)
    assert record.run.options == {"endpoint": first.url, "concurrency": 2}


def test_answers_that_came_are_gone_on_with_wherever_the_rest_is_asked(chat_server, tmp_path):
    first, second = (chat_server(lambda messages: "none of the above") for _ in range(2))
    first.script = [None] * 7 + [401] * 20
    with pytest.raises(RuntimeError, match="status 401"):
        execute(run_of(endpoint=first.url, concurrency=1), tmp_path, progress=False)
    execute(run_of(endpoint=second.url, concurrency=3), tmp_path, progress=False)
    assert (len(first.answered), len(second.answered)) == (7, 5)
    assert not set(first.answered) & set(second.answered)


def test_a_run_that_is_killed_asks_nothing_twice(chat_server, tmp_path, start):
    """The server counts: after 30 of 60 answers it holds all others back until the run has been killed."""
    asked, killed = [], threading.Event()

    def reply(messages):
        with server.lock:
            asked.append(messages)
            is_held = 30 < len(asked) <= 34
        if is_held:
            killed.wait(200)
        return "none of the above"

    server = chat_server(reply)
    process = start("endpoint_script.py", server.url)
    deadline = time.monotonic() + 120
    while len(server.answered) < 30 or len(asked) < 34:
        assert time.monotonic() < deadline, process.communicate(timeout=1)
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert len(server.answered) == 30
    process = start("endpoint_script.py", server.url)
    errors = process.communicate(timeout=120)[1]
    assert process.returncode == 0, errors
    assert json.loads((tmp_path / "answers.json").read_text())["n_queries"] == 60
    assert len(server.answered) == len(set(server.answered)) == 60
    assert len(server.requests) == 64
    killed.set()


def test_tokens_and_cost_are_printed_at_the_end_and_are_in_the_record(chat_server, tmp_path, capsys):
    server = chat_server(lambda messages: "none of the above")
    server.script = [400, (200, b'{"choices": [{"message": {"content": "what?"}}], "usage": {"prompt_tokens": 50}}')]
    words = ["run", "--benchmark", "fewrel", "--n-way", "3", "--shots", "1", "--n-episodes", "4", "-o", "n_query=1"]
    words += ["--sample", "--split", "validation", "--method", "in_context", "--model", "m", "--output", str(tmp_path)]
    options = [f"endpoint={server.url}", "concurrency=1", "prices=[2.0, 10.0]", "nota=true"]
    words += [word for option in options for word in ("--method-option", option)]
    assert main(words) == 0
    line = "in_context: 12 queries: 1 unparsed, 1 refused; 1,050 prompt tokens, 70 completion tokens; cost 0.0028"
    assert line in capsys.readouterr().out.splitlines()
    assert main([*words, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    (record,) = tmp_path.rglob("record.json")
    assert found["answers"] == json.loads(record.read_text())["answers"]
    assert found["answers"]["cost"] == pytest.approx((1050 * 2 + 70 * 10) / 1e6)
