import json
import re
import subprocess
import sys

import pytest
from datasets import ClassLabel, Dataset, Features, List, Value, load_dataset
from huggingface_hub.errors import HTTPError

from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.files.hub_files import hub_files
from hf_fewshot.files.raw_files import RawFileError

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DATASET = "DFKI-SLT/few-nerd"
FEATURES = Features(
    {
        "id": Value("string"),
        "tokens": List(Value("string")),
        "ner_tags": List(ClassLabel(names=["O", "art", "person"])),
        "fine_ner_tags": List(ClassLabel(names=["O", "art-music", "person-artist/author"])),
    }
)
SENTENCES = {
    "train": [(["Ravel", "wrote", "Bolero"], [2, 0, 1]), (["Satie", "slept"], [2, 0])],
    "validation": [(["Carmen", "is", "by", "Bizet"], [1, 0, 0, 2])],
    "test": [(["Nothing", "here"], [0, 0])],
}
ROWS = {
    "train": {
        "id": ["inter-train-0", "inter-train-1"],
        "tokens": [["Ravel", "wrote", "Bolero"], ["Satie", "slept"]],
        "tags": [["person-artist/author", "O", "art-music"], ["person-artist/author", "O"]],
    },
    "validation": {
        "id": ["inter-validation-0"],
        "tokens": [["Carmen", "is", "by", "Bizet"]],
        "tags": [["art-music", "O", "O", "person-artist/author"]],
    },
    "test": {"id": ["inter-test-0"], "tokens": [["Nothing", "here"]], "tags": [["O", "O"]]},
}


def write_parquet(folder, names, features=FEATURES, sentences=SENTENCES):
    """One Parquet file per split, under the name that `names` makes from it."""
    for split, rows in sentences.items():
        path = folder / names.format(split=split)
        path.parent.mkdir(parents=True, exist_ok=True)
        columns = {
            "id": [str(number) for number in range(len(rows))],
            "tokens": [tokens for tokens, _ in rows],
            "ner_tags": [tags for _, tags in rows],
            "fine_ner_tags": [tags for _, tags in rows],
        }
        Dataset.from_dict(columns, features=features).to_parquet(path)


@pytest.fixture
def hub(tmp_path, http_folder):
    """A stand-in of the Hub: the answers to the calls of its client, as files, for one revision of Few-NERD."""

    def serve(names, revision="main", **options):
        folder = tmp_path / "hub"
        write_parquet(folder / f"datasets/{DATASET}/resolve/{COMMIT}", names)
        api = folder / f"api/datasets/{DATASET}"
        (api / "revision" / revision).parent.mkdir(parents=True)
        (api / "revision" / revision).write_text(json.dumps({"id": DATASET, "sha": COMMIT, "siblings": []}))
        files = sorted((folder / f"datasets/{DATASET}/resolve/{COMMIT}").rglob("*.parquet"))
        tree = [
            {
                "type": "file",
                "path": file.relative_to(folder / f"datasets/{DATASET}/resolve/{COMMIT}").as_posix(),
                "size": file.stat().st_size,
                "oid": "0" * 40,
            }
            for file in files
        ]
        (api / "tree").mkdir()
        (api / "tree" / COMMIT).write_text(json.dumps(tree))
        return http_folder(folder, headers={"X-Repo-Commit": COMMIT}, **options)

    return serve


@pytest.fixture
def load(tmp_path):
    """Runs `load_dataset("few_nerd", "inter", ...)` in a process of its own, as its client reads HF_ENDPOINT once."""

    def run(endpoint, *, offline=False, options=""):
        code = (
            "import json, hf_fewshot, datasets\n"
            f"data = datasets.load_dataset('few_nerd', 'inter'{options})\n"
            "print(json.dumps({split: rows[:] for split, rows in data.items()}))"
        )
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "HF_HOME": str(tmp_path / "home"),
            "HF_ENDPOINT": endpoint,
            "HF_HUB_OFFLINE": str(int(offline)),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "NO_PROXY": "127.0.0.1",
        }
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=tmp_path, timeout=120
        )

    return run


def test_few_nerd_is_read_from_the_hub_and_then_offline_from_its_cache(hub, load):
    server = hub("inter/{split}-00000-of-00001.parquet")
    done = load(server.url)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ROWS
    asked = len(server.requests)
    # Another folder for rows has none yet, so the files themselves are needed again.
    again = load(server.url, offline=True, options=", cache_dir='other'")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == ROWS
    assert len(server.requests) == asked


def test_the_parquet_branch_of_the_hub_is_read_where_main_has_no_parquet(hub, load):
    done = load(hub("inter/{split}/0000.parquet", "refs/convert/parquet").url)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ROWS


def test_offline_without_the_files_is_an_error_that_names_all_ways_and_asks_nobody(hub, load):
    server = hub("inter/{split}-00000-of-00001.parquet")
    done = load(server.url, offline=True)
    assert done.returncode == 1
    message = done.stderr.splitlines()[-1]
    assert message.startswith(
        "hf_fewshot.files.sources.RawFilesNotFoundError: few_nerd/inter: the Hub dataset DFKI-SLT/few-nerd could not "
        "be read"
    )
    assert "offline mode is enabled" in message
    assert "(1) data_dir=<folder with inter/train.txt, dev.txt, test.txt or the Hub's Parquet files>" in message
    assert "(2) HF_FEWSHOT_MIRROR=" in message
    assert "(3) a connection to the Hub" in message
    assert server.requests == []


