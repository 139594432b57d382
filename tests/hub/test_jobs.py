"""Recipes as jobs of the stand-in Hub, which really runs them."""

import json
import re
import sys
from dataclasses import replace

import pytest

from hf_fewshot import registry
from hf_fewshot.cli import main
from hf_fewshot.launching.uv_script import python_version
from hf_fewshot.runs.folder import read_records
from tests.hub.client import WRITE

RECIPE = """
benchmark: fewrel
split: validation
data: {sample: true, n_way: 3, shots: 1, n_episodes: 4, nota_rate: 0.5}
draws: {seed: [0, 1]}
systems:
  Frozen: {method: proto, model: me/encoder}
  Own: {method: eager}
"""
OWN = """
import os

from hf_fewshot.registry import register_system
from hf_fewshot.systems.system import System
from own_answers import answers


class Eager(System):
    zero_shot = True

    @classmethod
    def fit(cls, work):
        if work.data.options["seed"] == 1:
            raise ValueError(f"Draw 1 is not for me, says {os.environ.get('PASSPHRASE', 'nobody')}.")
        return cls()

    def predict(self, episodes, setup):
        return answers(episodes)


register_system("eager", "own:Eager", tasks=("relation",))
"""
ANSWERS = """
def answers(episodes):
    return episodes.kind.baseline_predictions("one_class", episodes)
"""
PHRASE = "open sesame"
ASKED = ("recipe.yaml", "--import", "own")
JOBS = ("--launcher", "jobs", "--repo", "me/results", "--package", "hf_fewshot==0.1.0")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A current folder with a recipe and a system of one's own, which is forgotten afterwards."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr("hf_fewshot.cli.launched.SECONDS", 0.2)
    (folder / "recipe.yaml").write_text(RECIPE)
    (folder / "own.py").write_text(OWN)
    (folder / "own_answers.py").write_text(ANSWERS)
    before = dict(registry.SYSTEMS)
    yield folder
    for name in ("own", "own_answers"):
        sys.modules.pop(name, None)
    registry.SYSTEMS.clear()
    registry.SYSTEMS.update(before)


@pytest.fixture
def command(online, place, capsys):
    """Runs one of our commands: its exit code and what it printed."""

    def call(*words):
        code = main(list(words))
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


def put_model(hub, encoder):
    """A tiny encoder as a model of the Hub."""
    hub.storage.create("models/me/encoder", private=False)
    files = {path.name: path.read_bytes() for path in encoder.iterdir() if path.suffix != ".safetensors"}
    large = {path.name: hub.storage.add_blob(path.read_bytes()) for path in encoder.glob("*.safetensors")}
    hub.storage.commit("models/me/encoder", files, large, [], "add")


def states(command):
    """State and reason of each run."""
    _, printed = command("status", *ASKED, "--json")
    return [(one["state"], one["reason"]) for one in json.loads(printed.splitlines()[0])]


def ended(hub):
    for thread in hub.jobs.threads:
        thread.join(60)


def without_circumstances(records):
    """Records as they would be on any machine at any time."""
    plain = [replace(one, started="", seconds={}, command="", environment={}) for one in records]
    return {record.run.name: record for record in plain}


