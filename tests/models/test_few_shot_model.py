"""The model: losses, representations, and saving."""

import json

import pytest
import torch
from transformers import AutoConfig, AutoModel

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import InputBuilder
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.episode_batch import EpisodeBatch
from hf_fewshot.models.few_shot_model import FewShotModel, FewShotModelConfig, query_loss
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.method_model import groups_of_like_length
from hf_fewshot.trainers.episodic_trainer import EpisodeCollator
from tests.small_episodes import RELATIONS, TEXTS, episodes_of
from tests.tiny_models import write_bert

EVERY = [
    ("proto", {}),
    ("proto", {"similarity": "dot"}),
    ("nnshot", {}),
    ("structshot", {"tau": 0.5}),
    ("proto", {"representation": "mean"}),
    ("proto", {"representation": "sentence", "similarity": "cosine"}),
    ("proto", {"representation": "markers", "similarity": "dot"}),
    ("threshold", {}),
    ("nav", {}),
    ("mnav", {"n_vectors": 3}),
    ("mnav", {"n_vectors": 2, "mlp": True}),
    ("sentence_pair", {}),
]


@pytest.fixture
def episodes_for(tagging_episodes, relation_episodes, text_episodes):
    sets = {"words": tagging_episodes, "mean": text_episodes, "sentence": text_episodes}
    return {**sets, "markers": relation_episodes, "pair": relation_episodes}.__getitem__


def batch_of(model, tokenizer, episodes, numbers=slice(None)):
    return EpisodeCollator(model, tokenizer, episodes)(episodes[numbers])


@torch.no_grad()
def vectors(model, tokenizer, examples, together=True):
    builder = InputBuilder(tokenizer, model.config.representation, model.config.max_length)
    groups = [examples] if together else [[example] for example in examples]
    rows = []
    for group in groups:
        rows.append(model.encode(EncoderInputs.padded(builder(group), tokenizer.pad_token_id)))
    return torch.cat(rows)


