import hashlib
import json
import re
import zipfile
from dataclasses import replace

import datasets
import pytest
from datasets import load_dataset
from huggingface_hub import constants

from hf_fewshot.files import downloads
from hf_fewshot.files.sources import MIRROR, RawFilesNotFoundError, Repository, Source, download_folder
from hf_fewshot.registry import BENCHMARKS, resolve
from tests.attacks.faulty_server import FaultyServer

PATH = "data/deep/raw.txt"


@pytest.fixture(autouse=True)
def private_downloads(tmp_path, monkeypatch):
    """No mirror, no download of another test, and one attempt instead of four."""
    monkeypatch.delenv(MIRROR, raising=False)
    monkeypatch.setattr(datasets.config, "DOWNLOADED_DATASETS_PATH", str(tmp_path / "downloads"))
    monkeypatch.setattr(downloads, "ATTEMPTS", 1)


@pytest.fixture
def online(monkeypatch):
    """As if HF_HUB_OFFLINE were not set."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def source(url="https://127.0.0.1:1/tiny", data_dir=None, **options):
    return Source("tiny", Repository("Tiny", "https://example.org/tiny", url, **options), data_dir)


def checksums(tmp_path, content, path=PATH):
    """A checksum file that knows one file."""
    return write(tmp_path / "checksums.txt", f"{hashlib.sha256(content.encode()).hexdigest()}  {path}\n")


def test_data_dir_comes_before_the_mirror_and_the_mirror_before_the_authors(
    tmp_path, monkeypatch, http_folder, online
):
    for place in ("mine", "mirror/Tiny", "authors"):
        write(tmp_path / place / PATH, place)
    authors = http_folder(tmp_path / "authors")
    assert source(authors.url).find(PATH).read_text() == "authors"
    monkeypatch.setenv(MIRROR, str(tmp_path / "mirror"))
    assert source(authors.url).find(PATH).read_text() == "mirror/Tiny"
    assert source(authors.url, tmp_path / "mine").find(PATH).read_text() == "mine"
    assert len(authors.requests) == 1


def test_a_mirror_may_be_a_url(tmp_path, monkeypatch, http_folder, online):
    write(tmp_path / "mirror/Tiny" / PATH, "mirror")
    server = http_folder(tmp_path / "mirror")
    authors = http_folder(tmp_path)
    monkeypatch.setenv(MIRROR, f"{server.url}/")
    assert source(authors.url).find(PATH).read_text() == "mirror"
    assert server.requests == [("GET", f"/Tiny/{PATH}", None)]
    assert authors.requests == []


def test_the_password_of_a_mirror_is_sent_and_shown_nowhere(monkeypatch, online):
    with FaultyServer({f"Tiny/{PATH}": b"mirror"}) as server:
        monkeypatch.setenv(MIRROR, server.url.replace("http://", "http://anna:s3cret%40word@"))
        assert source().find(PATH).read_text() == "mirror"
        assert [one["headers"]["Authorization"] for one in server.requests] == ["Basic YW5uYTpzM2NyZXRAd29yZA=="]
        assert source().key == f"mirror={server.url}"
        with pytest.raises(RawFilesNotFoundError, match=r"http://127\.0\.0\.1:\d+/Tiny/gone answers 404") as caught:
            source().find("gone")
    assert not {"anna", "s3cret"} & set(re.findall(r"\w+", str(caught.value)))


@pytest.mark.parametrize("mirror", ["http://anna:s3cret@[::1", "http://anna:s3cret@", "ftp://anna:s3cret@host/x"])
def test_a_mirror_that_cannot_be_one_is_named_without_its_password(mirror, monkeypatch, online):
    monkeypatch.setenv(MIRROR, mirror)
    with pytest.raises((ValueError, RawFilesNotFoundError), match="mirror") as caught:
        source().find(PATH)
    assert "s3cret" not in str(caught.value)


def test_names_are_quoted_in_urls(tmp_path, http_folder, online):
    write(tmp_path / "a b/50%.txt", "odd name")
    assert source(http_folder(tmp_path).url).find("a b/50%.txt").read_text() == "odd name"


def test_each_way_has_a_key_of_its_own(tmp_path, monkeypatch):
    keys = [source().key, source(data_dir=tmp_path).key]
    for mirror in ("https://one.example", "https://two.example"):
        monkeypatch.setenv(MIRROR, mirror)
        keys.append(source().key)
    assert len(set(keys)) == 4


@pytest.mark.parametrize("inside", ["", "data", "data/deep"])
def test_data_dir_may_be_a_folder_inside_the_repository(inside, tmp_path):
    write(tmp_path / PATH, "raw")
    assert source(data_dir=tmp_path / inside).find(PATH).read_text() == "raw"


def test_the_longest_path_in_data_dir_wins(tmp_path):
    write(tmp_path / "raw.txt", "another file of that name")
    write(tmp_path / PATH, "raw")
    assert source(data_dir=tmp_path).find(PATH).read_text() == "raw"


def test_a_data_dir_that_is_no_folder_is_named(tmp_path):
    with pytest.raises(
        RawFilesNotFoundError, match=r"data_dir='.*missing' is no folder\. Expected the folder of Tiny"
    ):
        source(data_dir=tmp_path / "missing")


WAYS = (
    r"Three ways out: \(1\) data_dir=<folder of Tiny from https://example\.org/tiny>; "
    r"\(2\) HF_FEWSHOT_MIRROR=<folder or URL that holds Tiny/\.\.\.>; "
    r"\(3\) a connection to http.*\. To try things out without the data: sample=True"
)


@pytest.mark.parametrize("place", ["data_dir", "mirror folder", "mirror url", "authors"])
def test_a_missing_file_is_an_error_that_names_all_three_ways(place, tmp_path, monkeypatch, http_folder, online):
    server = http_folder(tmp_path)
    if place.startswith("mirror"):
        monkeypatch.setenv(MIRROR, server.url if place == "mirror url" else str(tmp_path))
    reason = {
        "data_dir": r"data_dir='.*' does not hold it",
        "mirror folder": r"the mirror '.*' does not hold Tiny/data/deep/raw\.txt",
        "mirror url": r"http://127\.0\.0\.1:\d+/Tiny/data/deep/raw\.txt answers 404 Not Found",
        "authors": r"http://127\.0\.0\.1:\d+/data/deep/raw\.txt answers 404 Not Found",
    }[place]
    with pytest.raises(RawFilesNotFoundError, match=rf"tiny needs data/deep/raw\.txt: {reason}\. {WAYS}"):
        source(server.url, tmp_path if place == "data_dir" else None).find(PATH)


def test_licensed_files_are_not_asked_for(online):
    licensed = Source("tiny", Repository("Tiny", "https://example.org/tiny"))
    message = r"Tiny may not be downloaded; see https://example\.org/tiny.*\(3\) no download: the files are licensed"
    with pytest.raises(RawFilesNotFoundError, match=message):
        licensed.find(PATH)


def test_a_data_dir_may_hold_a_part_of_the_files_but_not_nothing(tmp_path):
    paths = ["data/a.txt", "data/b.txt", "data/c.txt", "data/d.txt"]
    with pytest.raises(
        RawFilesNotFoundError, match=r"data/a\.txt, data/b\.txt, data/c\.txt and 1 more: data_dir='.*' holds"
    ):
        source(data_dir=tmp_path).find_present(paths)
    write(tmp_path / "data/b.txt", "b")
    assert source(data_dir=tmp_path).find_present(paths) == {"data/b.txt": tmp_path / "data/b.txt"}


def test_offline_the_authors_are_never_asked(tmp_path, http_folder):
    write(tmp_path / "authors" / PATH, "raw")
    server = http_folder(tmp_path / "authors")
    with pytest.raises(RawFilesNotFoundError, match="HF_HUB_OFFLINE is set and it was not downloaded before"):
        source(server.url).find(PATH)
    assert server.requests == []


def test_offline_an_earlier_download_is_used(tmp_path, monkeypatch, http_folder):
    write(tmp_path / "authors" / PATH, "raw")
    server = http_folder(tmp_path / "authors")
    with monkeypatch.context() as patched:
        patched.setattr(constants, "HF_HUB_OFFLINE", False)
        found = source(server.url).find(PATH)
    assert source(server.url).find(PATH) == found
    assert len(server.requests) == 1
    assert found.is_relative_to(download_folder())


@pytest.mark.parametrize("kind", ["folder", "url"])
def test_a_file_of_the_mirror_with_a_wrong_checksum_is_refused(kind, tmp_path, monkeypatch, http_folder):
    file = write(tmp_path / "mirror/Tiny" / PATH, "another version")
    mirror = tmp_path / "mirror"
    monkeypatch.setenv(MIRROR, http_folder(mirror).url if kind == "url" else str(mirror))
    known = source(checksums=checksums(tmp_path, "the right one"))
    with pytest.raises(RawFilesNotFoundError, match=r"raw\.txt has SHA-256 \w{64}, expected \w{64}; it is damaged or"):
        known.find(PATH)
    file.write_text("the right one")
    assert known.find(PATH).read_text() == "the right one"


def test_files_in_data_dir_may_be_the_users_own(tmp_path):
    write(tmp_path / PATH, "mine")
    known = source(data_dir=tmp_path, checksums=checksums(tmp_path, "the authors'"))
    assert known.find(PATH).read_text() == "mine"


ARCHIVES = {"data/deep": ("data/deep.zip", "https://example.org/deep.zip")}


@pytest.mark.parametrize("name", ["raw.txt", "deep/raw.txt"])
@pytest.mark.parametrize("place", ["data_dir", "inside data_dir", "mirror folder", "mirror url"])
def test_a_file_in_an_archive_is_read(name, place, tmp_path, monkeypatch, http_folder):
    # With the folder itself in the archive (as in Few-NERD's) or only what is in it.
    root = tmp_path / "mirror/Tiny"
    (root / "data").mkdir(parents=True)
    with zipfile.ZipFile(root / "data/deep.zip", "w") as packed:
        packed.writestr(name, "packed")
    if place.startswith("mirror"):
        mirror = tmp_path / "mirror"
        monkeypatch.setenv(MIRROR, http_folder(mirror).url if place == "mirror url" else str(mirror))
    data_dir = {"data_dir": root, "inside data_dir": root / "data"}.get(place)
    packed_source = source(None, data_dir, archives=ARCHIVES)
    assert packed_source.find(PATH).read_text() == "packed"
    with pytest.raises(
        RawFilesNotFoundError, match=r"data/deep/other\.txt.*\(3\) a connection to https://example\.org"
    ):
        packed_source.find("data/deep/other.txt")


# End to end: raw files in the authors' layout, small and written by hand. The published files of FewJoint 1.0 have no
# known checksum in the project, so others may stand for them; those of FewRel have.

FEWREL = {
    "data/train_wiki.json": {
        "P1": [{"tokens": ["Rome", "is", "in", "Italy"], "h": ["rome", "Q1", [[0]]], "t": ["italy", "Q2", [[3]]]}]
    },
    "data/val_pubmed.json": {
        "treats": [{"tokens": ["aspirin", "helps"], "h": ["aspirin", "C1", [[0]]], "t": ["helps", "C2", [[1]]]}]
    },
}


@pytest.mark.parametrize("kind", ["folder", "url"])
def test_fewrel_loads_from_a_mirror(kind, tmp_path, monkeypatch, http_folder):
    known = [checksums(tmp_path, json.dumps(document), path).read_text() for path, document in FEWREL.items()]
    builder = resolve(BENCHMARKS["fewrel"])
    own = replace(builder.REPOSITORY, checksums=write(tmp_path / "own.txt", "".join(known)))
    monkeypatch.setattr(builder, "REPOSITORY", own)
    for path, document in FEWREL.items():
        write(tmp_path / "mirror/FewRel" / path, document)
    server = http_folder(tmp_path / "mirror")
    monkeypatch.setenv(MIRROR, server.url if kind == "url" else str(tmp_path / "mirror"))
    data = load_dataset("fewrel", domain="pubmed", cache_dir=str(tmp_path / "cache"))
    assert data["train"]["tokens"][:] == [["Rome", "is", "in", "Italy"]]
    assert data["validation"]["relation"][:] == ["treats"]
    assert data["validation"][0]["head"]["mentions"] == [{"start": 0, "end": 1}]
    # The third request asks for the names of the relations, which this mirror does not have.
    assert len(server.requests) == (3 if kind == "url" else 0)


@pytest.mark.parametrize("kind", ["folder", "url"])
def test_fewrel_from_a_mirror_with_another_version_of_a_known_file_is_refused(
    kind, tmp_path, monkeypatch, http_folder
):
    write(tmp_path / "mirror/FewRel/data/train_wiki.json", FEWREL["data/train_wiki.json"])
    write(tmp_path / "mirror/FewRel/data/val_wiki.json", FEWREL["data/train_wiki.json"])
    mirror = tmp_path / "mirror"
    monkeypatch.setenv(MIRROR, http_folder(mirror).url if kind == "url" else str(mirror))
    expected = "8e9e58a05d559be773cbe18a8d4a16ba17e6d397663f9f05a056f894a94b92c1"
    with pytest.raises(RawFilesNotFoundError, match=rf"train_wiki\.json has SHA-256 \w{{64}}, expected {expected}"):
        load_dataset("fewrel", cache_dir=str(tmp_path / "cache"))


def test_fewjoint_1_0_loads_from_a_mirror_at_a_url(tmp_path, monkeypatch, http_folder):
    part = {"seq_ins": [["你", "好"]], "seq_outs": [["O", "O"]], "labels": [["GREET"]]}
    folder = "data/FewJoint1.0/result/SMP_data_slu_3/smp.spt_s_3.q_s_4.ep_50.cross_id_0"
    for split in ("train", "dev", "test"):
        write(tmp_path / f"FewShotJoint/{folder}/{split}.json", {split: [{"support": part, "query": part}]})
    monkeypatch.setenv(MIRROR, http_folder(tmp_path).url)
    data = load_dataset("fewjoint", data_version="1.0", cache_dir=str(tmp_path / "cache"))
    assert {split: rows["domain"][:] for split, rows in data.items()} == {
        "train": ["train"],
        "validation": ["dev"],
        "test": ["test"],
    }


def test_released_episodes_of_few_nerd_are_read_from_the_archive_in_data_dir(tmp_path):
    part = {"word": [["rome"]], "label": [["location-GPE"]]}
    episode = {"support": part, "query": part, "types": ["location-GPE"]}
    with zipfile.ZipFile(tmp_path / "episode-data.zip", "w") as packed:
        for split in ("train", "dev", "test"):
            packed.writestr(f"episode-data/inter/{split}_5_1.jsonl", json.dumps(episode) + "\n")
    options = {"data_dir": str(tmp_path), "n_way": 5, "shots": 1}
    data = load_dataset("few_nerd", "inter", **options, cache_dir=str(tmp_path / "cache"))
    assert [rows["classes"][:] for rows in data.values()] == [[["location-GPE"]]] * 3


@pytest.mark.parametrize(
    ("name", "config", "options", "way"),
    [
        ("clues", "sst2", {}, "a connection to https://raw.githubusercontent.com/microsoft/CLUES/HEAD"),
        ("fewjoint", "episodes", {}, "a connection to https://raw.githubusercontent.com/AtmaHou/FewShotJoint/"),
        ("fewrel", None, {}, "a connection to https://raw.githubusercontent.com/thunlp/FewRel/HEAD"),
        ("few_nerd", "inter", {}, "a connection to the Hub"),
        (
            "few_nerd",
            "inter",
            {"n_way": 5, "shots": 1, "episodes": "released"},
            "a connection to https://cloud.tsinghua.edu.cn",
        ),
        ("fs_tacred", None, {}, "no download: the files are licensed"),
    ],
)
def test_offline_without_files_every_benchmark_names_three_ways(name, config, options, way, tmp_path):
    with pytest.raises(RawFilesNotFoundError, match="Three ways out") as caught:
        load_dataset(name, config, **options, cache_dir=str(tmp_path / "cache"))
    message = str(caught.value)
    for part in ("(1) data_dir=<folder", f"(2) {MIRROR}=<folder or URL that holds", f"(3) {way}", "sample=True"):
        assert part in message
