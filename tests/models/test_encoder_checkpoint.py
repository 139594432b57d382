"""What a checkpoint has beside its encoder."""

import pytest
import torch
from transformers import BertForNextSentencePrediction, BertModel, DistilBertConfig, DistilBertModel

from hf_fewshot.models.encoder_checkpoint import EncoderCheckpoint
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.pairs import pair_inputs
from tests.tiny_models import write_bert, write_roberta


@pytest.fixture(scope="module")
def with_next_sentence(tmp_path_factory):
    """A BERT with its pooler and next-sentence classifier."""
    folder = write_bert(tmp_path_factory.mktemp("nsp"))
    torch.manual_seed(3)
    model = BertForNextSentencePrediction(BertModel.from_pretrained(folder).config)
    model.save_pretrained(folder)
    return folder


def test_the_pre_trained_head_gives_the_next_sentence_logits_of_the_checkpoint(with_next_sentence, relation_episodes):
    model, tokenizer = FewShotModel.from_encoder(with_next_sentence, "sentence_pair", head="next_sentence")
    inputs, _ = pair_inputs(model, tokenizer, relation_episodes.examples, [relation_episodes[0]])
    whole = BertForNextSentencePrediction.from_pretrained(with_next_sentence).eval()
    segments = torch.zeros_like(inputs.input_ids)
    for own, (_, second), n_tokens in zip(
        segments, inputs.row_positions.tolist(), inputs.attention_mask.sum(1).tolist(), strict=True
    ):
        own[second:n_tokens] = 1
    with torch.no_grad():
        expected = whole(inputs.input_ids, attention_mask=inputs.attention_mask, token_type_ids=segments).logits
        # One pair each: "same" is its class's score, "different" that of none-of-the-above.
        pairs = model.encode(inputs)[:, None, None]
        found = model.method.score_pairs(pairs, torch.zeros(len(pairs), 1, dtype=torch.long), 1)
    torch.testing.assert_close(found[:, 0], expected, atol=1e-5, rtol=0)


def test_a_checkpoint_without_the_head_says_so(bert, tmp_path):
    with pytest.raises(
        ValueError, match=r"has no next-sentence classifier: it lacks cls.seq_relationship.bias.*head='new'"
    ):
        FewShotModel.from_encoder(bert, "sentence_pair", head="next_sentence")
    roberta = write_roberta(tmp_path / "roberta")
    with pytest.raises(ValueError, match="models of its type are not pre-trained with one"):
        FewShotModel.from_encoder(roberta, "sentence_pair", head="next_sentence")


def test_a_new_head_begins_with_the_pooler_that_there_is(bert):
    model, _ = FewShotModel.from_encoder(bert, "sentence_pair")
    assert torch.equal(model.method.pooler.weight, model.encoder.pooler.dense.weight)


def test_an_encoder_without_a_pooler_gets_a_new_one(bert, tmp_path):
    load_tokenizer(bert).save_pretrained(tmp_path)
    size = len(load_tokenizer(bert))
    config = DistilBertConfig(
        vocab_size=size, dim=16, hidden_dim=32, n_layers=1, n_heads=2, max_position_embeddings=130
    )
    DistilBertModel(config).save_pretrained(tmp_path)
    model, _ = FewShotModel.from_encoder(tmp_path, "sentence_pair")
    assert EncoderCheckpoint(tmp_path, model.encoder).pooler() is None
    assert model.method.pooler.weight.shape == (16, 16)
