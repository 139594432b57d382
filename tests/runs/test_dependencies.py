"""A finished run answers only for the data, code, files and weights that it was made from."""

import importlib
import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import hf_fewshot
from hf_fewshot.data.samples import sample_folder
from hf_fewshot.entries import MethodEntry, SystemEntry
from hf_fewshot.methods.prototypes import Prototypes
from hf_fewshot.registry import METHODS, SYSTEMS, register_method
from hf_fewshot.runs.dependencies import changes, named_things
from hf_fewshot.runs.execution import ChangedError, execute, finished
from hf_fewshot.runs.folder import find_records
from hf_fewshot.runs.own_code import UNREADABLE, sources
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of
from tests.runs.fewrel import FEWREL

DATA = {"n_way": 3, "shots": 1, "n_episodes": 6, "nota_rate": 0.5}
TRAINING = {"max_steps": 1, "per_device_train_batch_size": 2, "data": {"n_episodes": 4}}
METHOD = """
from hf_fewshot.methods.prototypes import Prototypes
from {name}_scale import SCALE


class Mine(Prototypes):
    def forward(self, *arguments):
        return SCALE * super().forward(*arguments)
"""


@pytest.fixture
def raw(tmp_path):
    """Raw files of FewRel in a folder of the test's own."""
    folder = tmp_path / "raw"
    shutil.copytree(sample_folder("fewrel"), folder)
    return folder


def change(folder, name="val_wiki.json"):
    """Renames a word of the first sentence of each relation; ids and episodes stay as they are."""
    (path,) = folder.rglob(name)
    content = json.loads(path.read_text())
    for rows in content.values():
        head = rows[0]["h"][2][0][0]
        rows[0]["tokens"][head] = "elsewhere"
    path.write_text(json.dumps(content))


def run_of(method="one_class", **changes):
    return Run("fewrel", method, **({"data": DATA, "split": "validation"} | changes))


def test_an_unchanged_run_is_read(raw, tmp_path):
    source = {"data_dir": str(raw)}
    first = execute(run_of(), tmp_path / "results", source=source, progress=False)
    assert finished(run_of(), tmp_path / "results", source=source) == first
    assert [one["part"] for one in first.depends_on["data"]] == ["episodes"]


def test_the_same_data_elsewhere_is_the_same(raw, tmp_path):
    first = execute(run_of(), tmp_path / "results", source={"data_dir": str(raw)}, progress=False)
    moved = raw.rename(tmp_path / "moved")
    assert execute(run_of(), tmp_path / "results", source={"data_dir": str(moved)}, progress=False) == first


def test_the_same_rows_in_other_bytes_are_the_same_data(raw, tmp_path):
    first = execute(run_of(), tmp_path / "results", source={"data_dir": str(raw)}, progress=False)
    (path,) = raw.rglob("val_wiki.json")
    path.write_text(json.dumps(json.loads(path.read_text()), indent=2))
    assert execute(run_of(), tmp_path / "results", source={"data_dir": str(raw)}, progress=False) == first


def test_rewritten_data_stop_the_run(raw, tmp_path):
    source = {"data_dir": str(raw)}
    execute(run_of(), tmp_path / "results", source=source, progress=False)
    change(raw)
    with pytest.raises(
        ChangedError, match=r"has changed since .*: episodes \(was [0-9a-f]{12}, is [0-9a-f]{12}\)\. To"
    ):
        execute(run_of(), tmp_path / "results", source=source, progress=False)


