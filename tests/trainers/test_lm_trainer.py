import pytest
import torch

from hf_fewshot.adapters.lora import load_adapter
from tests.tiny_models import tiny_causal_lm
from tests.trainers.lm_training import PROMPTS, lm_trainer, train


def test_the_adapter_moves_and_nothing_else_and_the_same_seed_gives_the_same(tmp_path):
    first, second = (train(output_dir=str(tmp_path)) for _ in range(2))
    torch.testing.assert_close(first["weights"], second["weights"], rtol=0, atol=0)
    moved = [name for name, weight in first["before"].items() if not torch.equal(weight, first["weights"][name])]
    assert moved
    assert [name for name in moved if "lora_" not in name] == []


def test_the_first_loss_is_the_mean_over_all_tokens_of_answers(tmp_path):
    found = train(output_dir=str(tmp_path), per_device_train_batch_size=8, max_steps=1)["losses"][0]
    model = tiny_causal_lm("llama")
    total = 0.0
    with torch.no_grad():
        for one in PROMPTS:
            chances = model(torch.tensor([one.tokens])).logits[0].log_softmax(-1)
            places = range(len(one.tokens) - one.n_learned, len(one.tokens))
            total -= sum(chances[place - 1, one.tokens[place]].item() for place in places)
    assert sum(one.n_learned for one in PROMPTS) == 28
    assert found == pytest.approx(total / 28, rel=1e-4)


def test_accumulated_steps_have_the_loss_of_one_large_batch(tmp_path):
    sizes = ((8, 1), (2, 4))
    losses = [
        train(
            output_dir=str(tmp_path),
            max_steps=1,
            per_device_train_batch_size=batch,
            gradient_accumulation_steps=steps,
        )["losses"]
        for batch, steps in sizes
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_answers_are_learned_and_the_saved_adapter_has_them(tmp_path):
    trainer = lm_trainer(output_dir=str(tmp_path), max_steps=150, learning_rate=0.02, optim="adamw_torch")
    trainer.train()
    trainer.save_model(tmp_path / "saved")
    model = load_adapter(tiny_causal_lm("llama"), tmp_path / "saved")
    with torch.no_grad():
        for one in PROMPTS:
            read = len(one.tokens) - one.n_learned
            best = model(torch.tensor([one.tokens])).logits[0, read - 1 : -1].argmax(-1).tolist()
            assert best == one.tokens[read:]


def test_training_goes_on_from_a_checkpoint(tmp_path):
    whole = train(output_dir=str(tmp_path / "whole"), max_steps=4)
    lm_trainer(output_dir=str(tmp_path / "parts"), max_steps=4, save_strategy="steps", save_steps=2).train()
    again = lm_trainer(output_dir=str(tmp_path / "parts"), max_steps=4)
    again.train(resume_from_checkpoint=str(tmp_path / "parts" / "checkpoint-2"))
    torch.testing.assert_close(again.model.state_dict(), whole["weights"], rtol=1e-5, atol=1e-7)


def test_the_card_of_a_trained_adapter_shows_how_to_load_it(tmp_path):
    trainer = lm_trainer(output_dir=str(tmp_path), max_steps=1)
    trainer.train()
    trainer.create_model_card(finetuned_from="someone/some-model")
    card = (tmp_path / "README.md").read_text()
    assert "library_name: peft" in card
    assert "base_model: someone/some-model" in card
    assert 'model = AutoModelForCausalLM.from_pretrained("someone/some-model")' in card
    assert f'model = load_adapter(model, "{tmp_path.name}")' in card
