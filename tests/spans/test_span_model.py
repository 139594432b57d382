import json
import math

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModel

from hf_fewshot.models.span_model import SpanModel, SpanModelConfig, set_loss
from hf_fewshot.spans.inputs import SpanInputBuilder
from hf_fewshot.spans.scores import token_scores
from hf_fewshot.spans.span_set import answer_counts, decode
from hf_fewshot.systems.spans import SpanSystem
from tests.spans.rows import NAMES
from tests.tiny_models import write_masked_deberta

SIZES = {"max_length": 40, "stride": 10}


def test_the_loss_by_hand():
    # Tokens: [CLS], an answer, another token, a separator.
    scores = torch.tensor([[[0.0, 0.0], [1.0, 2.0], [-1.0, 0.5], [9.0, 9.0]]])
    candidates = torch.tensor([[False, True, True, False]])
    labels = torch.tensor([[[False, False], [True, True], [False, False], [False, False]]])
    begin = math.log(1 + math.exp(-1)) + math.log(1 + math.exp(-1))
    end = math.log(1 + math.exp(0.5)) + math.log(1 + math.exp(-2))
    assert set_loss(scores, candidates, labels).item() == pytest.approx((begin + end) / 2, rel=1e-5)


def test_without_an_answer_the_loss_is_the_cross_entropy_of_cls():
    scores = torch.randn(3, 6, 2, generator=torch.Generator().manual_seed(0))
    scores -= scores[:, :1].clone()
    candidates = torch.tensor([False, True, True, True, True, True]).expand(3, 6)
    labels = torch.zeros(3, 6, 2, dtype=torch.bool)
    expected = torch.nn.functional.cross_entropy(scores, torch.zeros(3, 2, dtype=torch.long))
    assert set_loss(scores, candidates, labels).item() == pytest.approx(expected.item(), rel=1e-5)


def test_padding_changes_no_score(span_bert):
    model, tokenizer = SpanModel.from_encoder(span_bert, **SIZES)
    builder = SpanInputBuilder(tokenizer, 40, 10)
    short = {"question": "who ?", "context": ["anna"]}
    passages = builder.passages([NAMES, short])
    with torch.no_grad():
        together = token_scores(model, builder, passages)
        alone = token_scores(model, builder, passages[1:])
    torch.testing.assert_close(together[1], alone[0])
    assert [len(scores) for scores in together] == [12, 3]


def test_a_token_in_several_windows_has_the_mean_of_its_scores(span_bert):
    model, tokenizer = SpanModel.from_encoder(span_bert, max_length=11, stride=5)
    builder = SpanInputBuilder(tokenizer, 11, 5)
    (passage,) = builder.passages([NAMES])
    windows = list(builder.windows(passage))
    assert len(windows) == 2
    by_token = {}
    for window in windows:
        ids = torch.from_numpy(window.ids)[None]
        types = (torch.arange(len(window.ids)) >= 4).long()[None]
        with torch.no_grad():
            scores = model.head(model.encoder(ids, torch.ones_like(ids), types).last_hidden_state)[0]
        for place, score in zip(window.places, scores - scores[0], strict=True):
            by_token.setdefault(int(place), []).append(score)
    with torch.no_grad():
        (found,) = token_scores(model, builder, [passage])
    for place, own in enumerate(found):
        torch.testing.assert_close(own, torch.stack(by_token[place]).mean(0))
    assert len(by_token[0]) == 2


def test_what_training_rows_show_decides_how_many_answers_there_may_be(span_bert):
    _, tokenizer = SpanModel.from_encoder(span_bert, **SIZES)
    (passage,) = SpanInputBuilder(tokenizer, 40, 10).passages([NAMES])
    # "anna" is token 2, "tom" token 7: both above no answer; then all below it, "paris" (5) the least.
    two = torch.full((12, 2), -4.0)
    two[2], two[7] = 3.0, 2.0
    none = torch.full((12, 2), -4.0)
    none[5] = -1.0
    several = {(required, many): None for required in (True, False) for many in (True, False)}
    for required, many in several:
        config = SpanModelConfig(required=required, several=many)
        several[required, many] = decode([passage, passage], [two, none], config)
    assert several == {
        (False, True): [["anna", "tom"], []],
        (True, True): [["anna", "tom"], ["paris"]],
        (False, False): [["anna"], []],
        (True, False): [["anna"], ["paris"]],
    }