def test_a_hub_that_lacks_a_split_is_an_error_that_names_it(hub, load):
    server = hub("inter/{split}-00000-of-00001.parquet")
    (path,) = server.folder.rglob("tree/*")
    tree = [entry for entry in json.loads(path.read_text()) if "test" not in entry["path"]]
    path.write_text(json.dumps(tree))
    done = load(server.url)
    assert done.returncode == 1
    assert "revision main holds no inter/test*.parquet" in done.stderr.splitlines()[-1]


def test_a_connection_that_breaks_is_an_error_of_ours(monkeypatch):
    def broken(*args, **kwargs):
        raise HTTPError("peer closed connection\nand more lines")

    monkeypatch.setattr("hf_fewshot.files.hub_files.snapshot_download", broken)
    with pytest.raises(DownloadError, match=r"the Hub dataset a/b could not be read \(peer closed connection\)$"):
        hub_files("a/b", "{split}*.parquet", ["train"])


@pytest.mark.parametrize(
    "error",
    [
        KeyError("sha"),
        TypeError("'NoneType' object is not iterable"),
        ValueError("Expecting value: line 1 column 1"),
        AttributeError("'list' object has no attribute 'get'"),
        HTTPError("for url https://anna:s3cret@mirror/api \x1b[2J"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_no_hub_would_answer_is_an_error_of_ours_without_secrets(error, monkeypatch):
    def odd(*args, **kwargs):
        raise error

    monkeypatch.setattr("hf_fewshot.files.hub_files.snapshot_download", odd)
    with pytest.raises(DownloadError, match=r"the Hub dataset a/b could not be read \(.+\)$") as caught:
        hub_files("a/b", "{split}*.parquet", ["train"])
    assert not {"s3cret", "\x1b"} & {*re.split(r"\W", str(caught.value)), *str(caught.value)}


def test_an_unreachable_hub_is_an_error_of_ours():
    # HF_HUB_OFFLINE is set in all tests.
    with pytest.raises(DownloadError, match=r"the Hub dataset a/b could not be read \(.*offline mode is enabled"):
        hub_files("a/b", "{split}*.parquet", ["train"])


@pytest.mark.parametrize("inside", ["", "inter"])
def test_the_files_of_the_hub_can_be_given_as_data_dir(inside, tmp_path):
    write_parquet(tmp_path, "inter/{split}-00000-of-00001.parquet")
    data = load_dataset("few_nerd", "inter", data_dir=str(tmp_path / inside))
    assert {split: rows[:] for split, rows in data.items()} == ROWS


def test_several_files_of_a_split_are_read_in_order(tmp_path):
    write_parquet(tmp_path, "inter/{split}-00000-of-00002.parquet")
    write_parquet(tmp_path, "inter/{split}-00001-of-00002.parquet")
    rows = load_dataset("few_nerd", "inter", data_dir=str(tmp_path), split="train")
    assert rows["id"][:] == ["inter-train-0", "inter-train-1", "inter-train-1-0", "inter-train-1-1"]


def test_a_changed_parquet_file_gives_new_rows(tmp_path):
    write_parquet(tmp_path, "inter/{split}-00000-of-00001.parquet")
    load_dataset("few_nerd", "inter", data_dir=str(tmp_path))
    changed = {**SENTENCES, "test": [(["Something", "here"], [2, 0])]}
    write_parquet(tmp_path, "inter/{split}-00000-of-00001.parquet", sentences=changed)
    rows = load_dataset("few_nerd", "inter", data_dir=str(tmp_path), split="test")
    assert rows["tokens"][:] == [["Something", "here"]]


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([(["a"], [0]), (["a", "b"], [0])], "row 2: expected as many tags as tokens, at least one, got"),
        ([([], [])], "row 1: expected as many tags as tokens, at least one, got"),
        ([(["a"], [-1])], "row 1: expected words, and tags from 0 to 2, got"),
        ([(["a"], [None])], "row 1: expected words, and tags from 0 to 2, got"),
        ([([None], [1])], "row 1: expected words, and tags from 0 to 2, got"),
        ([], "expected rows of data, got none"),
    ],
)
def test_a_parquet_file_with_bad_rows_is_refused(sentences, message, tmp_path):
    write_parquet(tmp_path, "inter/{split}-00000-of-00001.parquet", sentences={"train": sentences})
    with pytest.raises(RawFileError, match=rf"train-00000-of-00001\.parquet(, |: ){message}"):
        load_dataset("few_nerd", "inter", data_dir=str(tmp_path))


def test_a_parquet_file_without_the_names_of_its_tags_is_refused(tmp_path):
    features = FEATURES.copy()
    features["fine_ner_tags"] = List(Value("int64"))
    write_parquet(tmp_path, "inter/{split}-00000-of-00001.parquet", features)
    with pytest.raises(RawFileError, match="expected the names of fine_ner_tags in the metadata, got none"):
        load_dataset("few_nerd", "inter", data_dir=str(tmp_path))


def test_a_parquet_file_without_the_columns_is_refused(tmp_path):
    (tmp_path / "inter").mkdir()
    Dataset.from_dict({"words": [["a"]]}).to_parquet(tmp_path / "inter/train-00000-of-00001.parquet")
    with pytest.raises(RawFileError, match=r"expected the columns tokens and fine_ner_tags, got \['words'\]"):
        load_dataset("few_nerd", "inter", data_dir=str(tmp_path))


def test_a_truncated_parquet_file_is_refused(tmp_path):
    write_parquet(tmp_path, "inter/{split}-00000-of-00001.parquet")
    path = tmp_path / "inter/test-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(RawFileError, match=r"test-00000-of-00001\.parquet: expected a Parquet file, got"):
        load_dataset("few_nerd", "inter", data_dir=str(tmp_path))
