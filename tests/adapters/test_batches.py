import math
from types import SimpleNamespace

import pytest
import torch

from hf_fewshot.adapters.answered_prompts import AnsweredPrompt
from hf_fewshot.adapters.batches import AnswerCollator, answer_loss
from hf_fewshot.adapters.lora import Lora, with_adapter
from tests.tiny_models import byte_tokenizer, tiny_causal_lm

PROMPTS = [AnsweredPrompt([5, 6, 7, 8, 2], 2), AnsweredPrompt([9, 10, 2], 1)]


def test_a_batch_ends_together_and_has_labels_for_answers_alone():
    model = with_adapter(tiny_causal_lm("llama"), Lora(rank=2), seed=0)
    batch = AnswerCollator(model, byte_tokenizer())(PROMPTS)
    assert batch.pop("logits_to_keep") == 3
    assert {name: part.tolist() for name, part in batch.items()} == {
        "input_ids": [[5, 6, 7, 8, 2], [0, 0, 9, 10, 2]],
        "attention_mask": [[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]],
        "position_ids": [[0, 1, 2, 3, 4], [0, 0, 0, 1, 2]],
        "labels": [[-100, 8, 2], [-100, -100, 2]],
    }


def test_the_loss_by_hand():
    # A vocabulary of two: probabilities of the right tokens 1/2 and 3/4, then 1/4.
    three = math.log(3)
    logits = torch.tensor([[[9.0, 0.0], [0.0, 0.0], [0.0, three], [5.0, 5.0]], [[1.0, 8.0]] * 2 + [[three, 0.0]] * 2])
    labels = torch.tensor([[-100, 0, 1], [-100, -100, 1]])
    expected = (math.log(2) + math.log(4 / 3) + math.log(4)) / 3
    # As a model gives them that keeps all logits, or the last ones alone.
    for outputs in (SimpleNamespace(logits=logits), SimpleNamespace(logits=logits[:, 1:])):
        assert answer_loss(outputs, labels).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("kind", ["llama", "gpt2", "mistral", "bloom"])
def test_padding_and_logits_left_out_change_no_loss(kind):
    model = tiny_causal_lm(kind)
    batch = AnswerCollator(model, byte_tokenizer())(PROMPTS)
    labels = batch.pop("labels")
    with torch.no_grad():
        found = answer_loss(model(**batch), labels)
        total = torch.tensor(0.0)
        for one in PROMPTS:
            # One by one, with the loss that the model itself computes: a mean over what is learned.
            ids = torch.tensor([one.tokens])
            own = ids.clone()
            own[:, : -one.n_learned] = -100
            total += model(ids, labels=own).loss * one.n_learned
    torch.testing.assert_close(found, total / 3, rtol=1e-4, atol=1e-5)
