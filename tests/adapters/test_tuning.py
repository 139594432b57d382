import pytest
import torch

from hf_fewshot.adapters.answered_prompts import AnsweredPrompt
from hf_fewshot.adapters.lora import Lora, with_adapter
from hf_fewshot.adapters.tuning import AdapterTuning, Tuner
from tests.tiny_models import byte_tokenizer, tiny_causal_lm

# What is learned: 20 after 10, 21 after 11.
PROMPTS = [AnsweredPrompt([first, 12, second, 2], 2, str(second)) for first, second in ((10, 20), (11, 21))]
TUNING = AdapterTuning(epochs=40, learning_rate=0.02)


def tuner(tuning=TUNING, seed=0, dropout=0.0):
    model = with_adapter(tiny_causal_lm("llama"), Lora(rank=4, dropout=dropout), seed=0).get_base_model()
    return Tuner(model, byte_tokenizer(), tuning, seed)


def answers(model):
    """The most likely answer to each prompt."""
    with torch.no_grad():
        return [model(torch.tensor([one.tokens[:2]])).logits[0, -1].argmax().item() for one in PROMPTS]


def weights(one):
    return [weight.detach().clone() for weight in one.weights]


def test_answers_are_learned_and_the_model_itself_stays():
    one = tuner()
    fixed = {name: weight.clone() for name, weight in one.model.named_parameters() if not weight.requires_grad}
    assert answers(one.model) != [20, 21]
    one.learn(PROMPTS)
    assert answers(one.model) == [20, 21]
    now = dict(one.model.named_parameters())
    assert all(torch.equal(weight, now[name]) for name, weight in fixed.items())
    assert not one.model.training


def test_each_support_set_is_learned_from_the_beginning():
    one, other = tuner(), tuner()
    one.learn([AnsweredPrompt([10, 12, 21, 2], 2), AnsweredPrompt([11, 12, 20, 2], 2)])
    assert answers(one.model) == [21, 20]
    one.learn(PROMPTS)
    other.learn(PROMPTS)
    for first, second in zip(weights(one), weights(other), strict=True):
        torch.testing.assert_close(first, second, rtol=0, atol=0)


def test_a_seed_decides_order_and_dropout_and_changes_no_other_random_number():
    few = AdapterTuning(epochs=2, batch_size=1)
    made = [tuner(few, seed, dropout=0.5) for seed in (1, 1, 2)]
    state = torch.get_rng_state()
    for one in made:
        one.learn(PROMPTS)
    assert torch.equal(torch.get_rng_state(), state)
    first, again, other = (torch.cat([weight.flatten() for weight in weights(one)]) for one in made)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_how_many_steps_examples_take():
    assert AdapterTuning(epochs=10, batch_size=8).n_steps(30) == 38
    # A support set smaller than a batch is one.
    assert AdapterTuning(epochs=10, batch_size=8).n_steps(3) == 10


def test_a_rate_of_zero_learns_nothing():
    one = tuner(AdapterTuning(learning_rate=0.0))
    one.learn(PROMPTS)
    assert all(torch.equal(*pair) for pair in zip(one.weights, one.start, strict=True))


def test_a_loss_that_is_no_number_is_an_error():
    one = tuner()
    with torch.no_grad():
        one.start[-1].fill_(float("nan"))
    with pytest.raises(
        ValueError, match=r"Tuning came to nothing: the loss is nan at step 1\. Lower learning_rate=0\.02"
    ):
        one.learn(PROMPTS)
    assert not one.model.training


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "epochs must be a whole number of at least 1, but is 0"),
        ({"batch_size": 0}, "batch_size must be a whole number of at least 1, but is 0"),
        ({"learning_rate": -1.0}, r"learning_rate=-1\.0, but it must not be negative"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        AdapterTuning(**options)
