"""Parts of a run, and the one record that they make together."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hf_fewshot.cli.main import main
from hf_fewshot.runs.claim import ChangedError
from hf_fewshot.runs.episode_part import EpisodePart, PartError, grouped, part_files, part_folder
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.merging import merge
from hf_fewshot.runs.part_execution import execute_part
from hf_fewshot.runs.run import Run
from tests.tiny_models import write_llama

TIMES = ("started", "seconds")
WAYS = [
    ("proto", {}),
    ("logistic", {}),
    ("tuned", {"options": {"layers": 1, "tuning": {"epochs": 1}}}),
    ("nav", {"training": {"max_steps": 2, "data": {"n_episodes": 4}}}),
    ("one_class", {"model": None}),
]


def timeless(folder: Path) -> str:
    """A record file without times."""
    content = json.loads((folder / "record.json").read_text())
    return json.dumps({name: value for name, value in content.items() if name not in TIMES})


def in_parts(run, results, *stretches):
    for first, stop in stretches:
        execute_part(run, results, range(first, stop), progress=False)
    return grouped([EpisodePart.read(path) for path in part_files(results)])


@pytest.mark.parametrize(("method", "changes"), WAYS)
def test_parts_together_are_the_whole_run_byte_for_byte(method, changes, relation_run, tmp_path):
    run = relation_run(method, **changes)
    n = execute(run, tmp_path / "whole", progress=False).episodes["n_episodes"]
    (parts,) = in_parts(run, tmp_path / "parts", (2, n), (0, 2))
    merge(parts, tmp_path / "parts")
    whole, merged = (tmp_path / name / run.name for name in ("whole", "parts"))
    assert timeless(merged) == timeless(whole)
    for name in ("predictions.jsonl", "browse.jsonl", "analysis.json"):
        assert (merged / name).read_bytes() == (whole / name).read_bytes()


def test_a_language_model_in_context_counts_its_tokens_over_all_parts(tmp_path):
    model = str(write_llama(tmp_path / "llama"))
    data = {"n_way": 2, "shots": 1, "n_episodes": 3, "sample": True}
    # What is drawn for an episode is a function of its number in the whole set.
    options = {"demonstrations": "random", "n_demonstrations": 1}
    run = Run("fewrel", "in_context", None, data, "validation", options=options, model=model)
    whole = execute(run, tmp_path / "whole", progress=False)
    (parts,) = in_parts(run, tmp_path / "parts", (0, 1), (1, 3))
    assert merge(parts, tmp_path / "parts").answers == whole.answers
    assert timeless(tmp_path / "parts" / run.name) == timeless(tmp_path / "whole" / run.name)


def test_gaps_overlaps_and_an_open_end_are_refused(relation_run, tmp_path):
    run = relation_run()
    for name, stretches, message in (
        ("gap", ((0, 1), (2, 6)), r"Episodes 1:2 of fewrel.* are missing. Run them: --episodes 1:2"),
        ("begin", ((1, 6),), r"Episodes 0:1 of fewrel.* are missing"),
        ("end", ((0, 4),), r"Episodes 4:6 of fewrel.* are missing"),
        ("overlap", ((0, 4), (3, 6)), r"Episodes 3:4 of fewrel.* are in two parts, 0:4 and 3:6. Delete the folder"),
        ("twice", ((0, 6), (0, 5)), r"Episodes 0:5 of fewrel.* are in two parts"),
    ):
        (parts,) = in_parts(run, tmp_path / name, *stretches)
        with pytest.raises(PartError, match=message):
            merge(parts, tmp_path / name)
        assert not (tmp_path / name / run.name / "record.json").exists()


def test_episodes_that_there_are_not_are_refused(relation_run, tmp_path):
    with pytest.raises(ValueError, match=r"Episodes 4:7 are asked for, but there are 6, numbered from 0"):
        execute_part(relation_run(), tmp_path, range(4, 7), progress=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fingerprint": "other"}, r"differ in episodes: .* and other"),
        ({"depends_on": {"files": {"x": "y"}, "data": []}}, r"differ in data, code or files"),
        ({"environment": {"versions": {"torch": "0.1"}, "precision": "no", "commit": None}}, r"differ in versions"),
    ],
)
def test_parts_of_other_episodes_code_or_versions_are_refused(change, message, relation_run, tmp_path):
    run = relation_run()
    in_parts(run, tmp_path, (0, 3), (3, 6))
    path = part_folder(run, tmp_path, range(3, 6)) / "part.jsonl"
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(head) | change), *rows]) + "\n")
    (parts,) = grouped([EpisodePart.read(one) for one in part_files(tmp_path)])
    with pytest.raises(PartError, match=message):
        merge(parts, tmp_path)


def test_a_part_that_asks_for_other_episodes_than_it_has_builds_none(relation_run, tmp_path, monkeypatch):
    (parts,) = in_parts(relation_run(), tmp_path, (0, 6))
    run = replace(parts[0].run, data={**parts[0].run.data, "n_episodes": 7})
    monkeypatch.setattr("hf_fewshot.runs.merging.data_of", lambda *_: pytest.fail("it was built"))
    with pytest.raises(PartError, match=r"are of 6 episodes, but its run has other ones"):
        merge([replace(parts[0], run=run)], tmp_path)


def test_data_that_changed_since_is_refused(relation_run, tmp_path, monkeypatch):
    run = relation_run()
    (parts,) = in_parts(run, tmp_path, (0, 6))
    monkeypatch.setattr("hf_fewshot.runs.merging.changes_since", lambda *_: ["weights (was a, is b)"])
    with pytest.raises(ChangedError, match=r"depend on has changed: weights \(was a, is b\). Make them again"):
        merge(parts, tmp_path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: lines[:-1], r"it has 2 episodes, but says that they are 0:3"),
        (lambda lines: ["{}", *lines[1:]], r"is no part of a run: 'format'"),
        (lambda lines: [*lines[:-1], lines[-1][:-5]], r"is no part of a run"),
        (lambda lines: [lines[0].replace('"version": 1', '"version": 9', 1), *lines[1:]], r"version 9"),
        (lambda lines: ["[]", *lines[1:]], r"is no part of a run"),
        (lambda lines: [lines[0].replace('"seconds": {', '"seconds": 5, "x": {', 1), *lines[1:]], r"seconds=5, but"),
    ],
)
def test_a_damaged_part_is_named(spoil, message, relation_run, tmp_path):
    run = relation_run()
    in_parts(run, tmp_path, (0, 3))
    (path,) = part_files(tmp_path)
    path.write_text("\n".join(spoil(path.read_text().splitlines())) + "\n")
    with pytest.raises(PartError, match=message):
        EpisodePart.read(path)


def test_a_part_that_is_done_is_read(relation_run, tmp_path, monkeypatch):
    run = relation_run()
    first = execute_part(run, tmp_path, range(0, 3), progress=False)
    monkeypatch.setattr("hf_fewshot.runs.part_execution.do", lambda *_, **__: pytest.fail("it was run again"))
    assert execute_part(run, tmp_path, range(0, 3), progress=False) == first


def test_a_run_that_fails_does_not_stop_the_parts_of_others(encoder, tmp_path, capsys):
    recipe = tmp_path / "recipe.yaml"
    systems = "{Bad: {method: nnshot}, Good: {method: proto}}"
    data = "{n_way: 2, shots: 1, n_episodes: 4, sample: true}"
    recipe.write_text(f"benchmark: fewrel\nsplit: validation\nmodel: {encoder}\ndata: {data}\nsystems: {systems}\n")
    folder = tmp_path / "results"
    assert main(["run", str(recipe), "--output", str(folder), "--episodes", "0:2"]) == 0
    next(folder.glob("*Bad*")).joinpath("part.jsonl").write_text("damaged\n")
    assert main(["run", str(recipe), "--output", str(folder), "--episodes", "0:2"]) == 1
    shown = capsys.readouterr()
    assert "1 of 2 runs failed" in shown.err
    assert shown.out.count("Good") == 2


def test_the_command_line_runs_parts_and_merges_them(encoder, tmp_path, capsys):
    words = ["run", "--benchmark", "fewrel", "--n-way", "2", "--shots", "1", "--n-episodes", "4", "--sample"]
    words += ["--split", "validation", "--method", "proto", "--model", str(encoder), "--output", str(tmp_path / "a")]
    assert main([*words, "--episodes=0:2"]) == 0
    assert "Episodes 0:2 of 4 are in" in capsys.readouterr().out
    assert main(["merge", str(tmp_path / "a")]) == 1
    assert "1 of 1 runs were not merged:\n  Episodes 2:4 of fewrel" in capsys.readouterr().err
    elsewhere = [str(tmp_path / "b") if word == str(tmp_path / "a") else word for word in words]
    assert main([*elsewhere, "--episodes", "2:4"]) == 0
    assert main(["merge", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert "proto" in capsys.readouterr().out
    (record,) = (tmp_path / "a").glob("*/record.json")
    assert "--episodes" not in json.loads(record.read_text())["command"]
    assert main(["merge", str(tmp_path)]) == 0
    with pytest.raises(SystemExit):
        main([*words, "--episodes", "3:1"])
    assert "expected A:B, such as 0:2500, with A below B, but got '3:1'" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert main(["merge", str(tmp_path / "empty")]) == 2
    assert "No parts in" in capsys.readouterr().err
