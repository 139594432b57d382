"""Records in repositories of others, beside those of this machine."""

import json
from dataclasses import replace

import pytest

import hf_fewshot
from hf_fewshot.cli.main import main
from hf_fewshot.files.at_hand import NotAtHandError
from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.runs.folder import find_records, read_records
from hf_fewshot.runs.places import place_of
from hf_fewshot.runs.run import Run
from hf_fewshot.tables.pairs import Comparisons
from hf_fewshot.tables.settings import settings
from tests.cards.records import record
from tests.hub.published import publish

OURS = "someone/few-nerd-proto"


def test_a_report_shows_ours_and_those_of_two_repositories_in_one_table(online, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed in range(2):
        one = record(correct=30 + seed, seed=seed)
        one.write(tmp_path / "results" / one.run.name)
    mnav = [record("NNShot", 20 + seed, seed=seed) for seed in range(2)]
    first = publish(online, "someone/few-nerd-nnshot", *mnav)
    second = publish(online, "another/proto", *(record(correct=40 + seed, seed=seed) for seed in range(2)))
    code = main(["report", "results", "someone/few-nerd-nnshot", "another/proto", "--markdown", "results.md"])
    assert (code, capsys.readouterr().out) == (
        0,
        "6 records in report.html\n"
        "     2 of the folder results\n"
        f"     2 of the repository someone/few-nerd-nnshot@{first[:7]}\n"
        f"     2 of the repository another/proto@{second[:7]}\n",
    )
    lines = (tmp_path / "results.md").read_text().splitlines()
    systems = [line.split(" | ")[0].strip("| ") for line in lines if "| bert-base-uncased |" in line]
    # In the overview, and in the table of intervals.
    assert systems[:3] == ["ProtoBERT", r"NNShot \[someone\]", r"ProtoBERT \[another\]"]
    page = (tmp_path / "report.html").read_text()
    assert f"someone/few-nerd-nnshot@{first[:7]}" in page
    records = read_records("results", "someone/few-nerd-nnshot", "another/proto")
    (setting,) = settings(records)
    compared = {(one.first, one.second): one.difference for one in Comparisons(setting).pairs}
    # The same episodes: of 50 entities, another has 10 more than we have and 20 more than someone, in both seeds.
    assert compared == {
        ("ProtoBERT [another]", "ProtoBERT"): pytest.approx(20),
        ("ProtoBERT [another]", "NNShot [someone]"): pytest.approx(40),
        ("ProtoBERT", "NNShot [someone]"): pytest.approx(20),
    }


def test_records_of_a_repository_are_compared_with_ours_on_the_same_episodes(online, tmp_path):
    for seed in range(2):
        one = record(correct=30, seed=seed)
        one.write(tmp_path / "results" / one.run.name)
    publish(online, OURS, *(record("NNShot", 20, seed=seed) for seed in range(2)))
    found = hf_fewshot.compare(tmp_path / "results", OURS)
    assert (found.first, found.second, found.n, found.difference) == ("ProtoBERT", "NNShot", 2, pytest.approx(0.2))


def test_what_was_downloaded_is_not_asked_for_again(online, monkeypatch):
    publish(online, OURS, record())
    assert [one.owner for one in read_records(OURS)] == ["someone"]
    online.requests.clear()
    read_records(OURS)
    assert online.requests == [("GET", f"/api/models/{OURS}")]
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    online.requests.clear()
    assert len(read_records(OURS)) == 1
    assert online.requests == []


def test_a_new_commit_is_read_and_an_old_one_on_demand(online):
    old = publish(online, OURS, record())
    new = publish(online, OURS, record(seed=1))
    assert [one.run.seed for one in read_records(OURS)] == [0, 1]
    (one,) = read_records(f"{OURS}@{old}")
    assert (one.run.seed, one.origin) == (0, f"{OURS}@{old[:7]}")
    assert place_of(f"hf://{OURS}").commit == new


def test_nothing_but_records_is_downloaded(online):
    publish(online, OURS, record(), **{"config.json": "{}", "records/notes.txt": "x", "earlier/a/record.json": "{}"})
    read_records(OURS)
    (asked,) = online.asked("/resolve/")[:1]
    assert {path for _, path in online.asked("/resolve/")} == {asked[1]}
    assert asked[1].endswith(f"records/{record().run.name}/record.json")


def test_a_folder_wins_over_a_repository_of_its_name(online, tmp_path, monkeypatch):
    publish(online, OURS, record(correct=20))
    monkeypatch.chdir(tmp_path)
    record(correct=30).write(tmp_path / OURS / "run")
    assert [one.score for one in read_records(OURS)] == [0.6]
    assert [one.score for one in read_records(f"hf://{OURS}")] == [0.4]
    assert str(place_of(OURS)) == OURS


@pytest.mark.parametrize(
    ("where", "error", "message"),
    [
        ("someone/none", DownloadError, r"^someone/none is no folder here\. The Hub has no someone/none that you may"),
        ("hf://someone/none", DownloadError, r"^The Hub has no someone/none that you may see\. Check the name"),
        ("someone/empty", DownloadError, r"someone/empty has no records/\*/record\.json\.$"),
        ("someone/empty@v9", DownloadError, r"someone/empty has no revision v9\. Give a branch, a tag or a commit"),
        ("you/private", DownloadError, r"The Hub has no you/private that you may see"),
        ("hf://empty", ValueError, r"^hf://empty names no repository\. Expected one such as hf://someone/name\.$"),
        (
            "a/b/c",
            ValueError,
            r"^a/b/c is no folder\. Give a folder with results of `hf-fewshot run`, or a repository",
        ),
    ],
)
def test_what_cannot_be_read_says_why(where, error, message, online):
    publish(online, "someone/empty")
    publish(online, "you/private", record(), private=True)
    with pytest.raises(error, match=message):
        place_of(where)


def test_a_repository_that_is_not_in_the_cache_is_not_fetched_offline(online, monkeypatch):
    publish(online, OURS, record())
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(NotAtHandError, match=rf"{OURS} is not in the cache of the Hub, and HF_HUB_OFFLINE is set\.$"):
        place_of(OURS)
    assert online.requests == []


def test_a_repository_with_too_many_files_is_left_out(online):
    publish(online, "someone/huge", record(), **{f"checkpoints/{number}": "" for number in range(10_000)})
    publish(online, OURS, record())
    found = find_records("someone/huge", OURS)
    assert [one.origin.partition("@")[0] for one in found.records.values()] == [OURS]
    assert found.left_out == [
        "someone/huge is no folder here. someone/huge has more than 5,000 files: it is not read."
    ]


def test_a_repository_with_too_much_in_its_records_is_left_out(online, monkeypatch):
    monkeypatch.setattr("hf_fewshot.files.hub_folder.MAX_BYTES", 1000)
    publish(online, OURS, record())
    with pytest.raises(
        DownloadError, match=r"has 1\.\d kB in records/\*/record\.json, more than the 1\.0 kB that are"
    ):
        place_of(OURS)


def test_what_cannot_be_believed_in_a_repository_is_named_by_its_place_there(online):
    newer = replace(record(seed=1), schema_version=2)
    lie = replace(record(seed=2), scores={"f1": 0.97})
    commit = publish(online, OURS, record(), newer, lie, **{"records/damaged/record.json": "{"})
    found = find_records(OURS)
    assert [one.run.seed for one in found.records.values()] == [0]
    at = f"{OURS}@{commit[:7]}"
    said = {sentence.split(" ")[0]: sentence for sentence in found.left_out}
    assert set(said) == {f"{at}/{one}/record.json" for one in (newer.run.name, lie.run.name, "damaged")}
    assert "has schema_version 2, this version reads 1." in said[f"{at}/{newer.run.name}/record.json"]
    assert "its score says 97.00 %, but its units say 60.00 %" in said[f"{at}/{lie.run.name}/record.json"]
    assert said[f"{at}/damaged/record.json"].endswith("Tell its owner.")


def of_ours(tmp_path):
    record().write(tmp_path / "ours" / "run")
    return tmp_path / "ours"


def test_a_record_that_lies_about_its_fingerprint_is_left_out(online, tmp_path):
    other = record("NNShot")
    commit = publish(online, OURS, replace(other, episodes=other.episodes | {"fingerprint": "cd" * 32}))
    found = find_records(OURS, of_ours(tmp_path))
    assert [one.owner for one in found.records.values()] == [""]
    assert found.left_out == [
        f"{OURS}@{commit[:7]}/records/{other.run.name} is left out: it names the episodes {'cd' * 8} for data whose "
        f"episodes are {'ab' * 8} in {tmp_path / 'ours' / 'run'}."
    ]


def test_a_record_with_the_fingerprint_of_other_episodes_is_left_out(online, tmp_path):
    larger = record("NNShot", data={"n_episodes": 20})
    renamed = replace(record("NNShot", data={"n_episodes": 30}), units=[f"unit {number}" for number in range(10)])
    larger = replace(larger, episodes=larger.episodes | {"n_queries": 60})
    publish(online, OURS, larger, renamed)
    found = find_records(of_ours(tmp_path), OURS)
    assert len(found.records) == 1
    one, other = sorted(found.left_out)
    assert "it says 10 episodes and 60 queries of episodes that are 10 with 50 queries in " in one + other
    assert "the episodes of its episodes are others in " in one + other


def test_own_data_of_others_says_nothing_about_ours(online, tmp_path):
    ours, theirs = record(), record("NNShot")
    ours = replace(ours, episodes=ours.episodes | {"official": False})
    ours.write(tmp_path / "ours" / "run")
    publish(online, OURS, replace(theirs, episodes=ours.episodes | {"fingerprint": "cd" * 32}))
    assert len(find_records(tmp_path / "ours", OURS).records) == 2


def test_a_run_that_others_have_copied_counts_once_and_another_result_of_it_is_theirs(online, tmp_path):
    publish(online, "a/copy", record())
    publish(online, "b/again", record(correct=20))
    found = find_records(of_ours(tmp_path), "a/copy", "b/again")
    assert [(one.owner, one.score) for one in found.records.values()] == [("", 0.6), ("b", 0.4)]
    (sentence,) = found.left_out
    assert sentence.startswith(f"The same run stands in {tmp_path / 'ours' / 'run'}, a/copy@")
    assert sentence.endswith(" and is counted once.")


def test_names_of_strangers_are_text_in_a_page(online, tmp_path):
    odd = record('<script>alert("x")</script>\x1b[2J')
    publish(online, OURS, odd)
    code = main(["report", OURS, "--output", str(tmp_path / "report.html")])
    assert code == 0
    page = (tmp_path / "report.html").read_text()
    assert "<script>alert" not in page
    assert "\x1b" not in page


def test_a_report_of_places_that_all_fail_names_each(online, capsys):
    assert main(["report", "someone/none", "someone/gone"]) == 2
    said = capsys.readouterr().err
    assert "No records in someone/none, someone/gone." in said
    assert said.count("The Hub has no ") == 2


def test_an_origin_is_never_read_from_a_file(online):
    forged = json.dumps({**vars(record()), "run": Run("few_nerd", "proto").written, "origin": "you/model@1"})
    publish(online, OURS, **{"records/forged/record.json": forged})
    (sentence,) = find_records(OURS).left_out
    assert "it has an unknown 'origin'" in sentence


def test_others_records_are_not_pushed(online, tmp_path, monkeypatch):
    publish(online, OURS, record())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=rf"^{OURS} is no folder\. Give a folder with results"):
        hf_fewshot.hub.push_run(OURS, "me/m", dry_run=True)
