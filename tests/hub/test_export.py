"""Benchmarks as folders of Parquet files, on disk and on the Hub."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml
from datasets import load_dataset
from huggingface_hub import DatasetCard

from hf_fewshot.cards.setting_name import task_id
from hf_fewshot.hub import export_benchmark, push_folder
from tests.hub.client import last_line

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")

CONFIG = "inter-3-way-1-shot-n_episodes-4"
OPTIONS = {"n_way": 3, "shots": 1, "n_episodes": 4, "sample": True}


@pytest.fixture(scope="module")
def export(tmp_path_factory):
    """Sample episodes of Few-NERD."""
    return export_benchmark("few_nerd", "inter", tmp_path_factory.mktemp("export") / "few_nerd", **OPTIONS)


def test_an_export_has_data_card_and_leaderboard_and_nothing_else(export):
    files = sorted(path.relative_to(export).as_posix() for path in export.rglob("*") if path.is_file())
    assert files == [
        "README.md",
        f"data/{CONFIG}/setting.json",
        f"data/{CONFIG}/test-00000-of-00001.parquet",
        f"data/{CONFIG}/train-00000-of-00001.parquet",
        f"data/{CONFIG}/validation-00000-of-00001.parquet",
        "eval.yaml",
    ]
    assert [path.name for path in export.parent.iterdir()] == ["few_nerd"]


def test_an_export_is_read_without_this_package(export, tmp_path):
    code = (
        "import sys; sys.modules['hf_fewshot'] = None\n"
        "import json, datasets\n"
        f"data = datasets.load_dataset({str(export)!r})\n"
        "print(json.dumps({split: rows[:] for split, rows in data.items()}))"
    )
    environment = {"PATH": "/usr/bin:/bin", "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    expected = load_dataset("few_nerd", "inter", **OPTIONS)
    assert last_line(done) == {split: rows[:] for split, rows in expected.items()}


def test_the_card_of_sample_data_says_so_and_has_our_licence(export):
    card = DatasetCard.load(export / "README.md")
    assert card.data.pretty_name == "Few-NERD (sample data of hf_fewshot)"
    assert card.data.license == "apache-2.0"
    assert "They are not that benchmark" in card.text
    assert 'load_dataset("few_nerd", "inter", n_episodes=4, n_way=3, sample=True, shots=1)' in card.text
    assert card.data.configs == [
        {
            "config_name": CONFIG,
            "data_files": [
                {"split": split, "path": f"data/{CONFIG}/{split}-*.parquet"}
                for split in ("train", "validation", "test")
            ],
        }
    ]


def test_the_leaderboard_has_the_task_that_results_of_models_name(export):
    content = yaml.safe_load((export / "eval.yaml").read_text(encoding="utf-8"))
    assert content["evaluation_framework"] == "hf_fewshot"
    assert content["tasks"] == [{"id": f"{CONFIG}-test", "config": CONFIG, "split": "test"}]
    assert content["tasks"][0]["id"] == task_id("few_nerd", "inter", {**OPTIONS, "seed": 3}, "test")


def test_real_data_keeps_the_licence_of_the_benchmark(tmp_path):
    for split in ("train", "dev", "test"):
        (tmp_path / "raw/inter").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"raw/inter/{split}.txt").write_text("Ravel\tperson-artist/author\nwrote\tO\n\n")
    out = export_benchmark("few_nerd", "inter", tmp_path / "out", data_dir=str(tmp_path / "raw"))
    card = DatasetCard.load(out / "README.md")
    assert card.data.license == "cc-by-sa-4.0"
    assert card.data.pretty_name == "Few-NERD"
    assert "@" in card.text.split("```bibtex")[1]
    assert not [path for path in out.rglob("*") if path.is_file() and str(tmp_path).encode() in path.read_bytes()]


def test_licensed_data_is_not_exported(tmp_path):
    message = r"^Few-Shot TACRED is licensed data \(ldc-user-agreement, .*must not be passed on.*Give sample=True"
    with pytest.raises(ValueError, match=message):
        export_benchmark("fs_tacred", None, tmp_path / "out", data_dir=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_sample_data_of_a_licensed_benchmark_is_ours(tmp_path):
    out = export_benchmark("fs_tacred", None, tmp_path / "out", sample=True)
    assert DatasetCard.load(out / "README.md").data.license == "apache-2.0"
    assert "license_name" not in DatasetCard.load(out / "README.md").data.to_dict()


def test_an_export_that_fails_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("hf_fewshot.hub.export.dataset_card", lambda settings: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        export_benchmark("clues", "sst2", tmp_path / "out", sample=True)
    assert list(tmp_path.iterdir()) == []


def test_an_export_removes_what_a_killed_one_has_left(tmp_path):
    (tmp_path / ".out.123" / "data").mkdir(parents=True)
    (tmp_path / ".out.124.lock").touch()
    (tmp_path / ".outer.123").mkdir()
    export_benchmark("clues", "sst2", tmp_path / "out", sample=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".outer.123", "out"]


def test_an_export_does_not_follow_a_link(tmp_path):
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=r"out is there already, and no export has written it\. Name a new folder"):
        export_benchmark("clues", "sst2", tmp_path / "out", sample=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_export_does_not_write_over_a_folder(tmp_path):
    with pytest.raises(
        ValueError, match=r"is there already, and no export has written it\. Name a new folder, or one"
    ):
        export_benchmark("clues", "sst2", tmp_path, sample=True)


def test_an_unknown_benchmark_is_an_error_with_a_suggestion(tmp_path):
    with pytest.raises(ValueError, match=r"^Unknown benchmark 'few_nert'\. Did you mean 'few_nerd'\?$"):
        export_benchmark("few_nert", None, tmp_path / "out")


def test_large_splits_are_written_in_several_files(tmp_path, monkeypatch):
    monkeypatch.setattr("hf_fewshot.hub.export.SHARD_BYTES", 1_000)
    out = export_benchmark("clues", "sst2", tmp_path / "out", shots=10, fold=2, sample=True)
    (first, *others) = sorted((out / "data/sst2-10-shot-fold-2").glob("test-*"))
    assert first.name == f"test-00000-of-{len(others) + 1:05d}.parquet"
    assert len(others) > 0
    rows = load_dataset(str(out), split="test")
    assert rows["id"][:] == load_dataset("clues", "sst2", shots=10, fold=2, sample=True, split="test")["id"][:]


def test_an_export_on_the_hub_is_read_with_plain_load_dataset(hub, client, export):
    client(f"from hf_fewshot.hub import push_folder; push_folder({str(export)!r}, 'me/few_nerd-sample')")
    assert hub.storage.repo("datasets/me/few_nerd-sample")["private"] is True
    assert hub.storage.files("datasets/me/few_nerd-sample")[f"data/{CONFIG}/test-00000-of-00001.parquet"].is_large
    done = client(
        "import json, datasets\n"
        "data = datasets.load_dataset('me/few_nerd-sample')\n"
        "print(json.dumps({split: rows[:] for split, rows in data.items()}))"
    )
    expected = load_dataset("few_nerd", "inter", **OPTIONS)
    assert last_line(done) == {split: rows[:] for split, rows in expected.items()}


def test_links_and_hidden_files_are_left_out_of_a_push_and_listed(export, tmp_path):
    folder = shutil.copytree(export, tmp_path / "export")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    (folder / "passwd").symlink_to(tmp_path / "outside" / "secret.txt")
    (folder / "data" / "more").symlink_to(tmp_path / "outside")
    (folder / "inside.md").symlink_to("README.md")
    (folder / ".env").write_text("PASSWORD=1")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (folder / "__pycache__").mkdir()
    os.mkfifo(folder / "pipe")
    plan = push_folder(folder, "me/d", dry_run=True)
    data = [f"data/{CONFIG}/{split}-00000-of-00001.parquet" for split in ("test", "train", "validation")]
    assert sorted(plan.sizes) == [".hf_fewshot.json", "README.md", f"data/{CONFIG}/setting.json", *data, "eval.yaml"]
    assert plan.left_out == {
        ".env": "hidden",
        ".git": "hidden",
        "data/more": "a link",
        "inside.md": "a link",
        "passwd": "a link",
        "pipe": "neither a file nor a folder",
    }
    assert "      left out .env (hidden)\n" in str(plan)


def test_names_of_files_are_shown_without_what_acts_on_a_terminal(export, tmp_path):
    folder = shutil.copytree(export, tmp_path / "export")
    (folder / "a\x1b[2J\nb.txt").write_text("x")
    (folder / os.fsdecode(b"\xff.txt")).write_text("x")
    plan = push_folder(folder, "me/d", dry_run=True)
    assert " 1 a\\x1b[2J\\nb.txt\n" in str(plan)
    assert "left out \\udcff.txt (a name that is no UTF-8)" in str(plan)


def test_a_card_that_is_a_link_is_not_pushed(export, tmp_path):
    folder = shutil.copytree(export, tmp_path / "export")
    (folder / "README.md").rename(tmp_path / "README.md")
    (folder / "README.md").symlink_to(tmp_path / "README.md")
    with pytest.raises(ValueError, match=r"export has a README\.md that is a link\. Give a folder that"):
        push_folder(folder, "me/d", dry_run=True)


@pytest.mark.parametrize("text", ["see https://me:pass@host/x", "key sk-A1b2" + "x" * 30])
def test_a_folder_with_a_secret_in_it_is_not_pushed(export, tmp_path, text):
    folder = shutil.copytree(export, tmp_path / "export")
    (folder / "notes.txt").write_text("x " * ((1 << 19) - 5) + text)  # across two pieces
    with pytest.raises(ValueError, match=r"^A token, key or password stands in notes\.txt: nothing is uploaded\."):
        push_folder(folder, "me/d", dry_run=True)


def test_a_folder_that_is_no_export_is_not_pushed(tmp_path):
    with pytest.raises(ValueError, match=r"has no README\.md\. Give a folder that `export_benchmark` has written\.$"):
        push_folder(tmp_path, "me/d", dry_run=True)
