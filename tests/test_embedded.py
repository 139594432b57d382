"""Pretrained encoders inside pip packages."""

import importlib.metadata
import json

import pytest
import torch
from huggingface_hub import constants
from safetensors import safe_open

import hf_fewshot
from hf_fewshot import embedded
from hf_fewshot.embedded import embedded_encoder


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A fresh Hugging Face cache."""
    monkeypatch.setattr(constants, "HF_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with an encoder in the old format of weights."""
    folder = tmp_path / "packages" / "old_encoder" / "tiny"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (folder / "vocab.txt").write_text("[PAD]\n[UNK]\n")
    (folder / "README.md").write_text("not needed")
    torch.save(
        {"a.weight": torch.arange(6.0).reshape(2, 3).t(), "a.bias": torch.ones(2)}, folder / "pytorch_model.bin"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    monkeypatch.setitem(embedded.ENCODERS, "tiny", ("old_encoder", "tiny", "hf_fewshot"))
    return folder


def test_weights_of_another_format_are_converted_once(package, home):
    folder = embedded_encoder("tiny")
    name = f"tiny-{importlib.metadata.version('hf_fewshot')}"
    assert folder == home / "hf_fewshot" / "models" / name
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors", "vocab.txt"]
    assert sorted(path.name for path in folder.parent.iterdir()) == [name, f"{name}.lock"]
    with safe_open(folder / "model.safetensors", "pt") as file:
        assert file.get_tensor("a.weight").tolist() == [[0, 3], [1, 4], [2, 5]]
        assert file.metadata() == {"format": "pt"}
    # Nothing is read again.
    (package / "pytorch_model.bin").unlink()
    assert embedded_encoder("tiny") == folder


def test_a_conversion_that_fails_leaves_nothing_behind(package, home, monkeypatch):
    def fail(*arguments, **options):
        raise OSError("disk full")

    monkeypatch.setattr("safetensors.torch.save_file", fail)
    with pytest.raises(OSError, match="disk full"):
        embedded_encoder("tiny")
    assert [path.suffix for path in (home / "hf_fewshot" / "models").iterdir()] == [".lock"]
    monkeypatch.undo()


def test_other_weights_under_the_same_name_are_refused(package, home, monkeypatch):
    monkeypatch.setitem(embedded.CHECKSUMS, "tiny", "0" * 64)
    with pytest.raises(ValueError, match=r"is not the tiny this version knows: SHA-256 \w{64}, expected 0{64}"):
        embedded_encoder("tiny")


@pytest.mark.real_model
def test_the_installed_weights_are_the_known_ones(home):
    assert (embedded_encoder("all-MiniLM-L6-v2") / "model.safetensors").exists()


def test_unknown_and_missing_encoders_say_what_to_do(monkeypatch):
    with pytest.raises(ValueError, match=r"Unknown embedded encoder 'm3e-smal'\. Did you mean 'm3e-small'\?"):
        embedded_encoder("m3e-smal")
    monkeypatch.setitem(embedded.ENCODERS, "m3e-small", ("no_such_package", "x", "x"))
    with pytest.raises(
        ModuleNotFoundError, match=r"m3e-small is not installed. Run: pip install hf_fewshot\[embedded\]"
    ):
        embedded_encoder("m3e-small")


@pytest.mark.real_model
def test_m3e_small_is_converted_into_a_fresh_cache_and_loads(home):
    folder = embedded_encoder("m3e-small")
    assert folder.is_relative_to(home)
    written = (folder / "model.safetensors").stat().st_mtime_ns
    model, tokenizer = hf_fewshot.JointModel.from_encoder(folder, "joint_proto")
    assert (model.encoder.config.num_hidden_layers, model.method.dim) == (4, 512)
    assert tokenizer.tokenize("今天天气") == ["今", "天", "天", "气"]
    assert embedded_encoder("m3e-small") == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == written
