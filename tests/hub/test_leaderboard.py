"""A leaderboard of tagged repositories, and as a Space."""

from dataclasses import replace

import pytest

from hf_fewshot.cli.main import main
from hf_fewshot.files.hub_tag import tagged_models
from hf_fewshot.hub import push_leaderboard
from tests.cards.records import record
from tests.hub.published import publish
from tests.hub.stand_in import Fault

CARD = "---\ntags: [hf_fewshot]\n---\n"


def test_all_tagged_repositories_stand_beside_a_folder_and_what_has_no_records_is_named(
    online, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    one = record(correct=30)
    one.write(tmp_path / "results" / one.run.name)
    publish(online, "someone/nnshot", record("NNShot", 20), **{"README.md": CARD})
    publish(online, "another/untagged", record("MNAV", 20))
    publish(online, "another/empty", **{"README.md": CARD})
    code = main(["leaderboard", "results", "--tagged"])
    said = capsys.readouterr()
    assert (code, said.out) == (1, "2 records in leaderboard; open leaderboard/index.html\n")
    assert "1 left out:\n  another/empty has no records/*/record.json." in said.err
    index = (tmp_path / "leaderboard" / "index.html").read_text()
    assert "NNShot [someone]" in index
    assert "MNAV" not in index
    assert "another/empty has no records/*/record.json." in index


def test_of_tagged_repositories_that_contradict_each_other_the_oldest_is_believed(online, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    publish(online, "z/first", record("NNShot", 20), **{"README.md": CARD})
    theirs = record("MNAV", 40)
    publish(online, "a/later", replace(theirs, episodes=theirs.episodes | {"fingerprint": "cd" * 32}))
    publish(online, "a/later", **{"README.md": CARD})
    assert tagged_models() == ["z/first", "a/later"]
    assert main(["leaderboard", "--tagged"]) == 1
    index = (tmp_path / "leaderboard" / "index.html").read_text()
    assert "NNShot [z]" in index
    assert "MNAV [a]" not in index
    assert f"is left out: it names the episodes {'cd' * 8} for data whose episodes are {'ab' * 8}" in index


def test_of_too_many_tagged_repositories_the_newest_are_read(online, monkeypatch):
    for name in ("c/one", "b/two", "a/three"):
        publish(online, name, **{"README.md": CARD})
    monkeypatch.setattr("hf_fewshot.files.hub_tag.MAX_REPOSITORIES", 2)
    assert tagged_models() == ["b/two", "a/three"]


def test_without_anything_to_read_the_command_says_what_to_give(capsys):
    assert main(["leaderboard"]) == 2
    assert "Give folders of results or repositories, or --tagged" in capsys.readouterr().err


def test_a_hub_that_refuses_is_said(online, capsys):
    online.faults.append(Fault(r"/api/models", 403))
    assert main(["leaderboard", "--tagged"]) == 2
    said = capsys.readouterr().err
    assert "Which models carry the tag 'hf_fewshot' cannot be read now (the Hub answers 403)." in said


def test_a_leaderboard_becomes_a_static_space_and_is_replaced_by_a_newer_one(online, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed in range(2):
        one = record(correct=30 + seed, seed=seed)
        one.write(tmp_path / "results" / one.run.name)
        assert main(["leaderboard", "results", "--output", "board"]) == 0
        assert main(["push", "board", "--leaderboard", "--repo", "me/board"]) == 0
    files = online.storage.files("spaces/me/board")
    assert "index.html" in files
    assert len([path for path in files if path.startswith("systems/")]) == 1
    assert "sdk: static" in online.storage.content("spaces/me/board", "README.md").decode()
    assert online.storage.repo("spaces/me/board")["sdk"] == "static"


def test_a_folder_that_is_no_leaderboard_is_not_uploaded(tmp_path):
    (tmp_path / "index.html").write_text("my page")
    with pytest.raises(ValueError, match=r"is no leaderboard\. Give a folder that"):
        push_leaderboard(tmp_path, "me/board", dry_run=True)