@pytest.mark.parametrize("encoder", ["bert", "roberta"])
@pytest.mark.parametrize("representation", ["words", "mean", "sentence", "markers"])
def test_padding_changes_no_vector_after_any_way_of_loading(request, tmp_path, encoder, representation):
    folder = request.getfixturevalue(encoder)
    model, tokenizer = FewShotModel.from_encoder(folder, "proto", representation=representation, layers=2)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again = FewShotModel.from_pretrained(tmp_path)
    for own, tokens in (
        (model, tokenizer),
        (again, load_tokenizer(tmp_path)),
        (AutoModel.from_pretrained(tmp_path), tokenizer),
    ):
        alone = vectors(own, tokens, RELATIONS, together=False)
        torch.testing.assert_close(vectors(own, tokens, RELATIONS), alone, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(vectors(model, tokenizer, RELATIONS), vectors(again, tokenizer, RELATIONS))


def test_the_vectors_are_those_of_the_encoder_alone(bert):
    plain = AutoModel.from_pretrained(bert).eval()
    tokenizer = load_tokenizer(bert)
    encoded = tokenizer("anna lives in paris", return_tensors="pt")
    with torch.no_grad():
        layers = plain(**encoded, output_hidden_states=True).hidden_states
    example = [{"id": "s", "tokens": ["anna", "lives", "in", "paris"]}]
    one, own = FewShotModel.from_encoder(bert, "proto")
    torch.testing.assert_close(vectors(one, own, example), layers[-1][0, 1:5])
    two, own = FewShotModel.from_encoder(bert, "proto", layers=2)
    torch.testing.assert_close(vectors(two, own, example), (layers[-1] + layers[-2])[0, 1:5])
    mean, own = FewShotModel.from_encoder(bert, "proto", representation="mean")
    torch.testing.assert_close(vectors(mean, own, example)[0], layers[-1][0, 1:5].mean(0))
    whole, own = FewShotModel.from_encoder(bert, "proto", representation="sentence")
    torch.testing.assert_close(vectors(whole, own, example)[0], layers[-1][0].mean(0))


def test_markers_are_the_two_start_markers_side_by_side(bert):
    model, tokenizer = FewShotModel.from_encoder(bert, "threshold")
    text = "[unused1] anna [unused2] lives in [unused3] paris [unused4] ."
    ids = tokenizer.convert_tokens_to_ids(["[CLS]", *text.split(), "[SEP]"])
    with torch.no_grad():
        last = model.encoder(torch.tensor([ids])).last_hidden_state[0]
    torch.testing.assert_close(vectors(model, tokenizer, RELATIONS[:1])[0], torch.cat([last[1], last[6]]))


def test_the_loss_is_the_cross_entropy_of_prototypes(bert, tagging_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "proto")
    rows = dict(enumerate(tagging_episodes.examples.to_list()))
    losses = []
    for episode in tagging_episodes:
        names = ["O", *episode.classes]
        support = torch.cat([vectors(model, tokenizer, [rows[i]]) for i in episode.support])
        tags = [tag for i in episode.support for tag in rows[i]["tags"]]
        means = [support[[k for k, tag in enumerate(tags) if tag == name]].mean(0) for name in names]
        for i in episode.query:
            for vector, tag in zip(vectors(model, tokenizer, [rows[i]]), rows[i]["tags"], strict=True):
                scores = torch.stack([-((vector - mean) ** 2).sum() for mean in means])
                losses.append(-scores.log_softmax(0)[names.index(tag) if tag in names else 0])
    with torch.no_grad():
        loss = model(**batch_of(model, tokenizer, tagging_episodes)).loss
    torch.testing.assert_close(loss, torch.stack(losses).mean(), rtol=1e-3, atol=1e-4)


def test_none_of_the_above_is_learned_in_batches_of_unequal_episodes(bert, relation_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "mnav", n_vectors=2)
    with torch.no_grad():
        together = model(**batch_of(model, tokenizer, relation_episodes))
        alone = [model(**batch_of(model, tokenizer, relation_episodes, slice(i, i + 1))) for i in range(3)]
    # Three, one and three queries.
    expected = (3 * alone[0].loss + alone[1].loss + 3 * alone[2].loss) / 7
    torch.testing.assert_close(together.loss, expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(together.logits[0, :, -1], alone[0].logits[0, :, -1], rtol=1e-4, atol=1e-4)


def test_what_a_method_adds_is_part_of_the_loss_of_a_batch(bert, relation_episodes):
    torch.manual_seed(0)
    model, tokenizer = FewShotModel.from_encoder(bert, "nav", mean_distance_loss=True)
    rows = dict(enumerate(relation_episodes.examples.to_list()))
    supports = [vectors(model, tokenizer, [rows[i]])[0] for episode in relation_episodes for i in episode.support]
    with torch.no_grad():
        batch = batch_of(model, tokenizer, relation_episodes)
        expected = (model.method.vectors[0] - sum(supports) / len(supports)).square().sum().sqrt().log()
        with_own, logits = model(**batch).loss, model(**batch).logits
        torch.testing.assert_close(with_own, query_loss(logits, batch["labels"]) + expected, rtol=1e-4, atol=1e-5)


def test_a_query_whose_class_has_no_score_does_not_count():
    scores = torch.tensor([[[1.0, 2.0, -torch.inf], [0.0, 0.0, -torch.inf], [5.0, 1.0, -torch.inf]]])
    expected = torch.tensor([1.0, 2.0]).logsumexp(0) - 2
    for unknown in (2, 3, -100):
        labels = torch.tensor([[1, unknown, unknown]])
        torch.testing.assert_close(query_loss(scores, labels), expected)
    assert query_loss(scores, torch.tensor([[2, 3, -100]])) == 0


def test_queries_of_no_class_do_not_disturb_a_method_that_knows_no_such(bert, relation_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "proto", representation="markers")
    batch = batch_of(model, tokenizer, relation_episodes)
    loss = model(**batch).loss
    loss.backward()
    assert loss.isfinite()
    without = batch | {"labels": batch["labels"].masked_fill(batch["labels"] == 3, -100)}
    torch.testing.assert_close(model(**without).loss, loss)


def test_half_precision_of_the_encoder_does_not_touch_the_scores(bert, relation_episodes):
    model, _ = FewShotModel.from_encoder(bert, "proto", representation="markers")
    generator = torch.Generator().manual_seed(0)
    rows = 100 + torch.randn(8, model.method.dim, generator=generator)
    episodes = EpisodeBatch(
        support_rows=torch.tensor([[0, 1, 2]]),
        support_labels=torch.tensor([[0, 1, 1]]),
        query_rows=torch.tensor([[3, 4, 5]]),
        labels=None,
        n_classes=2,
    )
    plain = model.score(rows, episodes)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(model.score(rows, episodes), plain)


def test_dropout_falls_on_vectors_in_training_only(bert, relation_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "proto", representation="markers", dropout=0.5)
    batch = batch_of(model, tokenizer, relation_episodes)
    assert torch.equal(model(**batch).logits, model(**batch).logits)
    model.dropout.train()
    assert not torch.equal(model(**batch).logits, model(**batch).logits)


@pytest.mark.parametrize(("method", "options"), EVERY, ids=[f"{name}-{options}" for name, options in EVERY])
@pytest.mark.parametrize("encoder", ["bert", "roberta"])
def test_a_saved_model_scores_the_same(request, tmp_path, episodes_for, encoder, method, options):
    torch.manual_seed(1)
    model, tokenizer = FewShotModel.from_encoder(request.getfixturevalue(encoder), method, max_length=60, **options)
    if method == "structshot":
        model.method.set_transitions([["O", "O", "a", "b", "b", "O"]])
    episodes = episodes_for(model.config.representation)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again, tokens = FewShotModel.from_pretrained(tmp_path), load_tokenizer(tmp_path)
    assert not again.training
    assert again.config.method_options == {k: v for k, v in options.items() if k != "representation"}
    assert again.config.max_length == 60
    assert again.state_dict().keys() == model.state_dict().keys()
    for name, value in model.state_dict().items():
        assert torch.equal(value, again.state_dict()[name]), name
    with torch.no_grad():
        before = model(**batch_of(model, tokenizer, episodes)).logits
        after = again(**batch_of(again, tokens, episodes)).logits
    assert torch.equal(before, after)


def test_the_saved_configuration_says_the_method_and_no_path(bert, tmp_path):
    model, _ = FewShotModel.from_encoder(bert, "mnav", n_vectors=4)
    model.save_pretrained(tmp_path)
    text = (tmp_path / "config.json").read_text()
    saved = json.loads(text)
    assert (saved["model_type"], saved["method"], saved["method_options"]) == ("hf_fewshot", "mnav", {"n_vectors": 4})
    assert str(bert) not in text
    assert isinstance(AutoConfig.from_pretrained(tmp_path), FewShotModelConfig)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "model.safetensors"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "threshold", "method_options": {}}, "missing method.threshold; unexpected method.vectors"),
        ({"method_options": {"n_vectors": 5}}, "with options {'n_vectors': 5}: of another size method.vectors"),
        (
            {"method_options": {"n_vectors": 3, "mlp": True}},
            "missing method.head.first.bias, method.head.first.weight",
        ),
    ],
    ids=["another-method", "another-number", "another-option"],
)
def test_weights_of_another_method_are_refused(bert, tmp_path, options, message):
    FewShotModel.from_encoder(bert, "mnav", n_vectors=3)[0].save_pretrained(tmp_path)
    with pytest.raises(ValueError, match=message):
        FewShotModel.from_pretrained(tmp_path, **options)


