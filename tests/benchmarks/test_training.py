"""Every trainer is timed beside a plain loop that does the same."""

import pytest
import torch

from hf_fewshot import trainers
from tests.tiny_models import write_masked_bert

NAMES = sorted(name for name in trainers.__all__ if name.endswith(("Trainer", "Pretrainer")))
T5_SIZES = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2}
LLAMA_SIZES = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}


@pytest.fixture
def scripts(project, monkeypatch):
    monkeypatch.syspath_prepend(str(project / "benchmarks"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return write_masked_bert(tmp_path_factory.mktemp("encoder") / "bert", max_position_embeddings=512)


def test_no_trainer_is_left_out(scripts):
    from trainings import TRAININGS

    assert sorted(TRAININGS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_trainer_and_its_plain_loop_come_to_the_same_weights(name, scripts, encoder, monkeypatch, tmp_path):
    import trainings
    from training import PlainLoop, make

    monkeypatch.setattr(trainings, "T5_SIZES", T5_SIZES)
    monkeypatch.setattr(trainings, "LLAMA_SIZES", LLAMA_SIZES)
    # Without dropout, which both draw from the same generator.
    train = torch.nn.Module.train
    monkeypatch.setattr(torch.nn.Module, "train", lambda module, mode=True: train(module, False))
    training = trainings.TRAININGS[name](encoder)
    trainer, own = make(training, 2, str(tmp_path)), make(training, 2, str(tmp_path))
    begun = [one.detach().clone() for one in own.model.parameters()]
    loop = PlainLoop(training, trainer, own)
    trainer.model.eval()
    trainer.train()
    pairs = list(zip(own.model.parameters(), trainer.model.parameters(), strict=True))
    assert all(torch.allclose(plain, ours, atol=1e-6) for plain, ours in pairs)
    assert any(not torch.equal(plain, before) for (plain, _), before in zip(pairs, begun, strict=True))
    # Of three steps the first warms up.
    assert {way: len(taken) for way, taken in loop.taken.items()} == {"trainer": 2, "plain loop": 2}
