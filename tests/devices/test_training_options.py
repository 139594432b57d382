"""Half precision, checkpointed gradients and compiled encoders, in all trainers, on a CPU."""

import pytest
import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from hf_fewshot.encoding.vectors import encode_examples
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.trainers.episodic_trainer import EpisodeCollator
from tests.small_episodes import TAGGED
from tests.trainers.every_trainer import RELATION_EPISODES, TRAINERS, make, train, write_models


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    write_models(folder)
    return folder


@pytest.fixture(autouse=True)
def own_accelerator(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ACCELERATE_DYNAMO_BACKEND", raising=False)
    AcceleratorState._reset_state(reset_partial_state=True)
    yield
    AcceleratorState._reset_state(reset_partial_state=True)


@pytest.fixture(scope="module")
def plain(models, tmp_path_factory):
    """What a step of each trainer leads to, and what it computed."""
    folder = tmp_path_factory.mktemp("plain")
    return {kind: step(make(kind, models, 4, max_steps=1, output_dir=str(folder))) for kind in TRAINERS}


def step(trainer):
    """The result of training, how often linear layers computed, and in what precision."""
    seen = []
    handles = [
        module.register_forward_hook(lambda _, inputs, output: seen.append((output.dtype, torch.is_grad_enabled())))
        for module in trainer.model.modules()
        if type(module) is torch.nn.Linear
    ]
    trainer.mean_loss = lambda _: None
    result = train(trainer)
    for handle in handles:
        handle.remove()
    return result | {"seen": seen}


@pytest.mark.parametrize("kind", TRAINERS)
def test_bf16_computes_layers_in_half_precision_and_keeps_weights_whole(kind, models, plain):
    found = step(make(kind, models, 4, max_steps=1, bf16=True))
    assert {dtype for dtype, _ in plain[kind]["seen"]} == {torch.float32}
    assert torch.bfloat16 in {dtype for dtype, _ in found["seen"]}
    assert found["losses"] != plain[kind]["losses"]
    assert found["losses"] == pytest.approx(plain[kind]["losses"], rel=0.05)
    assert {weight.dtype for weight in found["weights"].values() if weight.is_floating_point()} == {torch.float32}


@pytest.mark.parametrize("kind", TRAINERS)
def test_checkpointed_gradients_are_the_same_and_layers_compute_twice(kind, models, plain):
    found = step(make(kind, models, 4, max_steps=1, gradient_checkpointing=True))
    assert found["losses"] == pytest.approx(plain[kind]["losses"], rel=1e-6)
    torch.testing.assert_close(found["weights"], plain[kind]["weights"], rtol=1e-6, atol=1e-6)
    assert len(found["seen"]) > 1.3 * len(plain[kind]["seen"])


@pytest.mark.parametrize("kind", ["episodic", "pretrainer"])
def test_a_compiled_encoder_learns_the_same_and_what_stands_on_it_is_not_compiled(kind, models, plain):
    trainer = make(kind, models, 4, max_steps=1, torch_compile=True, torch_compile_backend="eager")
    assert trainer.model.base_model._compiled_call_impl is not None
    found = train_alone(trainer)
    assert trainer.model_wrapped is trainer.model
    assert found["losses"] == pytest.approx(plain[kind]["losses"], rel=1e-5)
    torch.testing.assert_close(found["weights"], plain[kind]["weights"], rtol=1e-4, atol=1e-5)


def train_alone(trainer):
    trainer.mean_loss = lambda _: None
    return train(trainer)


@pytest.mark.parametrize("kind", TRAINERS)
def test_fp16_is_refused_on_a_cpu_where_it_would_change_nothing(kind, models):
    with pytest.raises(ValueError, match="fp16=true needs a GPU: on a CPU nothing would be in half precision"):
        make(kind, models, 4, fp16=True, **({"head_l2": 0.0} if kind == "pairs" else {}))


def test_in_fp16_scores_are_whole_and_near(models):
    model, tokenizer = FewShotModel.from_encoder(models / "bert", "threshold", max_length=24)
    batch = EpisodeCollator(model, tokenizer, RELATION_EPISODES)([RELATION_EPISODES[0], RELATION_EPISODES[1]])
    with torch.no_grad():
        whole = model(**batch)
        with torch.autocast("cpu", dtype=torch.float16):
            half = model(**batch)
    assert half.logits.dtype == torch.float32
    assert not torch.equal(half.logits, whole.logits)
    torch.testing.assert_close(half.logits, whole.logits, rtol=0.02, atol=0.05)


def test_vectors_of_an_encoder_that_was_compiled_by_how_it_was_launched_are_the_same(models, monkeypatch):
    model, tokenizer = FewShotModel.from_encoder(models / "bert", "proto", max_length=24)
    whole = encode_examples(model, tokenizer, TAGGED, accelerator=Accelerator(cpu=True), progress=False).values
    AcceleratorState._reset_state(reset_partial_state=True)
    monkeypatch.setenv("ACCELERATE_DYNAMO_BACKEND", "EAGER")
    found = encode_examples(model, tokenizer, TAGGED, accelerator=Accelerator(cpu=True), progress=False).values
    assert model.encoder._compiled_call_impl is not None
    assert found == pytest.approx(whole, abs=1e-6)


def test_bf16_predictions_are_near_and_known_as_such(models):
    model, tokenizer = FewShotModel.from_encoder(models / "bert", "proto", max_length=24)
    whole = encode_examples(model, tokenizer, TAGGED, accelerator=Accelerator(cpu=True), progress=False).values
    AcceleratorState._reset_state(reset_partial_state=True)
    half = Accelerator(cpu=True, mixed_precision="bf16")
    found = encode_examples(model, tokenizer, TAGGED, accelerator=half, progress=False).values
    assert found.dtype == whole.dtype == "float32"
    assert 1e-5 < abs(found - whole).mean() < 0.05
