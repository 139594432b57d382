import subprocess
import sys

import datasets
import evaluate
import pytest

import hf_fewshot
from hf_fewshot.registry import BENCHMARKS, METRICS, resolve

# Each code runs in a fork of a process that has imported what datasets and evaluate import, but neither of them.
FORKS = """
import os, sys
import pandas, pyarrow, scipy.stats, torch, transformers.pipelines
assert not {"datasets", "evaluate", "hf_fewshot"} & set(sys.modules)
for number, code in enumerate(sys.argv[1:]):
    child = os.fork()
    if child == 0:
        with open(f"{number}.txt", "w") as sys.stdout:
            exec(code)
        break
    os.waitpid(child, 0)
"""
ORDERS = ["hf_fewshot, datasets, evaluate", "datasets, evaluate, hf_fewshot"]
NAMES = (
    "import {order}\n"
    "print(datasets.get_dataset_config_names('few_nerd'))\n"
    "print(datasets.load_dataset_builder('fewrel', sample=True).info.license)\n"
    "print(evaluate.load('conlleval').name)\n"
    "import inspect; inspect.getsource(datasets.load); print(type(datasets.__spec__.loader).__name__)\n"
)
LOOKING = (
    "import hf_fewshot, importlib.util\n"
    "print(importlib.util.find_spec('datasets') is not None, importlib.util.find_spec('evaluate') is not None)\n"
    "import datasets, evaluate\n"
    "print(datasets.get_dataset_config_names('few_nerd'), evaluate.load('s1').name)\n"
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each code prints, and the errors of all."""
    folder = tmp_path_factory.mktemp("codes")
    codes = [*(NAMES.format(order=order) for order in ORDERS), LOOKING]
    result = subprocess.run([sys.executable, "-c", FORKS, *codes], capture_output=True, text=True, cwd=folder)
    assert result.returncode == 0, result.stderr
    outputs = [(folder / f"{number}.txt").read_text() for number in range(len(codes))]
    return dict(zip([*ORDERS, "looking"], outputs, strict=True)), result.stderr


@pytest.mark.parametrize("order", ORDERS)
def test_names_are_known_whichever_is_imported_first(printed, order):
    outputs, errors = printed
    assert outputs[order] == "['inter', 'intra', 'supervised']\nMIT\nslot_f1\nSourceFileLoader\n", errors


def test_looking_for_a_library_is_not_importing_it(printed):
    outputs, errors = printed
    assert outputs["looking"] == "True True\n['inter', 'intra', 'supervised'] s1\n", errors


def test_every_registered_builder_is_there_under_its_own_name():
    papers = {"clues", "few_nerd", "fewjoint", "fewrel", "fs_tacred"}
    assert set(BENCHMARKS) == papers | {"own_entities", "own_relations", "own_texts", "own_utterances"}
    for name, reference in BENCHMARKS.items():
        assert name == resolve(reference).NAME


def test_every_registered_metric_is_a_folder_with_a_module(project):
    for folder in METRICS.values():
        assert (project / "metrics" / folder / f"{folder}.py").is_file()


def test_another_library_s_error_about_a_near_name_gets_a_hint():
    with pytest.raises(Exception, match="fewjoin") as caught:
        datasets.load_dataset("fewjoin")
    assert caught.value.__notes__ == ["hf_fewshot: Did you mean 'fewjoint'?"]
    with pytest.raises(FileNotFoundError) as caught:
        evaluate.load("slot_f2")
    assert caught.value.__notes__ == ["hf_fewshot: Did you mean 'slot_f1'?"]


@pytest.mark.parametrize(
    ("name", "meant"), [("fewnerd", "few_nerd"), ("Few-Rel", "fewrel"), ("FS_TACRED", "fs_tacred")]
)
def test_a_near_name_is_told_however_it_is_capitalised(name, meant):
    with pytest.raises(Exception, match=name) as caught:
        datasets.load_dataset(name)
    assert caught.value.__notes__ == [f"hf_fewshot: Did you mean {meant!r}?"]


def test_a_near_name_is_told_where_rows_of_ours_are_kept_that_it_would_find(tmp_path):
    datasets.load_dataset("fs_tacred", sample=True, split="test", cache_dir=str(tmp_path))
    with pytest.raises(datasets.exceptions.DatasetNotFoundError, match="FS_TACRED") as caught:
        datasets.load_dataset("FS_TACRED", cache_dir=str(tmp_path))
    assert caught.value.__notes__ == ["hf_fewshot: Did you mean 'fs_tacred'?"]


@pytest.mark.parametrize("name", ["slotf1", "S1", "NOTA_F1"])
def test_a_near_name_of_a_metric_is_told(name):
    with pytest.raises(FileNotFoundError) as caught:
        evaluate.load(name)
    assert "Did you mean" in caught.value.__notes__[0]


def test_an_error_about_a_name_that_is_like_none_of_ours_stays_as_it_is():
    with pytest.raises(Exception, match="imagenet") as caught:
        datasets.load_dataset("imagenet")
    assert not hasattr(caught.value, "__notes__")


@pytest.mark.parametrize(
    ("name", "config", "splits"),
    [
        ("fewjoint", None, ["train", "validation", "test"]),
        ("clues", "sst2", ["train", "test"]),
        ("fs_tacred", None, ["train", "validation", "test"]),
    ],
)
def test_names_of_splits_are_known_without_a_download(name, config, splits, monkeypatch):
    monkeypatch.setattr("httpx.stream", None)
    assert datasets.get_dataset_split_names(name, config) == splits


def test_the_splits_of_a_folder_are_those_that_it_holds(tmp_path):
    folder = tmp_path / "data/JSON/CLUES-JSON/SST-2"
    folder.mkdir(parents=True)
    (folder / "sst_test.jsonl").write_text("")
    assert datasets.get_dataset_split_names("clues", "sst2", data_dir=str(tmp_path)) == ["test"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("fewjoint", {"version": "1.0"}, r"version='1\.0' has no effect on fewjoint\. Say data_version=\."),
        ("fewjoint", {"version": "1.1.0"}, r"version='1\.1\.0' has no effect on fewjoint\. Say data_version=\."),
        ("fewrel", {"version": "1.0.0"}, r"version='1\.0\.0' has no effect on fewrel\. Leave it out\."),
        ("fewrel", {"revision": "main"}, "revision='main' has no effect on fewrel, whose code is that of hf_fewshot"),
    ],
)
def test_versions_that_choose_nothing_are_refused(name, options, message):
    with pytest.raises(ValueError, match=message):
        datasets.load_dataset(name, sample=True, **options)


def test_our_own_loader_suggests_a_name():
    with pytest.raises(ValueError, match=r"Unknown benchmark 'fewnerd'\. Did you mean 'few_nerd'\?"):
        hf_fewshot.load_dataset("fewnerd")
    with pytest.raises(ValueError, match=r"Known: clues, few_nerd, fewjoint, fewrel, fs_tacred, own_entities"):
        hf_fewshot.load_episodes("imagenet", split="test")


def test_other_names_go_on_untouched(tmp_path):
    (tmp_path / "rows.json").write_text('{"a": 1}\n')
    assert datasets.load_dataset("json", data_files=str(tmp_path / "rows.json"))["train"][0] == {"a": 1}
