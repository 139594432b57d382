"""The joint model: scores beside the bare encoder's, options, and saving."""

import json

import pytest
import torch
from transformers import AutoConfig, AutoModel

from hf_fewshot.methods.joint_prototypes import JointPrototypes
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import JointModel, JointModelConfig
from hf_fewshot.models.loading import load_tokenizer
from tests.small_episodes import JOINT

EVERY = [
    {},
    {"pairwise": True},
    {"dependency": True, "transitions": "cdt"},
    {"part": "intent"},
    {"part": "slots", "transitions": "rules"},
    {"tapnet": True, "name_weight": 0.4},
    {"pairwise": True, "name_weight": 0.5, "transitions": "cdt"},
]


def build(encoder, **options):
    torch.manual_seed(1)
    return JointModel.from_encoder(encoder, "joint_proto", **options)


def output_of(model, tokenizer, episodes):
    return model(**JointCollator(model, tokenizer, episodes)(episodes[:]))


@torch.no_grad()
def test_scores_are_those_of_the_bare_encoder(bert, joint_episodes):
    model, tokenizer = build(bert)
    output = output_of(model, tokenizer, joint_episodes)
    plain = AutoModel.from_pretrained(bert).eval()
    vectors = [
        plain(**tokenizer(" ".join(r["tokens"]), return_tensors="pt")).last_hidden_state[0, 1:-1] for r in JOINT
    ]
    # Second episode: born from "is paul born in berlin", lives from "bern"; the query is "anna lives in paris".
    query = vectors[0]
    expected = [-((query.mean(0) - vectors[i].mean(0)) ** 2).sum() / 20 for i in (4, 5)]
    torch.testing.assert_close(output.intents[1, 0], torch.stack(expected), rtol=1e-4, atol=1e-4)
    outside = vectors[4][[0, 2, 3]].mean(0)
    place = torch.stack([vectors[4][4], vectors[5][0]]).mean(0)
    expected = torch.stack([-((query - mean) ** 2).sum(1) / 20 for mean in (outside, place)], 1)
    torch.testing.assert_close(output.tags[1, 0, :4, :2], expected, rtol=1e-4, atol=1e-4)
    assert (output.tags[1, ..., 2:] == -torch.inf).all()


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_a_saved_model_scores_the_same(bert, tmp_path, joint_episodes, options):
    model, tokenizer = build(bert, max_length=60, **options)
    with torch.no_grad():
        for parameter in model.method.transitions.parameters():
            parameter.normal_()
        model.method.log_temperature.add_(0.3)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again, tokens = JointModel.from_pretrained(tmp_path), load_tokenizer(tmp_path)
    assert not again.training
    assert again.config.pairwise is options.get("pairwise", False)
    assert again.config.method_options == {k: v for k, v in options.items() if k != "pairwise"}
    with torch.no_grad():
        before, after = output_of(model, tokenizer, joint_episodes), output_of(again, tokens, joint_episodes)
    assert before.keys() == after.keys()
    for name in before:
        assert torch.equal(before[name], after[name]), name


def test_the_saved_configuration_is_recognised(bert, tmp_path):
    build(bert, pairwise=True, transitions="rules")[0].save_pretrained(tmp_path)
    saved = json.loads((tmp_path / "config.json").read_text())
    assert (saved["model_type"], saved["method"]) == ("hf_fewshot_joint", "joint_proto")
    assert (saved["pairwise"], saved["method_options"]) == (True, {"transitions": "rules"})
    assert isinstance(AutoConfig.from_pretrained(tmp_path), JointModelConfig)
    assert isinstance(AutoModel.from_pretrained(tmp_path), JointModel)


