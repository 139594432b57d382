import json

import pytest
from datasets import load_dataset

import hf_fewshot
from hf_fewshot.cli import main

FEWREL = ["fewrel", "--n-way", "3", "--shots", "1", "--n-episodes", "5", "--sample", "--split", "validation"]


def test_episodes_are_written_as_rows(tmp_path, capsys):
    path = tmp_path / "episodes.jsonl"
    assert main(["sample", *FEWREL, "-o", "seed=7", "--output", str(path)]) == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    episodes = hf_fewshot.load_episodes(
        "fewrel", split="validation", n_way=3, shots=1, n_episodes=5, seed=7, sample=True
    )
    assert rows == list(episodes.rows())
    assert f"5 episodes, fingerprint {episodes.fingerprint}" in capsys.readouterr().out


def test_parquet_files_hold_the_same(tmp_path):
    for name in ("a.jsonl", "a.parquet"):
        assert main(["sample", *FEWREL, "--output", str(tmp_path / name)]) == 0
    (table,) = load_dataset("parquet", data_files=str(tmp_path / "a.parquet"), cache_dir=str(tmp_path)).values()
    assert table.to_list() == [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]


def test_other_files_are_refused(tmp_path, capsys):
    assert main(["sample", *FEWREL, "--output", str(tmp_path / "a.csv")]) == 2
    assert "expected a name that ends with .jsonl or .parquet" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("as_json", [False, True])
def test_verify(as_json, capsys):
    assert main(["verify", *FEWREL, *(["--json"] if as_json else [])]) == 0
    output = capsys.readouterr().out
    if as_json:
        found = json.loads(output)
        assert (found["n_episodes"], found["overlap"], found["short"]) == (5, [], [])
    else:
        assert "5 have every class 1 times in the support set" in output
