import json

import pytest
import torch

from hf_fewshot.adapters.lora import Lora, load_adapter, save_adapter, with_adapter
from tests.tiny_models import tiny_causal_lm

IDS = torch.tensor([[5, 6, 7, 8]])


def learned(kind="llama", **options):
    """A model whose adapter is no longer what it began as."""
    model = with_adapter(tiny_causal_lm(kind), Lora(rank=2, **options), seed=0)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.requires_grad:
                weight += 0.1
    return model


def logits(model):
    with torch.no_grad():
        return model(IDS).logits


@pytest.mark.parametrize("kind", ["llama", "gpt2", "mistral", "bloom"])
def test_a_new_adapter_changes_nothing_and_is_all_that_learns(kind):
    before = logits(tiny_causal_lm(kind))
    model = with_adapter(tiny_causal_lm(kind), Lora(rank=2), seed=0)
    torch.testing.assert_close(logits(model), before, rtol=0, atol=0)
    learning = [name for name, weight in model.named_parameters() if weight.requires_grad]
    assert learning
    assert [name for name in learning if "lora_" not in name] == []
    assert [name for name in learning if "lm_head" in name] == []


def test_rank_alpha_and_modules_are_as_asked():
    model = with_adapter(tiny_causal_lm("llama"), Lora(rank=3, alpha=12, modules=("q_proj",)), seed=0)
    shapes = {tuple(weight.shape) for weight in model.parameters() if weight.requires_grad}
    # Two layers of a width of 16: into three numbers, and out of them.
    assert shapes == {(3, 16), (16, 3)}
    assert sum(weight.requires_grad for weight in model.parameters()) == 4
    # What is added is multiplied by 12 / 3.
    layer = model.get_base_model().model.layers[0].self_attn.q_proj
    with torch.no_grad():
        layer.lora_B["default"].weight.fill_(1.0)
        read = torch.ones(1, 16)
        added = layer.lora_A["default"](read).sum(-1, keepdim=True).expand(1, 16) * 4
        torch.testing.assert_close(layer(read), layer.base_layer(read) + added)


def test_a_seed_decides_the_beginning_and_changes_no_other_random_number():
    def start(seed):
        model = tiny_causal_lm("llama")
        state = torch.get_rng_state()
        adapted = with_adapter(model, Lora(rank=2), seed=seed)
        assert torch.equal(torch.get_rng_state(), state)
        return next(weight for name, weight in adapted.named_parameters() if "lora_A" in name)

    torch.testing.assert_close(start(1), start(1), rtol=0, atol=0)
    assert not torch.equal(start(1), start(2))


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_a_saved_adapter_is_loaded_into_a_model_of_the_same_class(kind, tmp_path):
    model = learned(kind)
    save_adapter(model, tmp_path, "someone/some-model")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["adapter_config.json", "adapter_model.safetensors"]
    loaded = load_adapter(tiny_causal_lm(kind), tmp_path)
    assert type(loaded) is type(tiny_causal_lm(kind))
    assert not torch.allclose(logits(loaded), logits(tiny_causal_lm(kind)), atol=1e-2)
    torch.testing.assert_close(logits(loaded), logits(model), rtol=1e-4, atol=1e-5)


def test_an_adapter_names_its_model_and_no_place_on_this_machine(tmp_path):
    save_adapter(learned(), tmp_path / "one", "someone/some-model")
    assert json.loads((tmp_path / "one/adapter_config.json").read_text())["base_model_name_or_path"] == (
        "someone/some-model"
    )
    (tmp_path / "llama").mkdir()
    save_adapter(learned(), tmp_path / "two", str(tmp_path / "llama"))
    assert json.loads((tmp_path / "two/adapter_config.json").read_text())["base_model_name_or_path"] == "llama"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rank": 0}, "rank must be a whole number of at least 1, but is 0"),
        ({"alpha": 0}, "alpha=0, but it must be above 0"),
        ({"dropout": 1.0}, r"dropout=1\.0, but it must be from 0 to below 1"),
        ({"modules": ()}, "modules is empty: nothing would be learned"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Lora(**options)


def test_a_folder_without_an_adapter_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"has no adapter: expected adapter_model\.safetensors"):
        load_adapter(tiny_causal_lm("llama"), tmp_path)


def test_without_peft_it_is_said_how_to_install_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"needs peft: pip install 'hf_fewshot\[tuning\]'"):
        with_adapter(tiny_causal_lm("llama"), Lora(), seed=0)