@torch.no_grad()
def test_names_change_the_scores_of_intents_and_tags(bert, joint_episodes):
    plain = output_of(*build(bert), joint_episodes)
    named = output_of(*build(bert, name_weight=0.3), joint_episodes)
    nothing = output_of(*build(bert, name_weight=0.0), joint_episodes)
    assert torch.equal(plain.intents, nothing.intents)
    assert torch.equal(plain.tags, nothing.tags)
    assert not torch.allclose(plain.intents, named.intents)
    assert not torch.allclose(plain.tags, named.tags)
    assert torch.equal(plain.tags.isinf(), named.tags.isinf())


@torch.no_grad()
def test_with_names_alone_a_prototype_is_the_mean_of_the_words_of_its_name(bert, joint_episodes):
    model, tokenizer = build(bert, name_weight=1.0)
    output = output_of(model, tokenizer, joint_episodes)
    plain = AutoModel.from_pretrained(bert).eval()

    def encode(text):
        return plain(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]

    # The first intent of the last episode is "works", one piece; its first query is utterance 6.
    sentence = encode(" ".join(JOINT[6]["tokens"]))[1:-1].mean(0)
    expected = -((sentence - encode("works")[1]) ** 2).sum() / 20
    torch.testing.assert_close(output.intents[2, 0, 0], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("options", EVERY, ids=str)
def test_the_loss_teaches_every_part_it_should(bert, joint_episodes, options):
    model, tokenizer = build(bert, **options)
    loss = output_of(model, tokenizer, joint_episodes).loss
    loss.backward()
    assert loss.isfinite()
    assert loss > 0
    grads = {name: value.grad for name, value in model.named_parameters() if value.grad is not None}
    assert all(grad.isfinite().all() for grad in grads.values())
    assert grads["encoder.embeddings.word_embeddings.weight"].abs().sum() > 0
    learned = grads["method.log_temperature"].abs() > 0
    part = options.get("part", "joint")
    assert learned.tolist() == [part != "slots", part != "intent"]


def test_half_precision_of_the_encoder_does_not_touch_the_scores(bert, joint_episodes):
    model, tokenizer = build(bert)
    batch = JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:])
    rows = 100 + torch.randn(33, model.method.dim, generator=torch.Generator().manual_seed(0))
    plain, _ = model.score_rows(rows, batch["episodes"])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half, _ = model.score_rows(rows, batch["episodes"])
    assert torch.equal(plain.tags, half.tags)
    assert torch.equal(plain.intents, half.intents)


def test_a_model_refuses_the_methods_of_the_other(bert):
    with pytest.raises(ValueError, match=r"'joint_proto' needs a JointModel: use JointModel.from_encoder"):
        FewShotModel.from_encoder(bert, "joint_proto")
    with pytest.raises(ValueError, match=r"'proto' needs a FewShotModel: use FewShotModel.from_encoder"):
        JointModel.from_encoder(bert, "proto")


def test_a_saved_model_of_the_other_kind_is_refused(bert, tmp_path):
    build(bert)[0].save_pretrained(tmp_path / "joint")
    FewShotModel.from_encoder(bert, "proto")[0].save_pretrained(tmp_path / "plain")
    with pytest.raises(ValueError, match="model of type 'hf_fewshot_joint'"):
        FewShotModel.from_pretrained(tmp_path / "joint")
    with pytest.raises(ValueError, match="model of type 'hf_fewshot'"):
        JointModel.from_pretrained(tmp_path / "plain")


def test_unknown_options_and_representations_are_refused(bert):
    with pytest.raises(ValueError, match=r"Method 'joint_proto' does not take {'pair_wise': True}"):
        JointModel.from_encoder(bert, "joint_proto", pair_wise=True)
    with pytest.raises(ValueError, match="Method 'joint_proto' needs representation='words', got 'mean'"):
        JointModel.from_encoder(bert, "joint_proto", representation="mean")
    with pytest.raises(ValueError, match=r"Method 'proto' does not take {'pairwise': True}"):
        FewShotModel.from_encoder(bert, "proto", pairwise=True)


def test_the_joint_method_is_registered_by_its_name():
    from hf_fewshot.registry import method_class

    assert method_class("joint_proto") is JointPrototypes
