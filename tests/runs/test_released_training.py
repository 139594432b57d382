"""StructShot begins with the released training episodes where those that are predicted are released."""

import json
from dataclasses import replace

import pytest
from safetensors.torch import load_file

from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.methods.nearest_neighbour import StructShot
from hf_fewshot.runs.execution import ChangedError, execute, finished
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.training import FOLDER as MODELS

SHOWN_TWICE = ("anna lives in paris .", "person O O place O")
OTHER = ("tom works at acme corp", "person O O O place")
LAST = ("bern", "place")
TRAINING = {"max_steps": 1, "per_device_train_batch_size": 1}
# Of the tags of train episodes, SHOWN_TWICE twice, in the order of `ABSTRACT`: START is person, person, person, place.
# From O: O 2 + 2, an entity 2 + 1. From an entity: O 4 + 1.
ALL_EPISODES = [0 / 4, 4 / 4, 4 / 7, 3 / 7, 5 / 5, 0, 0]


def part(*sentences):
    return {"word": [words.split() for words, _ in sentences], "label": [tags.split() for _, tags in sentences]}


def released(support, query):
    return json.dumps({"support": part(*support), "query": part(*query), "types": ["person", "place"]}) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Released episodes, and other sentences that episodes could be sampled from."""
    episodes = tmp_path / "raw" / "data" / "episode-data" / "inter"
    episodes.mkdir(parents=True)
    train = released([SHOWN_TWICE], [OTHER]) + released([SHOWN_TWICE], [LAST])
    (episodes / "train_2_1.jsonl").write_text(train)
    (episodes / "test_2_1.jsonl").write_text(released([SHOWN_TWICE], [OTHER, LAST]))
    sentences = tmp_path / "raw" / "data" / "inter"
    sentences.mkdir()
    tagged = "in\tO\nparis\tplace\nlives\tO\ntom\tperson\n.\tO\n\nanna\tperson\n\nin\tO\nrome\tplace\n"
    for name in ("train", "dev", "test"):
        (sentences / f"{name}.txt").write_text(tagged)
    return tmp_path / "raw"


def run_of(bert, **changes):
    data = {"n_way": 2, "shots": 1}
    return Run("few_nerd", "structshot", **({"config": "inter", "data": data, "model": str(bert)} | changes))


def begun_with(monkeypatch):
    """What StructShot counts on, as it comes."""
    counted = []
    count = StructShot.set_transitions
    monkeypatch.setattr(StructShot, "set_transitions", lambda self, tags: counted.append(tags) or count(self, tags))
    return counted


def test_transitions_are_counted_on_every_sentence_of_the_released_train_episodes(bert, folder, tmp_path, monkeypatch):
    counted = begun_with(monkeypatch)
    record = execute(run_of(bert), tmp_path / "results", source={"data_dir": str(folder)}, progress=False)
    tags = [one[1].split() for one in (SHOWN_TWICE, OTHER, SHOWN_TWICE, LAST)]
    assert counted == [tags]
    assert [one["part"] for one in record.depends_on["data"]] == ["training episodes", "episodes"]
    method = StructShot(4)
    method.set_transitions(tags)
    assert method.abstract.tolist() == pytest.approx(ALL_EPISODES)


def test_with_sampled_episodes_they_are_counted_on_the_train_sentences(bert, folder, tmp_path, monkeypatch):
    counted = begun_with(monkeypatch)
    run = run_of(bert, data={"n_way": 2, "shots": 1, "episodes": "sampled", "n_episodes": 2})
    record = execute(run, tmp_path / "results", source={"data_dir": str(folder)}, progress=False)
    assert counted == [[["O", "place", "O", "person", "O"], ["person"], ["O", "place"]]]
    assert [one["part"] for one in record.depends_on["data"]] == ["rows", "episodes"]
    assert not record.depends_on["files"].keys() - {"model"}


def test_a_trained_network_counts_as_often_as_the_episodes_show_a_sentence(bert, folder, tmp_path):
    source = {"data_dir": str(folder)}
    execute(run_of(bert, training=TRAINING), tmp_path / "results", source=source, progress=False)
    (weights,) = (tmp_path / "results" / MODELS).glob("*/model.safetensors")
    assert load_file(weights)["method.abstract"].tolist() == pytest.approx(ALL_EPISODES)


@pytest.mark.parametrize("training", [None, TRAINING])
def test_a_record_from_before_is_seen_as_changed(bert, folder, tmp_path, training):
    source, run = {"data_dir": str(folder)}, run_of(bert, training=training)
    record = execute(run, tmp_path, source=source, progress=False)
    assert finished(run, tmp_path, source=source) == record
    files = {name: value for name, value in record.depends_on["files"].items() if "begins" not in name}
    assert len(files) == len(record.depends_on["files"]) - 1
    replace(record, depends_on={**record.depends_on, "files": files}).write(tmp_path / run.name)
    with pytest.raises(ChangedError, match=r"what structshot begins with \(was not there, is all episodes\)"):
        finished(run, tmp_path, source=source)


def test_records_of_methods_that_begin_with_nothing_stay_as_they_are(bert, folder, tmp_path):
    record = execute(
        replace(run_of(bert), method="nnshot"), tmp_path, source={"data_dir": str(folder)}, progress=False
    )
    assert set(record.depends_on["files"]) == {"model"}
    assert [one["part"] for one in record.depends_on["data"]] == ["episodes"]


def test_other_train_episodes_are_a_change(bert, folder, tmp_path):
    source = {"data_dir": str(folder)}
    execute(run_of(bert), tmp_path, source=source, progress=False)
    (path,) = folder.rglob("train_2_1.jsonl")
    path.write_text(released([SHOWN_TWICE], [OTHER]))
    with pytest.raises(ChangedError, match="training episodes"):
        finished(run_of(bert), tmp_path, source=source)


def test_without_the_released_train_episodes_there_is_no_number(bert, folder, tmp_path):
    (path,) = folder.rglob("train_2_1.jsonl")
    path.unlink()
    with pytest.raises(RawFilesNotFoundError, match=r"(?s)begins with the released training episodes.*episodes=\"sam"):
        execute(run_of(bert), tmp_path / "results", source={"data_dir": str(folder)}, progress=False)
    assert not list((tmp_path / "results").rglob("record.json"))
