"""Runs come back from a repository: whole, believed, and never in place of others."""

import json
import shutil

import pytest

from hf_fewshot.cli import main
from hf_fewshot.hub import pull_runs, results_repository
from hf_fewshot.hub.access import HubError
from hf_fewshot.hub.results_repository import ResultsRepository, run_files
from hf_fewshot.runs.failure import note_failure
from hf_fewshot.runs.record import Record
from tests.cards.records import record
from tests.hub.run_folder import write_run
from tests.hub.stand_in import Fault

REPO = "datasets/me/results"


@pytest.fixture
def far(online, results):
    """A repository with the three runs of the folder of results, their models too."""
    ResultsRepository("me/results").create()
    for folder in sorted(results.iterdir()):
        files = {path: place.read_bytes() for path, place in run_files(folder, models=True).items()}
        online.storage.commit(REPO, files, {}, [], "a run")
    return online


def names(results):
    return sorted(path.name for path in results.iterdir())


def put(hub, path, content):
    hub.storage.put(REPO, path, content)


def test_runs_come_as_they_were_and_models_when_they_are_asked_for(far, results, tmp_path):
    here = tmp_path / "here"
    pulled = pull_runs("me/results", here)
    assert (pulled.new, pulled.there, pulled.refused) == (names(results), [], {})
    name = names(results)[0]
    assert sorted(path.name for path in (here / name).iterdir() if path.name != ".lock") == [
        *("browse.jsonl", "predictions.jsonl", "record.json"),
    ]
    for file in ("browse.jsonl", "predictions.jsonl", "record.json"):
        assert (here / name / file).read_bytes() == (results / name / file).read_bytes()
    before = len(far.asked("/resolve/"))
    assert pull_runs("me/results", here).there == names(results)
    assert len(far.asked("/resolve/")) == before
    pulled = pull_runs("me/results", here, only=[name], models=True)
    assert (pulled.new, pulled.there) == ([name], [])
    weights = "model/model.safetensors"
    assert (here / name / weights).read_bytes() == (results / name / weights).read_bytes()
    assert pull_runs("me/results", here, only=[name], models=True).there == [name]


def test_a_run_without_a_record_is_not_there_yet(far, tmp_path):
    put(far, "runs/begun_0123456789/predictions.jsonl", "{}\n")
    pulled = pull_runs("me/results", tmp_path / "here", only=["begun_0123456789"])
    assert pulled == type(pulled)()


def test_a_failure_is_forgotten_when_the_run_came(far, results, tmp_path):
    name = names(results)[0]
    note_failure(tmp_path / "here" / name, "out of memory")
    pull_runs("me/results", tmp_path / "here", only=[name])
    assert not (tmp_path / "here" / name / "error.txt").exists()


def test_records_of_strangers_that_lie_stay_away(far, results, tmp_path):
    first, second, third = names(results)
    content = json.loads((results / first / "record.json").read_text())
    put(
        far,
        f"runs/{first}/record.json",
        json.dumps({**content, "scores": {**content["scores"], content["measure"]: 1.0}}),
    )
    put(far, f"runs/{second}/record.json", json.dumps(content))
    put(far, "runs/other/record.json", json.dumps(content))
    put(far, f"runs/{third}/model/run.py", "print('bang')")
    put(far, f"runs/{third}/.bashrc", "echo bang")
    put(far, f"runs/{third}/model/.hidden.json", "{}")
    put(far, f"runs/{third}/deep/record.json", "{}")
    pulled = pull_runs("me/results", tmp_path / "here", models=True)
    assert pulled.new == [third]
    assert sorted(pulled.refused) == sorted([first, second, "other"])
    assert f"me/results has the record of {first} in runs/{second}." == pulled.refused[second]
    assert f"me/results has the record of {first} in runs/other." == pulled.refused["other"]
    assert "is no record" in pulled.refused[first]
    assert names(tmp_path / "here") == [third]
    came = {path.name for path in (tmp_path / "here" / third).rglob("*")}
    assert {"run.py", ".bashrc", ".hidden.json", "deep"}.isdisjoint(came)


def test_a_record_that_is_here_is_kept_and_the_other_one_named(far, results, tmp_path, capsys):
    name = names(results)[0]
    mine = write_run(tmp_path / "here", record(correct=29, seed=0))
    assert mine.name == name
    assert main(["pull", "me/results", "--output", str(tmp_path / "here")]) == 1
    printed = capsys.readouterr()
    assert f"2 runs are new in {tmp_path / 'here'}, 0 were there.\n" in printed.out
    assert "1 runs were left out:\n" in printed.err
    assert "holds another record of this run than me/results; it is kept. To have the other one, move" in printed.err
    assert Record.read(mine).numerators == record(correct=29, seed=0).numerators


def test_an_interrupted_pull_goes_on(far, results, tmp_path, monkeypatch):
    name = names(results)[0]
    copied = shutil.copyfile

    def interrupted(source, target):
        if "record.json" in str(target):
            raise KeyboardInterrupt
        return copied(source, target)

    monkeypatch.setattr(shutil, "copyfile", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pull_runs("me/results", tmp_path / "here", only=[name])
    left = {path.name for path in (tmp_path / "here" / name).iterdir()}
    assert left - {".lock"} == {"browse.jsonl", "predictions.jsonl"}
    before = len(far.asked("/resolve/"))
    monkeypatch.setattr(shutil, "copyfile", copied)
    assert pull_runs("me/results", tmp_path / "here", only=[name]).new == [name]
    # A look at each file whether it has changed; none is sent again.
    assert {method for method, _ in far.asked("/resolve/")[before:]} == {"HEAD"}


def test_jobs_that_commit_at_once_take_turns(far, monkeypatch):
    monkeypatch.setattr(results_repository, "SECONDS", 0.0)
    far.faults += [Fault("/commit/", 412, times=3)]
    before = len(far.asked("/commit/"))
    ResultsRepository("me/results").upload({"runs/x/predictions.jsonl": b"{}\n"}, "one")
    assert len(far.asked("/commit/")) - before == 4
    assert far.storage.content(REPO, "runs/x/predictions.jsonl") == b"{}\n"


def test_what_the_hub_will_not_take_is_not_tried_again(far, monkeypatch):
    monkeypatch.setattr(results_repository, "SECONDS", 0.0)
    far.faults += [Fault("/commit/", 403, message="no space left in your plan")]
    before = len(far.asked("/commit/"))
    with pytest.raises(HubError, match="no space left in your plan"):
        ResultsRepository("me/results").upload({"runs/x/predictions.jsonl": b"{}\n"}, "one")
    assert len(far.asked("/commit/")) - before == 1


def test_secrets_stay_here(far):
    with pytest.raises(ValueError, match=r"A token, key or password stands in jobs/x/logs/0\.log: nothing is"):
        ResultsRepository("me/results").upload({"jobs/x/logs/0.log": b"hf_" + b"a1" * 20}, "one")


def test_a_repository_that_is_not_there_is_said(online, tmp_path, capsys):
    assert main(["pull", "me/nothing", "--output", str(tmp_path / "here")]) == 1
    assert "The Hub has no me/nothing that this token may see" in capsys.readouterr().err
    with pytest.raises(ValueError, match="Expected a repository such as 'user/results', got 'results'"):
        pull_runs("results", tmp_path)
