"""Support and query encoded together."""

import numpy as np
import pytest
import torch

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.pairs import _cut, pair_inputs
from tests.small_episodes import episodes_of, relation


def test_every_support_sentence_meets_every_query(bert, relation_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "sentence_pair")
    batch = [relation_episodes[0], relation_episodes[1]]
    inputs, rows = pair_inputs(model, tokenizer, relation_episodes.examples, batch)
    texts = [tokenizer.convert_ids_to_tokens(ids) for ids in inputs.input_ids.tolist()]
    assert len(texts) == 2 * 3 + 5 * 1
    # Query 0 (example 1) with support 0 (example 0).
    assert " ".join(texts[0]).replace("[PAD]", "").split() == [
        *["[CLS]", "[unused1]", "anna", "[unused2]", "lives", "in", "[unused3]", "paris", "[unused4]", ".", "[SEP]"],
        *["[unused1]", "tom", "[unused2]", "lives", "in", "[unused3]", "rome", "[unused4]", "[SEP]"],
    ]
    assert inputs.row_positions[0].tolist() == [0, 11]
    assert rows.shape == (2, 3, 5)
    assert rows[0, :, :2].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert rows[1, 0].tolist() == [6, 7, 8, 9, 10]
    assert inputs.attention_mask.sum(1).tolist() == [sum(t != "[PAD]" for t in text) for text in texts]


@pytest.mark.parametrize(
    ("lengths", "room", "expected"),
    [((5, 4), 9, (5, 4)), ((9, 3), 8, (5, 3)), ((3, 9), 8, (3, 5)), ((8, 6), 7, (4, 3)), ((6, 8), 7, (4, 3))],
)
def test_the_longer_sentence_is_cut_first(lengths, room, expected):
    first, second = _cut(np.arange(lengths[0]), np.arange(lengths[1]), room)
    assert (len(first), len(second)) == expected
    assert first.tolist() == list(range(expected[0]))


def test_pairs_never_exceed_max_length(bert):

    examples = [relation(i, "anna in rome " + "a " * 30, (0, 1), (2, 3)) for i in range(2)]
    episodes = episodes_of("relation", examples, Episode(("r",), (0,), (1,)))
    model, tokenizer = FewShotModel.from_encoder(bert, "sentence_pair", max_length=24)
    inputs, _ = pair_inputs(model, tokenizer, episodes.examples, episodes[:])
    assert inputs.input_ids.shape == (1, 24)
    marks = set(tokenizer.convert_tokens_to_ids(["[unused1]", "[unused3]"]))
    assert sum(piece in marks for piece in inputs.input_ids[0].tolist()) == 4


@pytest.mark.parametrize("segments", [2, 1])
def test_the_two_sentences_are_told_apart_where_the_encoder_has_segments(
    segments, bert, relation_episodes, monkeypatch
):
    seen = []
    model, tokenizer = FewShotModel.from_encoder(bert, "sentence_pair")
    inputs, _ = pair_inputs(model, tokenizer, relation_episodes.examples, [relation_episodes[0]])
    monkeypatch.setattr(model.encoder, "forward", spy(model.encoder.forward, seen))
    monkeypatch.setattr(model.encoder.config, "type_vocab_size", segments)
    with torch.no_grad():
        model.encode(inputs)
    if segments == 1:
        assert "token_type_ids" not in seen[0]
    else:
        # Sequences of like length go together: the first pair is wherever its tokens are.
        wanted = inputs.input_ids[0, :20].tolist()
        (first,) = [
            own
            for call in seen
            for ids, own in zip(call["input_ids"], call["token_type_ids"], strict=True)
            if ids[:20].tolist() == wanted
        ]
        assert first.tolist()[:20] == [0] * 11 + [1] * 9
        assert first[20:].sum() == 0


def spy(function, calls):
    """The function, noting the keywords it is called with."""

    def noting(*args, **kwargs):
        calls.append(kwargs)
        return function(*args, **kwargs)

    return noting
