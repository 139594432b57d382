"""Results as pull requests to models of others, and on the leaderboards of one organisation."""

import shutil

import pytest
import yaml

from hf_fewshot.cli.main import main
from hf_fewshot.hub import HubError, export_benchmark, propose_results, push_folder, push_run
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.folder import read_records
from hf_fewshot.runs.run import Run
from tests.cards.records import record
from tests.hub.client import OTHER
from tests.hub.run_folder import write_run

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")


@pytest.fixture
def model(online):
    """Somebody's model, to which we may not write."""
    online.storage.create("models/you/model", private=False)
    online.storage.put("models/you/model", "README.md", "theirs")
    return "models/you/model"


def test_a_pull_request_is_opened_and_nothing_is_committed(online, model, results):
    head = online.storage.head(model)
    done = propose_results(results, "you/model")
    assert online.storage.head(model) == head
    assert done.url == f"{online.url}/you/model/discussions/1"
    assert str(done).startswith(f"Proposed in {online.url}/you/model/discussions/1 (")
    (proposal,) = online.storage.proposals(model)
    assert proposal["title"] == "Add results of 3 runs with hf_fewshot"
    added = set(proposal["files"]) - {"README.md", ".gitattributes"}
    (board,) = [path for path in added if path.startswith(".eval_results/few_nerd-")]
    assert added - {board} == {f"records/{path.name}/record.json" for path in results.iterdir()}
    assert online.storage.content(model, "README.md") == b"theirs"
    # What is proposed can be read before it is merged.
    assert [one.score for one in read_records("you/model@refs/pr/1")] == [0.6, 0.4, 0.5]


def test_the_command_line_opens_one_and_shows_it_before(online, model, results, capsys):
    command = ["push", str(results), "--repo", "you/model", "--create-pr"]
    assert main([*command, "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Would open a pull request in model you/model (")
    assert "\nDescription:\n\n## few" in shown
    assert online.storage.proposals(model) == []
    assert main(command) == 0
    assert capsys.readouterr().out.startswith(f"Proposed in {online.url}/you/model/discussions/1 (")
    assert len(online.storage.proposals(model)) == 1


@pytest.mark.parametrize("other", ["--dataset", "--public", "--leaderboard"])
def test_a_pull_request_has_nothing_but_results(other, results, capsys):
    assert main(["push", str(results), "--repo", "you/model", "--create-pr", other]) == 2
    assert f"--create-pr proposes results alone, but {other} was given." in capsys.readouterr().err


def test_other_contents_of_others_are_not_replaced_unless_asked_for(online, model, results):
    (first, *_) = sorted(results.iterdir())
    path = f"records/{first.name}/record.json"
    online.storage.put(model, path, "{}")
    with pytest.raises(HubError, match=rf"^you/model has other contents in {path}\. Give overwrite=True to propose"):
        propose_results(results, "you/model")
    propose_results(results, "you/model", overwrite=True)
    assert len(online.storage.proposals(model)) == 1


def test_results_that_are_there_are_not_proposed_again(online, model, results):
    propose_results(results, "you/model")
    files = {
        path: online.storage.blob(one["sha256"]) for path, one in online.storage.proposals(model)[0]["files"].items()
    }
    online.storage.commit(model, files, {}, [], "Merge")
    with pytest.raises(HubError, match=r"^you/model has all of these results already: there is nothing to propose\.$"):
        propose_results(results, "you/model")


def test_there_is_no_pull_request_to_a_repository_that_is_not_there(online, results):
    with pytest.raises(HubError, match=r"^The Hub has no you/none that this token may see"):
        propose_results(results, "you/none")
    assert not online.storage.exists("models/you/none")


def test_a_proposal_with_a_secret_in_it_is_refused(online, model, tmp_path):
    write_run(tmp_path, record(model="http://me:swordfish@localhost/v1"))
    with pytest.raises(ValueError, match=r"^A token, key or password stands in records/.*record\.json: nothing"):
        propose_results(tmp_path, "you/model")
    assert online.storage.proposals(model) == []


def entry(hub, name):
    (one,) = yaml.safe_load(hub.storage.content(name, ".eval_results/few_nerd.yaml"))
    return one["dataset"]


def test_results_belong_to_the_leaderboard_of_one_organisation(online, results, monkeypatch):
    push_run(results, "me/m")
    assert entry(online, "models/me/m")["id"] == "hf-fewshot/few_nerd"
    monkeypatch.setenv("HF_FEWSHOT_ORG", "our-lab")
    push_run(results, "me/m")
    assert entry(online, "models/me/m")["id"] == "our-lab/few_nerd"
    push_run(results, "me/m", datasets={"few_nerd": "you/nerd"})
    assert entry(online, "models/me/m")["id"] == "you/nerd"
    monkeypatch.setenv("HF_FEWSHOT_ORG", "a/b")
    with pytest.raises(ValueError, match=r"^HF_FEWSHOT_ORG='a/b' is no name of a user or an organisation\."):
        push_run(results, "me/m", dry_run=True)


def test_a_result_names_the_commit_that_has_its_episodes(online, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_FEWSHOT_ORG", "me")
    execute(Run("fewjoint", "no_slot", data={"shots": 1, "sample": True}), tmp_path / "results")
    export_benchmark("fewjoint", None, tmp_path / "fewjoint", shots=1, sample=True)

    def pushed():
        push_run(tmp_path / "results", "me/m", private=False)
        (one,) = yaml.safe_load(online.storage.content("models/me/m", ".eval_results/fewjoint-sample.yaml"))
        return one["dataset"]

    assert pushed() == {"id": "me/fewjoint-sample", "task_id": "1-shot-test"}
    push_folder(tmp_path / "fewjoint", "me/fewjoint-sample", private=False)
    commit = online.storage.head("datasets/me/fewjoint-sample")
    assert pushed() == {"id": "me/fewjoint-sample", "task_id": "1-shot-test", "revision": commit}
    path = "data/1-shot/setting.json"
    content = online.storage.content("datasets/me/fewjoint-sample", path).decode()
    (fingerprint,) = {one.episodes["fingerprint"] for one in read_records(tmp_path / "results")}
    assert fingerprint in content
    online.storage.put("datasets/me/fewjoint-sample", path, content.replace(fingerprint, "ab" * 32))
    assert "revision" not in pushed()
    online.storage.put("datasets/me/fewjoint-sample", path, "{")
    assert "revision" not in pushed()


def test_anybody_may_propose_and_only_the_owner_may_write(online, results):
    online.storage.create("models/me/m", private=False)
    assert propose_results(results, "me/m", token=OTHER).url.endswith("/me/m/discussions/1")
    shutil.rmtree(next(results.iterdir()))
    with pytest.raises(HubError, match=r"^The token may not write to me/m \(403"):
        push_run(results, "me/m", private=False, token=OTHER)
