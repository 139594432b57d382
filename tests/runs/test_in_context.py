"""Runs of language models behind endpoints that fail, refuse, or are told a password."""

import json

import pytest

from hf_fewshot.cli.main import main
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run
from tests.attacks.faulty_server import FaultyServer

FEWREL = {"n_way": 3, "shots": 1, "n_query": 1, "n_episodes": 2, "sample": True}


@pytest.fixture
def server():
    """An endpoint that finds none of the relations, after it has misbehaved as told."""
    with FaultyServer(reply=lambda messages: "none of the above") as started:
        yield started


def run_at(url):
    options = {"endpoint": f"{url}/v1", "max_retries": 0, "concurrency": 1, "nota": True}
    return Run("fewrel", "in_context", None, FEWREL, "validation", model="m", options=options)


def command_at(url, folder):
    data = [
        "--n-way",
        "3",
        "--shots",
        "1",
        "--n-episodes",
        "2",
        "-o",
        "n_query=1",
        "--sample",
        "--split",
        "validation",
    ]
    options = [f"endpoint={url}/v1", "max_retries=0", "concurrency=1", "nota=true"]
    pairs = [word for option in options for word in ("--method-option", option)]
    words = ["run", "--benchmark", "fewrel", *data, "--method", "in_context", "--model", "m", *pairs]
    return [*words, "--output", str(folder)]


def test_there_is_no_record_while_queries_have_failed_and_only_they_are_asked_for_again(server, tmp_path):
    run = run_at(server.url)
    folder = tmp_path / run.name
    server.faults = ["status:503"] * 6
    with pytest.raises(EndpointError, match=r"6 of 6 queries got no answer .* same command asks only for the missing"):
        execute(run, tmp_path, progress=False)
    server.faults = ["right", "status:503", "right", "right", "raw:nothing"]
    with pytest.raises(EndpointError, match=r"2 of 6 queries got no answer .* same command asks only for the missing"):
        execute(run, tmp_path, progress=False)
    assert not (folder / "record.json").exists()
    assert not (folder / "predictions.jsonl").exists()
    assert len(server.requests) == 12
    record = execute(run, tmp_path, progress=False)
    assert len(server.requests) == 14
    assert record.answers == {
        **{"n_queries": 6, "unparsed": 0, "unplaced": 0, "too_long": 0, "refused": 0, "shortened": 0, "dropped": 0},
        **{"loosely_read": 0, "structured": 0, "cut_off": 0, "thinking": 0, "cut_off_thinking": 0},
        **{"prompt_tokens": 600, "completion_tokens": 42, "reasoning_tokens": 0},
    }
    assert execute(run, tmp_path, progress=False) == record
    assert len(server.requests) == 14


def test_what_was_refused_or_not_parsed_is_counted_in_the_record(server, tmp_path):
    server.faults = ["status:400", "text:what?", "ended:length", "status:422", "right"]
    run = run_at(server.url)
    record = execute(run, tmp_path, progress=False)
    written = json.loads((tmp_path / run.name / "record.json").read_text())["answers"]
    assert (written["n_queries"], written["refused"], written["unparsed"]) == (6, 2, 2)
    assert record.answers == written
    lines = (tmp_path / run.name / "predictions.jsonl").read_text().splitlines()
    predictions = [one for line in lines[1:] for one in json.loads(line)["predictions"]]
    assert predictions == ["<unparsed>"] * 4 + ["NOTA"] * 2
    # None is right: of four relations that were named, none is; the other two are none of the above.
    assert (record.scores["f1"], record.scores["accuracy"]) == (0, 0)
    assert (record.scores["n_correct"], record.scores["n_predictions"], record.scores["n_references"]) == (0, 4, 6)


def test_predictions_with_queries_that_were_refused_can_be_scored_again(server, tmp_path, capsys):
    server.faults = ["status:400", "text:what?"]
    run = run_at(server.url)
    record = execute(run, tmp_path, progress=False)
    assert main(["score", str(tmp_path / run.name / "predictions.jsonl"), "--json"]) == 0
    (scored,) = json.loads(capsys.readouterr().out)
    assert scored["scores"] == record.scores


def test_a_command_whose_endpoint_failed_ends_with_a_sentence_and_the_same_one_finishes(server, tmp_path, capsys):
    server.faults = ["status:500"] * 2
    assert main(command_at(server.url, tmp_path)) == 1
    said = capsys.readouterr().err
    assert "2 of 6 queries got no answer (last: status 500: " in said
    assert "Answers that came are kept: the same command asks only for the missing ones." in said
    assert "Traceback" not in said
    assert not list(tmp_path.rglob("record.json"))
    assert main(command_at(server.url, tmp_path)) == 0
    assert len(server.requests) == 8
    assert len(list(tmp_path.rglob("record.json"))) == 1


@pytest.mark.parametrize("fault", ["right", "status:400", "status:401", "status:500"])
def test_a_password_in_the_address_is_sent_and_stands_nowhere(fault, server, tmp_path, capsys, caplog):
    url = server.url.replace("http://", "http://anna:s3cret%2Dword@")
    main([*command_at(url, tmp_path), "--dry-run"])
    server.faults = [fault]
    code = main(command_at(url, tmp_path))
    assert code == (1 if fault in ("status:401", "status:500") else 0)
    assert server.requests[0]["headers"]["Authorization"] == "Basic YW5uYTpzM2NyZXQtd29yZA=="
    main(["report", str(tmp_path), "--output", str(tmp_path / "report.html")]) if code == 0 else None
    printed = capsys.readouterr()
    files = {path.name: path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file()}
    assert code or {"record.json", "predictions.jsonl", "report.html"} <= set(files)
    shown = {"output": printed.out, "errors": printed.err, "log": caplog.text, **files}
    secrets = ("s3cret", "anna:", "YW5uYTpz")
    assert [name for name, text in shown.items() if any(secret in text for secret in secrets)] == []
