import shutil

import pytest
import torch
from torch import nn

from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.kept import LastRead, last_read
from tests.tiny_models import write_bert


@pytest.fixture
def folder(tmp_path):
    last_read.forget()
    yield write_bert(tmp_path / "encoder")
    last_read.forget()


class Reader:
    """Counts how often it is asked to read."""

    def __init__(self, draws=False):
        self.times, self.draws = 0, draws

    def __call__(self):
        self.times += 1
        model = nn.Linear(2, 2, device="meta")
        return (model if not self.draws else nn.Linear(2, 2)), f"tokenizer {self.times}"


def test_a_model_is_read_once_while_files_and_options_are_the_same(folder):
    kept, reader = LastRead(), Reader()
    first = kept.get(folder, "words", reader)
    assert kept.get(folder, "words", reader)[0] is first[0]
    assert kept.get(folder, "words", reader)[1] == "tokenizer 1"
    assert reader.times == 1
    assert kept.get(folder, "sentence", reader)[1] == "tokenizer 2"
    assert kept.get(folder, "words", reader)[1] == "tokenizer 3"
    (folder / "config.json").write_text((folder / "config.json").read_text() + "\n")
    assert kept.get(folder, "words", reader)[1] == "tokenizer 4"
    kept.forget()
    assert kept.get(folder, "words", reader)[1] == "tokenizer 5"


@pytest.mark.parametrize(("place", "draws"), [(None, True), ("nobody/has-this-model", False), ("a?b", False)])
def test_what_draws_weights_or_has_no_known_files_is_read_each_time(folder, place, draws):
    kept, reader = LastRead(), Reader(draws)
    with torch.random.fork_rng():
        for _ in range(2):
            kept.get(place or folder, "words", reader)
    assert reader.times == 2


def test_the_model_before_is_let_go_before_another_is_read(folder):
    kept, held = LastRead(), []

    def look():
        held.append(kept._value)
        return nn.Linear(1, 1, device="meta"), None

    kept.get(folder, "one", look)
    kept.get(folder, "other", look)
    assert held == [None, None]


def test_only_models_that_are_asked_to_share_have_the_same_encoder(folder):
    first, tokenizer = FewShotModel.from_encoder(folder, "proto", shared=True)
    second, other_tokenizer = FewShotModel.from_encoder(folder, "nnshot", layers=2, shared=True)
    alone, _ = FewShotModel.from_encoder(folder, "proto")
    assert first.encoder is second.encoder
    assert tokenizer is other_tokenizer
    assert first.method is not second.method
    assert alone.encoder is not first.encoder
    # Whoever trains a shared encoder by mistake is told by torch; a model of one's own takes gradients.
    assert not any(weight.requires_grad for weight in first.encoder.parameters())
    assert all(weight.requires_grad for weight in alone.encoder.parameters())
    assert all(torch.equal(a, b) for a, b in zip(alone.encoder.parameters(), first.encoder.parameters(), strict=True))


def test_an_encoder_that_gets_markers_is_not_shared(folder):
    first, _ = FewShotModel.from_encoder(folder, "proto", representation="markers", shared=True)
    second, _ = FewShotModel.from_encoder(folder, "proto", representation="markers", shared=True)
    assert first.encoder is not second.encoder


def test_a_folder_that_was_made_anew_is_read_anew(folder, tmp_path):
    first, _ = FewShotModel.from_encoder(folder, "proto", shared=True)
    shutil.copytree(folder, tmp_path / "copy")
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "copy", folder)
    again, _ = FewShotModel.from_encoder(folder, "proto", shared=True)
    assert first.encoder is not again.encoder