@pytest.mark.timeout(600)
def test_a_recipe_runs_as_jobs_and_comes_back_with_the_records_of_a_local_run(
    command, place, hub, encoder, monkeypatch
):
    put_model(hub, encoder)
    monkeypatch.setenv("PASSPHRASE", PHRASE)
    launched = (*ASKED, *JOBS, "--runs-per-job", "4", "--secret", "PASSPHRASE", "--flavor", "t4-small")

    code, printed = command("run", *launched, "--timeout", "90m")
    assert code == 0, printed
    assert "4 runs would be submitted as 1 job:\n  0: fewrel_n_way=3_shots=1_Frozen_seed=0_" in printed
    assert printed.endswith(
        f"Image: ghcr.io/astral-sh/uv:python{python_version()}-bookworm; package: hf_fewshot==0.1.0.\n"
        "Secrets: HF_TOKEN, PASSPHRASE. Files: own.py, own_answers.py, recipe.yaml.\n"
        "Results: dataset repository me/results.\n"
        "Hardware: t4-small (4 vCPU, 15 GB, 1 x Nvidia T4 16 GB), 0.60 USD an hour.\n"
        "Estimate: none, no run of the same kind is finished here.\n"
        "At most: 0.90 USD, 1 x 90m (--timeout) of t4-small.\n"
        "Nothing was submitted: these jobs have a price. Give --yes to submit them.\n"
    )
    assert not hub.jobs.known

    code, printed = command("run", *launched, "--yes", "--wait")
    assert code == 1, printed
    assert "Submitted 4 of 4 runs as 1 job, 000000000000000000000001 (0 done, 0 submitted before)" in printed
    assert printed.count(" of 4] fewrel_n_way=3_shots=1_") == 4
    assert "1 of 4 runs failed:\n  fewrel_n_way=3_shots=1_Own_seed=0_" in printed
    assert "Draw 1 is not for me, says <redacted>." in printed
    assert [one[0] for one in states(command)] == ["done", "done", "done", "failed"]
    (failed,) = (place / "results").glob("*/error.txt")
    assert "Draw 1 is not for me" in (failed.parent / "job.log").read_text()
    # The rest is what would be submitted now.
    assert "1 runs would be submitted as 1 job:\n" in command("run", *launched)[1]

    names = [path.parent.name for path in (place / "results").glob("*/record.json")]
    assert command("run", *ASKED, "--only", *names, "--output", "local")[0] == 0
    far, here = (without_circumstances(read_records(place / one)) for one in ("results", "local"))
    assert len(here) == 3
    assert far == here
    for name in names:
        predicted = [(place / one / name / "predictions.jsonl").read_bytes() for one in ("results", "local")]
        assert predicted[0] == predicted[1]

    code, printed = command("pull", "me/results", "--output", "again", "--only", names[0])
    assert (code, printed) == (0, f"{names[0]}\n1 runs are new in again, 0 were there.\n")
    (place / "again" / names[0] / "record.json").write_text("{}")
    code, printed = command("pull", "me/results", "--output", "again")
    assert code == 1
    assert "2 runs are new in again, 0 were there.\n" in printed
    assert "holds another record of this run than me/results; it is kept." in printed
    assert (place / "again" / names[0] / "record.json").read_text() == "{}"

    # Where secrets are: in the field of that name, in one request.
    (job,) = hub.jobs.known.values()
    assert job.asked["secrets"] == {"HF_TOKEN": WRITE, "PASSPHRASE": PHRASE}
    for secret in (WRITE, PHRASE):
        assert [path for path, body in hub.bodies if secret.encode() in body] == ["/api/jobs/me"]
        files = [path for folder in (place, hub.storage.folder) for path in folder.rglob("*") if path.is_file()]
        ours = [path for path in files if path.name != "log.txt"]  # of the job itself, which only its owner sees
        assert len(ours) > 20
        assert [path for path in ours if secret.encode() in path.read_bytes()] == []
    assert {one: job.asked[one] for one in ("command", "flavor", "timeoutSeconds")} == {
        "command": ["uv", "run", "/submission/job.py", "0"],
        "flavor": "t4-small",
        "timeoutSeconds": 3600,
    }


