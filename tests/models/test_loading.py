"""Damaged folders of models: an error in words, before memory is taken or code is run."""

import json
import os
import pickle
import shutil
import struct

import pytest
import torch

from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.span_model import SpanModel

WEIGHTS = "model.safetensors"


@pytest.fixture
def folder(bert, tmp_path):
    return shutil.copytree(bert, tmp_path / "encoder")


def configured(**values):
    def change(folder):
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | values))

    return change


def cut_off(folder):
    data = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(data[: len(data) // 2])


def long_header(folder):
    data = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", 1 << 40) + data[8:])


class Touch:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def pickles_only(folder):
    (folder / WEIGHTS).unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Touch(folder / "owned")))


DAMAGE = {
    "cut off": (cut_off, "model.safetensors is cut off: "),
    "long header": (long_header, "model.safetensors is no file of weights, or cut off: "),
    "empty": (lambda folder: (folder / WEIGHTS).write_bytes(b""), "or cut off: 0 bytes"),
    "header no JSON": (lambda f: (f / WEIGHTS).write_bytes(struct.pack("<Q", 3) + b"abc"), "JSONDecodeError"),
    "no weights": (lambda folder: (folder / WEIGHTS).unlink(), "no file named model.safetensors"),
    "pickles": (pickles_only, "no file named model.safetensors"),
    "no JSON": (lambda folder: (folder / "config.json").write_text("{"), "config file at .* is not a valid JSON"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "encoder"),
    "wide": (
        configured(hidden_size=10**6, num_attention_heads=1),
        r"asks for [\d,]+ weights, but only [\d,]+ are there",
    ),
    "many words": (configured(vocab_size=10**9), r"asks for [\d,]+ weights, but only [\d,]+ are there"),
    "deep": (configured(num_hidden_layers=10**9), "num_hidden_layers=1000000000, but the weights are 39 tensors"),
    "negative": (configured(vocab_size=-1), "cannot be loaded"),
    "other sizes": (configured(intermediate_size=64), "cannot be loaded: "),
    "code": (
        configured(model_type="own", auto_map={"AutoConfig": "own.Own", "AutoModel": "own.Own"}),
        "trust_remote_code",
    ),
}


@pytest.mark.parametrize(("damage", "said"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_encoder_is_refused_in_words(folder, damage, said):
    damage(folder)
    with pytest.raises((ValueError, OSError), match=f"(?s){said}"):
        FewShotModel.from_encoder(folder, "proto")
    assert not (folder / "owned").exists()


TOKENIZERS = {
    "no JSON": ("tokenizer.json", "{"),
    "another format": ("tokenizer.json", '{"model": {"type": "What"}}'),
    "a list": ("tokenizer_config.json", "[]"),
    "a name that clears the screen": ("tokenizer_config.json", '{"a": {"\\u001b[2J": 1}}'),
    "a length in words": ("tokenizer_config.json", '{"tokenizer_class": "BertTokenizer", "model_max_length": "long"}'),
}


@pytest.mark.parametrize(("name", "text"), TOKENIZERS.values(), ids=TOKENIZERS.keys())
def test_a_damaged_tokenizer_is_refused_in_words(folder, name, text):
    (folder / name).write_text(text)
    with pytest.raises((ValueError, OSError), match=r"The tokenizer '.*' cannot be loaded: .* get them again"):
        load_tokenizer(folder)


def test_a_missing_tokenizer_is_an_error(folder):
    for path in folder.glob("tokenizer*"):
        path.unlink()
    with pytest.raises(ValueError, match=r"The tokenizer '.*' cannot be loaded: its vocabulary has no words"):
        FewShotModel.from_encoder(folder, "proto")


def test_a_tokenizer_of_another_model_is_refused(folder):
    content = json.loads((folder / "tokenizer.json").read_text())
    content["model"]["vocab"]["zebra"] = 10**6
    (folder / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match=r"has a token with number 1000000, but the encoder has \d+ embeddings"):
        FewShotModel.from_encoder(folder, "proto")


@pytest.mark.parametrize("kind", [FewShotModel, SpanModel])
def test_a_damaged_saved_model_is_refused_in_words(bert, tmp_path, kind):
    model = kind.from_encoder(bert, *(["proto"] if kind is FewShotModel else []), max_length=32)[0]
    model.save_pretrained(tmp_path)
    assert torch.equal(
        kind.from_pretrained(tmp_path).encoder.embeddings.word_embeddings.weight,
        model.encoder.embeddings.word_embeddings.weight,
    )
    content = json.loads((tmp_path / "config.json").read_text())
    huge = content | {"encoder": content["encoder"] | {"intermediate_size": 10**9}}
    (tmp_path / "config.json").write_text(json.dumps(huge))
    with pytest.raises(ValueError, match=r"asks for [\d,]+ weights, but only [\d,]+ are there"):
        kind.from_pretrained(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(content))
    cut_off(tmp_path)
    with pytest.raises(ValueError, match=r"model\.safetensors is cut off"):
        kind.from_pretrained(tmp_path)


def test_looking_at_the_files_draws_no_random_numbers(bert):
    drawn = []
    for _ in range(2):
        torch.manual_seed(0)
        drawn.append(FewShotModel.from_encoder(bert, "mnav", n_vectors=3)[0].method.vectors)
    torch.manual_seed(0)
    expected = torch.randn(3, 32)
    assert torch.equal(drawn[0], drawn[1])
    assert torch.equal(drawn[0], expected)