def test_counts_of_answers_are_read_off_training_rows():
    one, none, two = {"answers": ["a"]}, {"answers": []}, {"answers": ["a", "b"]}
    assert answer_counts([one, one]) == {"required": True, "several": False}
    assert answer_counts([one, none]) == {"required": False, "several": False}
    assert answer_counts([two, none]) == {"required": False, "several": True}
    with pytest.raises(ValueError, match="Expected training rows, got none"):
        answer_counts([])


@pytest.mark.parametrize("encoder", ["span_bert", "span_roberta"])
def test_a_saved_model_is_an_ordinary_folder_that_predicts_the_same(encoder, request, tmp_path):
    rows = [NAMES, {"question": "where ?", "context": ["anna lives in Paris", "tom in rome"]}, NAMES]
    model, tokenizer = SpanModel.from_encoder(request.getfixturevalue(encoder), required=True, several=True, **SIZES)
    predictions = SpanSystem(model, tokenizer).answers(rows)
    assert predictions[0] == predictions[2]
    for row, answers in zip(rows, predictions, strict=True):
        assert answers
        assert all(any(answer in text for text in (row["question"], *row["context"])) for answer in answers)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert SpanSystem(SpanModel.from_pretrained(tmp_path), tokenizer).answers(rows) == predictions
    again = AutoModel.from_pretrained(tmp_path)
    assert isinstance(again, SpanModel)
    assert (again.config.required, again.config.max_length) == (True, 40)


def test_deberta_finds_spans_too(tmp_path):
    model, tokenizer = SpanModel.from_encoder(write_masked_deberta(tmp_path), head="single", **SIZES)
    torch.nn.init.normal_(model.head.weight, std=1.0)
    assert not model.has_segments
    answers = [
        SpanSystem(model, tokenizer).answers(rows)[-1] for rows in ([NAMES], [NAMES | {"question": "x"}, NAMES])
    ]
    assert answers[0] == answers[1]


def test_the_head_is_drawn_from_the_seed(span_bert):
    heads = [SpanModel.from_encoder(span_bert, seed=seed, **SIZES)[0].head.weight for seed in (1, 1, 2)]
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_no_rows_have_no_answers(span_bert):
    model, tokenizer = SpanModel.from_encoder(span_bert, **SIZES)
    assert SpanSystem(model, tokenizer).answers([]) == []
    assert model.training is False


@pytest.mark.parametrize(("encoder", "positions"), [("span_bert", 130), ("span_roberta", 128)])
def test_windows_must_fit_the_positions_of_the_encoder(encoder, positions, request):
    # RoBERTa has 130 too, but counts them from the one after padding.
    folder = request.getfixturevalue(encoder)
    model, tokenizer = SpanModel.from_encoder(folder, max_length=positions, stride=60)
    long = {"question": "who ?", "context": ["anna lives in paris . " * 30]}
    assert len(SpanSystem(model, tokenizer).answers([long])) == 1
    message = rf"max_length={positions + 1}, but the model has {positions} positions\. Lower max_length"
    with pytest.raises(ValueError, match=message):
        SpanModel.from_encoder(folder, max_length=positions + 1)


def test_a_model_that_was_saved_without_a_head_by_name_has_the_set_head(span_bert, tmp_path):
    for head in ("set", "single"):
        SpanModel.from_encoder(span_bert, head=head, **SIZES)[0].save_pretrained(tmp_path / head)
        assert SpanModel.from_pretrained(tmp_path / head).config.head == head
    config = tmp_path / "set" / "config.json"
    content = json.loads(config.read_text())
    assert content.pop("head") == "set"
    config.write_text(json.dumps(content))
    assert SpanModel.from_pretrained(tmp_path / "set").config.head == "set"


def test_wrong_models_and_options_are_refused(span_bert):
    with pytest.raises(ValueError, match=r"a model of type 'bert', not a span model. Use SpanModel.from_encoder"):
        SpanModel.from_pretrained(span_bert)
    with pytest.raises(ValueError, match="max_answer_tokens must be at least 1, but is 0"):
        SpanModel.from_encoder(span_bert, max_answer_tokens=0, **SIZES)
    with pytest.raises(ValueError, match="head='pair', but it must be one of 'single', 'set'"):
        SpanModel.from_encoder(span_bert, head="pair", **SIZES)


def test_weights_without_the_head_are_refused(span_bert, tmp_path):
    SpanModel.from_encoder(span_bert, **SIZES)[0].save_pretrained(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    del weights["head.weight"]
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    message = r"are not those of a span model: missing head.weight. Load the model with the options it was saved with"
    with pytest.raises(ValueError, match=message):
        SpanModel.from_pretrained(tmp_path)