def test_jobs_beyond_what_may_run_at_once_are_submitted_later_and_waiting_ones_are_cancelled(command, place, hub):
    hub.jobs.hold()
    launched = (*ASKED, *JOBS, "--at-once", "1", "--yes", "--model", "all-MiniLM-L6-v2")
    code, printed = command("run", *launched)
    assert code == 0, printed
    assert (
        "Submitted 1 of 4 runs as 1 job, 000000000000000000000001 (0 done, 0 submitted before, 3 to be submitted when "
        "others have ended: --wait, or the same command again)"
    ) in printed
    assert "Nothing to submit: of 4 runs, 0 done, 1 submitted before, 3 to be" in command("run", *launched)[1]
    asked = (*ASKED, "--model", "all-MiniLM-L6-v2")
    assert "4 runs: 1 waiting, 3 missing.\n" in command("status", *asked)[1]
    assert "Cancelled the jobs of 1 runs." in command("cancel", *asked)[1]
    assert "Nothing to cancel" in command("cancel", *asked)[1]
    assert [job.stage for job in hub.jobs.known.values()] == ["CANCELED"]
    code, printed = command("status", *asked)
    assert code == 1
    assert "\n    cancelled\n" in printed


def test_a_job_that_dies_before_it_can_say_anything_is_known_by_its_last_words(command, hub):
    hub.jobs.dies = "Resolving\nerror: No solution found when resolving script dependencies\n"
    code, printed = command("run", *ASKED, *JOBS, "--runs-per-job", "2", "--yes", "--model", "all-MiniLM-L6-v2")
    assert code == 0, printed
    ended(hub)
    code, printed = command("status", *ASKED, "--model", "all-MiniLM-L6-v2")
    assert code == 1
    said = "error; its log ends with: error: No solution found when resolving script dependencies\n"
    assert printed.count(said) == 4


def test_if_one_job_cannot_be_paid_for_none_is_left(command, place, hub):
    hub.jobs.hold()
    hub.jobs.limit = 2
    code, printed = command("run", *ASKED, *JOBS, "--yes", "--model", "all-MiniLM-L6-v2")
    assert code == 1
    assert "Pre-paid credit balance is insufficient" in printed
    assert [job.stage for job in hub.jobs.known.values()] == ["CANCELED", "CANCELED"]
    assert list((place / "results" / "jobs").glob("hf-fewshot*")) == []


def test_a_job_finds_its_environment_and_files_in_the_repository(command, hub, place):
    hub.jobs.hold()
    wheel = place / "hf_fewshot-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    words = [*JOBS[:-1], wheel.name, "--namespace", "me", "--keep-models", "--model", "all-MiniLM-L6-v2"]
    code, printed = command("run", *ASKED, *words, "--yes", "--runs-per-job", "3", "--seeds", "4")
    assert code == 0, printed
    (volume,) = {json.dumps(job.asked["volumes"]) for job in hub.jobs.known.values()}
    (volume,) = json.loads(volume)
    name = volume["path"]
    assert re.fullmatch(r"jobs/hf-fewshot-\d{8}T\d{6}\.\d{6}Z", name)
    files = hub.storage.files("datasets/me/results")
    assert {path.removeprefix(f"{name}/") for path in files} - {".gitattributes"} == {
        *("job.py", "plan.json", wheel.name),
        *("files/own.py", "files/own_answers.py", "files/recipe.yaml"),
    }
    assert hub.storage.repo("datasets/me/results")["private"] is True
    script = hub.storage.content("datasets/me/results", f"{name}/job.py").decode()
    extras = "hf_fewshot\\[embedded(,tuning)?\\]"
    assert re.search(rf'#   "{extras} @ file:///submission/hf_fewshot-0.1.0-py3-none-any.whl",\n', script)
    assert '#   "torch==2.13.0",\n' in script
    plan = json.loads(hub.storage.content("datasets/me/results", f"{name}/plan.json"))
    assert [len(runs) for runs in plan.pop("jobs")] == [3, 1]
    assert plan == {
        "name": name.removeprefix("jobs/"),
        "command": ["run", "recipe.yaml", "--import", "own", "--model", "all-MiniLM-L6-v2", "--seeds", "4"],
        "repository": "me/results",
        "secrets": ["HF_TOKEN"],
        "models": True,
    }