def test_options_a_method_does_not_take_are_refused(bert, tmp_path):
    with pytest.raises(ValueError, match=r"Method 'proto' does not take {'tau': 0.3}"):
        FewShotModel.from_encoder(bert, "proto", tau=0.3)
    FewShotModel.from_encoder(bert, "proto")[0].save_pretrained(tmp_path)
    with pytest.raises(ValueError, match=r"Method 'proto' does not take {'vectors': 3}"):
        FewShotModel.from_pretrained(tmp_path, method_options={"vectors": 3})


def test_a_bare_encoder_is_no_few_shot_model(bert):
    with pytest.raises(ValueError, match=r"model of type 'bert', not a few-shot model. Use FewShotModel.from_encoder"):
        FewShotModel.from_pretrained(bert)


def test_an_unknown_method_or_representation_is_met_with_a_suggestion(bert):
    with pytest.raises(ValueError, match=r"Unknown method 'structshoot'. Did you mean 'structshot'\?"):
        FewShotModel.from_encoder(bert, "structshoot")
    with pytest.raises(ValueError, match=r"Unknown representation 'word'. Did you mean 'words'\?"):
        FewShotModel.from_encoder(bert, "proto", representation="word")
    with pytest.raises(ValueError, match=r"Unknown method 'gpt'. Known: joint_proto, logistic, mnav, nav, nnshot"):
        FewShotModel(FewShotModelConfig(encoder={"model_type": "bert"}, method="gpt"))