def test_another_folder_of_data_stops_the_run(raw, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(raw, other)
    change(other)
    execute(run_of(), tmp_path / "results", source={"data_dir": str(raw)}, progress=False)
    with pytest.raises(ChangedError, match="what its result depends on has changed"):
        execute(run_of(), tmp_path / "results", source={"data_dir": str(other)}, progress=False)


def test_made_again_both_results_are_kept(raw, tmp_path):
    results, source = tmp_path / "results", {"data_dir": str(raw)}
    first = execute(run_of(), results, source=source, progress=False)
    change(raw)
    second = execute(run_of(), results, source=source, progress=False, again=True)
    assert first.depends_on != second.depends_on
    assert execute(run_of(), results, source=source, progress=False, again=True) == second
    (earlier,) = (results / "earlier").iterdir()
    assert Record.read(earlier) == first
    assert (earlier / "predictions.jsonl").exists()
    assert find_records(results).records == {results / run_of().name: second}


def test_a_damaged_record_can_be_made_again(tmp_path, raw):
    results, source = tmp_path / "results", {"data_dir": str(raw)}
    first = execute(run_of(), results, source=source, progress=False)
    (results / run_of().name / "record.json").write_text("{")
    with pytest.raises(ValueError, match="is damaged"):
        execute(run_of(), results, source=source, progress=False)
    assert execute(run_of(), results, source=source, progress=False, again=True).scores == first.scores


def test_a_model_trained_on_other_data_is_not_used(raw, encoder, tmp_path):
    results, source = tmp_path / "results", {"data_dir": str(raw)}
    run = run_of("proto", model=str(encoder), training=TRAINING)
    first = execute(run, results, source=source, progress=False)
    assert [one["part"] for one in first.depends_on["data"]] == ["training episodes", "episodes"]
    other_draw = replace(run, data={**DATA, "seed": 5})
    assert "train" not in execute(other_draw, results, source=source, progress=False).seconds
    change(raw, "train_wiki.json")
    with pytest.raises(ChangedError, match=r": training episodes \(was"):
        execute(run, results, source=source, progress=False)
    another = replace(run, data={**DATA, "seed": 6})
    assert execute(another, results, source=source, progress=False).seconds["train"] > 0
    assert len([path for path in (results / "models").iterdir() if path.name[0] != "."]) == 2
    again = execute(run, results, source=source, progress=False, again=True)
    assert "train" not in again.seconds  # the model of the run before it
    (earlier,) = (results / "earlier").iterdir()
    assert (earlier / "model" / "config.json").exists()
    assert os.path.realpath(earlier / "model") != os.path.realpath(results / run.name / "model")


def test_other_weights_under_the_same_name_stop_the_run(encoder, tmp_path):
    copy = tmp_path / "encoder"
    shutil.copytree(encoder, copy)
    run = run_of("proto", model=str(copy), data={**DATA, "sample": True})
    execute(run, tmp_path / "results", progress=False)
    (copy / "README.md").write_text("a card")
    execute(run, tmp_path / "results", progress=False)
    weights = load_file(copy / "model.safetensors")
    name = next(name for name in weights if name.endswith("word_embeddings.weight"))
    save_file({**weights, name: torch.flip(weights[name], (0,))}, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ChangedError, match=r": model \(was [0-9a-f]{12}, is"):
        execute(run, tmp_path / "results", progress=False)


@pytest.fixture
def own_method(tmp_path, monkeypatch):
    """A method of one's own in two files, under a name of its own."""
    monkeypatch.syspath_prepend(tmp_path)
    name = f"hf_fewshot_mine_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}_scale.py").write_text("SCALE = 2\n")
    (tmp_path / f"{name}.py").write_text(METHOD.format(name=name))
    register_method(name, f"{name}:Mine", tasks=("relation",))
    yield name
    for known in (METHODS, SYSTEMS):
        del known[name]


@pytest.mark.parametrize("file", ["", "_scale"])
def test_an_edited_method_stops_the_run(own_method, encoder, tmp_path, file):
    run = run_of(own_method, model=str(encoder), data={**DATA, "sample": True})
    record = execute(run, tmp_path / "results", progress=False)
    assert sorted(record.depends_on["files"]) == ["model", f"source of {own_method}", f"source of {own_method}_scale"]
    module = sys.modules[f"{own_method}{file}"]
    path = Path(module.__file__)
    path.write_text(path.read_text().replace("SCALE = 2", "SCALE = -2") + "# edited\n")
    # What runs in this process is still the method as it was loaded.
    assert execute(run, tmp_path / "results", progress=False) == record
    importlib.reload(module)
    with pytest.raises(ChangedError, match=rf": source of {own_method}{file} \(was [0-9a-f]{{12}}, is"):
        execute(run, tmp_path / "results", progress=False)


def test_a_method_that_has_become_another_one_stops_the_run(encoder, tmp_path, monkeypatch):
    """NAV, MNAV, Threshold and Sentence-Pair of before had other heads; the options were called the same."""
    run = run_of("mnav", model=str(encoder), training=TRAINING, data={**DATA, "sample": True})
    monkeypatch.setattr("hf_fewshot.methods.none_of_the_above.NoneOfTheAbove.version", 1)
    assert "version of mnav" not in named_things(run, data_of(run))
    execute(run, tmp_path, progress=False)
    assert finished(run, tmp_path) is not None
    monkeypatch.undo()
    assert named_things(run, data_of(run))["version of mnav"] == "2"
    with pytest.raises(ChangedError, match=r"version of mnav \(was not there, is 2\)"):
        finished(run, tmp_path)
    models = set((tmp_path / "models").glob("fewrel_mnav*"))
    execute(run, tmp_path, progress=False, again=True)
    # Its model is trained anew.
    assert len(set((tmp_path / "models").glob("fewrel_mnav*")) - models) == 1
    assert finished(run, tmp_path).depends_on["files"]["version of mnav"] == "2"
    other = replace(run, method="proto")
    assert not any(name.startswith("version") for name in named_things(other, data_of(other)))


