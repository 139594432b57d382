"""One process equals two, for the trainers of CLUES."""

import pytest
import torch

from tests.processes import run_forked
from tests.tiny_models import write_bert, write_masked_bert
from tests.trainers.answer_rows import NAME_WORDS
from tests.trainers.answer_script import TRAINERS, main, train

NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
# What is added to all keys changes no attention, and what is added to all tokens no score relative to [CLS]: their
# gradients are rounding alone, of which Adamax makes steps.
LAYER = "encoder.encoder.layer.0"
WITHOUT_GRADIENT = {f"{LAYER}.attention.self.key.bias", f"{LAYER}.output.LayerNorm.bias"}


@pytest.fixture
def span_encoder(tmp_path):
    return write_bert(tmp_path / "encoder", NAME_WORDS, hidden_size=32, num_hidden_layers=1, **NO_DROPOUT)


@pytest.fixture
def masked_lm(tmp_path):
    # Large weights: what is shown behind a row changes its loss.
    return write_masked_bert(tmp_path / "masked", initializer_range=0.5, **NO_DROPOUT)


# One start for all trainers: it takes longer than they do.
def test_two_processes_train_and_answer_as_one_does(span_encoder, masked_lm, t5, tmp_path, monkeypatch):
    folders = dict(zip(TRAINERS, (span_encoder, masked_lm, t5), strict=True))
    run_forked(main, *folders.values(), folder=tmp_path)
    monkeypatch.chdir(tmp_path)
    for kind, folder in folders.items():
        one, two = train(kind, folder), [torch.load(f"{kind}-{rank}.pt") for rank in range(2)]
        assert [result["process"] for result in (one, *two)] == [(0, 1), (0, 2), (1, 2)]
        torch.testing.assert_close(two[0]["weights"], two[1]["weights"], rtol=0, atol=0)
        assert two[0]["losses"] == pytest.approx(one["losses"], rel=1e-4), kind
        assert two[0]["norms"] == pytest.approx(one["norms"], rel=1e-3), kind
        weights = {name: value for name, value in one["weights"].items() if name not in WITHOUT_GRADIENT}
        torch.testing.assert_close({name: two[0]["weights"][name] for name in weights}, weights, rtol=1e-3, atol=1e-5)
        assert max((value - one["before"][name]).abs().max() for name, value in weights.items()) > 1e-3
        assert two[0]["answers"] == two[1]["answers"] == one["answers"], kind
        assert two[0]["scores"] == two[1]["scores"] == one["scores"], kind