def test_a_representation_the_method_cannot_use_is_refused(bert):
    with pytest.raises(ValueError, match="Method 'mnav' needs representation='markers', got 'words'"):
        FewShotModel.from_encoder(bert, "mnav", representation="words")


@pytest.mark.parametrize("layers", [0, 3])
def test_only_layers_that_exist_can_be_added_up(bert, layers):
    with pytest.raises(ValueError, match=f"layers={layers}, but the encoder has 2 layers"):
        FewShotModel.from_encoder(bert, "proto", layers=layers)


@pytest.mark.parametrize(("encoder", "positions"), [("bert", 130), ("roberta", 128)])
def test_sequences_must_fit_the_positions_of_the_encoder(encoder, positions, request):
    # RoBERTa has 130 too, but counts them from the one after padding.
    folder = request.getfixturevalue(encoder)
    model, tokenizer = FewShotModel.from_encoder(folder, "proto", max_length=positions)
    rows = vectors(model, tokenizer, [{"id": "long", "tokens": ["anna"] * 300}])
    assert rows.shape == (300, 16)
    message = rf"max_length={positions + 1}, but the model has {positions} positions\. Lower max_length"
    with pytest.raises(ValueError, match=message):
        FewShotModel.from_encoder(folder, "proto", max_length=positions + 1)


def test_sequences_of_like_length_go_together():
    groups = groups_of_like_length(torch.tensor([3, 10, 7, 2, 9, 3]))
    assert [group.tolist() for group in groups] == [[1, 4, 2], [0, 5], [3]]
    assert [group.tolist() for group in groups_of_like_length(torch.tensor([5, 5]))] == [[0, 1]]


def test_the_last_layers_are_in_the_order_of_the_sequences(bert):
    model, _ = FewShotModel.from_encoder(bert, "proto", layers=2)
    lengths = torch.tensor([3, 12, 8, 2, 11])
    ids = torch.randint(10, 30, (5, 12), generator=torch.Generator().manual_seed(0))
    mask = (torch.arange(12) < lengths.unsqueeze(1)).long()
    second = torch.tensor([1, 5, 4, 1, 6])
    with torch.no_grad():
        for own in (None, second):
            hidden = model.hidden(ids, mask, own)
            assert hidden.shape == (5, 12, 16)
            for row, length in enumerate(lengths.tolist()):
                part = slice(row, row + 1)
                alone = model.hidden(ids[part, :length], mask[part, :length], None if own is None else own[part])
                torch.testing.assert_close(hidden[part, :length], alone, rtol=1e-4, atol=1e-5)


def test_pickled_weights_are_not_read(tmp_path):
    folder = write_bert(tmp_path / "encoder")
    torch.save(AutoModel.from_pretrained(folder).state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(OSError, match=r"model.safetensors"):
        FewShotModel.from_encoder(folder, "proto")


def test_a_sentence_in_two_episodes_is_encoded_once(bert, text_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "proto", representation="mean")
    assert batch_of(model, tokenizer, text_episodes)["input_ids"].shape[0] == len(TEXTS)


def test_a_class_without_support_after_cutting_is_never_predicted(bert):
    episodes = episodes_of("classification", TEXTS, Episode(("home", "nothing"), (0,), (1, 2)))
    model, tokenizer = FewShotModel.from_encoder(bert, "proto", representation="mean")
    with torch.no_grad():
        output = model(**batch_of(model, tokenizer, episodes))
    assert (output.logits[..., 1] == -torch.inf).all()
    assert output.loss.isfinite()