def test_a_system_of_ones_own_stops_the_run_when_it_is_edited(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    source = (
        "from hf_fewshot import System\n\n\nclass Own(System):\n    @classmethod\n    def fit(cls, work):\n"
        "        return cls()\n\n    def predict(self, episodes, setup):\n"
        "        return [['NOTA'] * len(one.query) for one in episodes]\n"
    )
    (tmp_path / "own_system_of_a_test.py").write_text(source)
    monkeypatch.setitem(SYSTEMS, "always_the_same", SystemEntry("own_system_of_a_test:Own", ("relation",)))
    run = run_of("always_the_same", data={**DATA, "sample": True})
    execute(run, tmp_path / "results", progress=False)
    (tmp_path / "own_system_of_a_test.py").write_text(source + "# edited\n")
    importlib.reload(sys.modules["own_system_of_a_test"])
    with pytest.raises(ChangedError, match="source of own_system_of_a_test"):
        execute(run, tmp_path / "results", progress=False)


def test_the_source_of_a_method_is_all_that_it_imports_from_its_package(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    files = {
        "__init__.py": "",
        "constants.py": "A = 1",
        "methods/__init__.py": "",
        "methods/own.py": "import torch, json\nfrom ..constants import A\nfrom own_package_of_a_test import late\n\n\n"
        "def predict(work):\n    import own_package_of_a_test.later as also, beside_of_a_test\n",
        "late.py": "from . import constants",
        "later.py": "this is no Python",
        "unused.py": "",
    }
    for name, text in files.items():
        path = tmp_path / "own_package_of_a_test" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "beside_of_a_test.py").write_text("")
    monkeypatch.setitem(SYSTEMS, "own", SystemEntry("own_package_of_a_test.methods.own:predict", ("relation",)))
    package = "own_package_of_a_test"
    expected = ["constants", "late", "later", "methods", "methods.own"]
    assert list(sources("own")) == ["beside_of_a_test", package, *(f"{package}.{name}" for name in expected)]


def test_of_a_method_typed_in_a_notebook_the_class_is_compared(monkeypatch):
    kind = type("Typed", (Prototypes,), {"__module__": "__main__"})
    monkeypatch.setattr(sys.modules["__main__"], "Typed", kind, raising=False)
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    monkeypatch.setitem(METHODS, "typed", MethodEntry("__main__:Typed", ("relation",)))
    monkeypatch.setitem(SYSTEMS, "typed", SYSTEMS["proto"])
    assert named_things(run_of("typed"), data_of(run_of("typed"))) == {"source of __main__.Typed": UNREADABLE}


def test_an_edited_file_of_the_options_stops_the_run(tmp_path):
    path = tmp_path / "format.yaml"
    path.write_text("one")
    run = run_of("in_context", options={"format": str(path), "endpoint": "http://localhost:1"}, model="m")
    before = named_things(run, data_of(run))
    path.write_text("two")
    assert (
        before.keys() == named_things(run, data_of(run)).keys() == {"file of option format", "version of in_context"}
    )
    assert before != named_things(run, data_of(run))


def test_files_of_nested_options_are_named_by_their_place(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("one")
    run = run_of(training={"data": {"words": str(path)}, "max_steps": 3}, options={"long": "x" * 9999, "nul": "\0"})
    assert list(named_things(run, data_of(run))) == ["file of training data.words"]


def test_seed_and_split_are_other_runs(raw, tmp_path):
    runs = [run_of(), run_of(seed=1), run_of(split="train")]
    records = [execute(run, tmp_path, source={"data_dir": str(raw)}, progress=False) for run in runs]
    assert len({run.name for run in runs}) == 3
    assert [record.run for record in records] == runs


def test_a_changed_grammar_of_the_sample_data_stops_the_run(raw, tmp_path, monkeypatch):
    run = run_of(data={**DATA, "sample": True})
    execute(run, tmp_path / "results", progress=False)
    change(raw)
    monkeypatch.setattr("hf_fewshot.data.builder_files.sample_folder", lambda _: raw)
    with pytest.raises(ChangedError, match=r"episodes \(was"):
        execute(run, tmp_path / "results", progress=False)


def test_a_fold_of_clues_depends_on_its_two_files_alone(shared_data, tmp_path):
    folder = tmp_path / "CLUES/data/JSON/CLUES-JSON"
    shutil.copytree(shared_data / "CLUES/data/JSON/CLUES-JSON/SST-2", folder / "SST-2")
    run = Run("clues", "most_frequent", "sst2", {"shots": 10, "fold": 2})
    source = {"data_dir": str(tmp_path / "CLUES")}
    record = execute(run, tmp_path / "results", source=source, progress=False)
    for path in (folder / "SST-2").glob("*_1.jsonl"):
        path.write_text("")
    assert execute(run, tmp_path / "results", source=source, progress=False) == record
    (test,) = (folder / "SST-2").glob("*test.jsonl")
    test.write_text(test.read_text().replace('["positive"]', '["negative"]', 1))
    with pytest.raises(ChangedError, match=r"episodes \(was"):
        execute(run, tmp_path / "results", source=source, progress=False)


def test_a_record_of_an_earlier_version_is_compared_by_its_episodes(raw, tmp_path):
    results, source = tmp_path / "results", {"data_dir": str(raw)}
    record = execute(run_of(), results, source=source, progress=False)
    folder = results / run_of().name
    replace(record, depends_on={}).write(folder)
    assert execute(run_of(), results, source=source, progress=False).scores == record.scores
    replace(record, depends_on={}, episodes={**record.episodes, "fingerprint": "0" * 64}).write(folder)
    with pytest.raises(ChangedError, match=r"episodes \(were 000000000000, are [0-9a-f]{12}\)"):
        execute(run_of(), results, source=source, progress=False)


def test_own_code_of_a_record_of_an_earlier_version_is_not_known(own_method, encoder, tmp_path):
    run = run_of(own_method, model=str(encoder), data={**DATA, "sample": True})
    record = execute(run, tmp_path / "results", progress=False)
    replace(record, depends_on={}).write(tmp_path / "results" / run.name)
    with pytest.raises(ChangedError, match=rf"source of {own_method} \(not recorded\)"):
        execute(run, tmp_path / "results", progress=False)


def test_a_record_cannot_make_a_run_read_what_it_does_not_name(raw, tmp_path):
    source = {"data_dir": str(raw)}
    record = execute(run_of(), tmp_path / "results", source=source, progress=False)
    (reading,) = record.depends_on["data"]
    outside = tmp_path / "outside"
    for part, options in (("training episodes", {"cache_dir": str(outside)}), ("rows", {"split": "/"}), ("x", {})):
        doctored = {**record.depends_on, "data": [{**reading, "part": part, "options": options, "files": "0"}]}
        found = changes(replace(record, depends_on=doctored), run_of(), data_of(run_of(), source))
        assert [one.endswith("(this run does not read it)") for one in found] == [True]
    assert not outside.exists()


def test_the_record_of_another_run_in_a_folder_is_refused(raw, tmp_path):
    source = {"data_dir": str(raw)}
    execute(run_of(), tmp_path, source=source, progress=False)
    shutil.copytree(tmp_path / run_of().name, tmp_path / run_of(seed=1).name)
    with pytest.raises(
        ChangedError, match="holds the record of another run, fewrel_n_way=3_shots=1_one_class_seed=0_"
    ):
        execute(run_of(seed=1), tmp_path, source=source, progress=False)


def test_a_password_in_an_option_is_in_no_file_and_not_in_the_name():
    options = {"endpoint": "http://me:secret@localhost/v1", "format": "relation"}
    run = run_of("in_context", options=options)
    other = run_of("in_context", options={**options, "endpoint": "http://me:other@localhost/v1"})
    assert run.name == other.name == run.shown.name
    assert "secret" not in repr(run.shown)
    assert run.options["endpoint"] == "http://me:secret@localhost/v1"


def test_a_long_chinese_name_fits_a_file_system():
    name = run_of(system="联合意图与槽位原型网络" * 30).name
    assert len(name.encode()) < 230
    assert (
        run_of(system="ProtoBERT").name
        == "fewrel_n_way=3_shots=1_ProtoBERT_seed=0_" + run_of(system="ProtoBERT").digest
    )


def test_digests_of_records_are_those_of_their_folders(project):
    paths = sorted((project / "docs/records").rglob("record.json"))
    assert len(paths) > 100
    assert [path for path in paths if hf_fewshot.Record.read(path).run.name != path.parent.name] == []


def test_an_encoder_of_the_options_is_among_what_a_run_depends_on(encoder, tmp_path):
    options = {"demonstrations": "nearest", "n_demonstrations": 2, "encoder": str(encoder)}
    run = Run("fewrel", "in_context", None, FEWREL, "validation", options=options, model="m")
    found = named_things(run, data_of(run))
    assert found.keys() == {"model of option encoder", "version of in_context"}
    assert len(found["model of option encoder"]) == 64
    embedded = replace(run, options={**options, "encoder": "all-MiniLM-L6-v2"})
    assert named_things(embedded, data_of(embedded)).keys() == {"version of in_context"}
