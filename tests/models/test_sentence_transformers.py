"""Vectors of texts are those of sentence-transformers."""

import json
import shutil

import numpy as np
import pytest
from accelerate import Accelerator

from hf_fewshot.embedded import embedded_encoder
from hf_fewshot.encoding.sentence_pooling import MODES
from hf_fewshot.encoding.vectors import encode_examples
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from tests.tiny_models import write_bert

reference = pytest.importorskip("sentence_transformers")

TEXTS = ["Anna lives in Rome.", "rome", "...", "x", "mia  was\n born at  oslo !", "ANNA works", "paul " * 60, "天气"]
REAL_TEXTS = [
    "I want my money back!",
    "a",
    "...",
    "\u200b",
    "Where's  my\n\tparcel?!  (No. 17)",
    "naïve café — “quoted” [MASK]",
    "word " * 700,
    "今天天气怎么样？帮我订一张去上海的机票。",
    "帮我订一张去上海的机票，谢谢！" * 60,
]


def saved(folder, encoder, mode="mean", normalize=False, prompt=None, **options):
    """An encoder of sentences as sentence-transformers writes it."""
    from sentence_transformers.sentence_transformer import modules

    parts = [modules.Transformer(str(encoder), **options), modules.Pooling(16, mode)]
    parts += [modules.Normalize()] if normalize else []
    prompts = {} if prompt is None else {"prompts": {"mine": prompt}, "default_prompt_name": "mine"}
    reference.SentenceTransformer(modules=parts, device="cpu", **prompts).save(str(folder), create_model_card=False)
    return folder


def theirs(folder, texts):
    return reference.SentenceTransformer(str(folder), device="cpu").encode(texts, show_progress_bar=False)


def ours(model, tokenizer, texts):
    examples = [{"text": text} for text in texts]
    return encode_examples(model, tokenizer, examples, accelerator=Accelerator(cpu=True), progress=False).values


def assert_same(folder, texts, tmp_path):
    """The vectors of a model on an encoder, and of the same saved and loaded again, are the encoder's own."""
    model, tokenizer = FewShotModel.from_encoder(folder, "proto", representation="sentence")
    expected = theirs(folder, texts)
    np.testing.assert_allclose(ours(model, tokenizer, texts), expected, rtol=0, atol=1e-5)
    model.save_pretrained(tmp_path / "saved")
    tokenizer.save_pretrained(tmp_path / "saved")
    again = FewShotModel.from_pretrained(tmp_path / "saved"), load_tokenizer(tmp_path / "saved")
    np.testing.assert_allclose(ours(*again, texts), expected, rtol=0, atol=1e-5)
    return model


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_every_pooling_is_the_encoders_own(bert, tmp_path, mode, normalize):
    folder = saved(tmp_path / "encoder", bert, mode, normalize, max_seq_length=20)
    model = assert_same(folder, TEXTS, tmp_path)
    assert model.config.max_length == 20
    assert (model.config.pooling["mode"], model.config.pooling["normalize"]) == (mode, normalize)


def test_byte_level_vocabularies_read_texts_as_they_are(roberta, tmp_path):
    assert_same(saved(tmp_path / "encoder", roberta, "cls", True), TEXTS, tmp_path)


def test_a_default_prompt_stands_before_every_text(bert, tmp_path):
    model = assert_same(saved(tmp_path / "encoder", bert, prompt="the bank : "), TEXTS, tmp_path)
    assert model.config.pooling["prompt"] == "the bank : "


def test_lower_case_of_the_old_settings_counts(tmp_path):
    folder = saved(tmp_path / "encoder", write_bert(tmp_path / "cased", lower=False))
    settings = {"max_seq_length": 10, "do_lower_case": True}
    (folder / "sentence_bert_config.json").write_text(json.dumps(settings))
    model = assert_same(folder, TEXTS, tmp_path)
    assert model.config.max_length == 10
    assert np.abs(theirs(folder, ["ANNA"]) - theirs(folder, ["anna"])).max() == 0


def test_an_encoder_that_says_nothing_is_read_as_they_wrap_it(bert, tmp_path):
    model = assert_same(bert, TEXTS, tmp_path)
    assert model.config.max_length == 130


def test_a_given_max_length_wins(bert, tmp_path):
    folder = saved(tmp_path / "encoder", bert, max_seq_length=20)
    options = {"representation": "sentence", "max_length": 5}
    model, tokenizer = FewShotModel.from_encoder(folder, "proto", **options)
    short = ours(model, tokenizer, ["anna in rome at oslo"])
    np.testing.assert_array_equal(short, ours(model, tokenizer, ["anna in rome"]))
    assert np.abs(short - theirs(folder, ["anna in rome at oslo"])).max() > 0.01


def test_an_encoder_that_cannot_be_followed_is_named(bert, tmp_path):
    folder = saved(tmp_path / "encoder", bert, ("cls", "mean"))
    with pytest.raises(ValueError, match=r"encoder' says how .* its pooling is \['cls', 'mean'\], .*\"mean\""):
        FewShotModel.from_encoder(folder, "proto", representation="sentence")
    assert FewShotModel.from_encoder(folder, "proto", representation="mean")[0].config.max_length == 128


def test_a_saved_pooling_that_is_none_is_refused(bert, tmp_path):
    model, _ = FewShotModel.from_encoder(bert, "proto", representation="sentence")
    model.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"pooling": {"mode": "median"}}))
    with pytest.raises(ValueError, match=r"The pooling of the configuration: .*'median'"):
        FewShotModel.from_pretrained(tmp_path)


def test_other_models_say_nothing_of_pooling(bert, tmp_path):
    shutil.copytree(saved(tmp_path / "encoder", bert), tmp_path / "again")
    for representation in ("words", "mean", "markers"):
        model, _ = FewShotModel.from_encoder(tmp_path / "again", "proto", representation=representation)
        assert "pooling" not in json.loads(model.config.to_json_string())


@pytest.mark.real_model
@pytest.mark.parametrize(("name", "length"), [("all-MiniLM-L6-v2", 256), ("m3e-small", 512)])
def test_embedded_encoders_give_their_own_vectors(name, length, tmp_path):
    model = assert_same(embedded_encoder(name), REAL_TEXTS, tmp_path)
    assert model.config.max_length == length
