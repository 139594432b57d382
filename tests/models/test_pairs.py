"""Support and query encoded together."""

import math

import numpy as np
import pytest
import torch

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.pairs import _cut, pair_inputs
from hf_fewshot.trainers.episodic_trainer import EpisodeCollator
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


def marked_pieces(tokenizer, row):
    """The pieces of a relation instance with its entities marked, word by word."""
    before = {row["head"]["mentions"][0]["start"]: ["[unused1]"], row["tail"]["mentions"][0]["start"]: ["[unused3]"]}
    after = {row["head"]["mentions"][0]["end"]: ["[unused2]"], row["tail"]["mentions"][0]["end"]: ["[unused4]"]}
    pieces = []
    for place, word in enumerate(row["tokens"]):
        pieces += [*before.get(place, []), *tokenizer.tokenize(word), *after.get(place + 1, [])]
    return pieces


@torch.no_grad()
def scores_by_hand(model, tokenizer, rows, episode, query):
    """The mean of "same" of each class, and the least mean of "different", each pair alone through the encoder."""
    same = {name: [] for name in episode.classes}
    different = {name: [] for name in episode.classes}
    for support in episode.support:
        first = ["[CLS]", *marked_pieces(tokenizer, rows[support]), "[SEP]"]
        second = [*marked_pieces(tokenizer, rows[query]), "[SEP]"]
        ids = torch.tensor([tokenizer.convert_tokens_to_ids(first + second)])
        segments = torch.tensor([[0] * len(first) + [1] * len(second)])
        pooled = model.encoder(ids, token_type_ids=segments).pooler_output[0]
        verdicts = ((model.method.verdict.weight * pooled).sum(1) + model.method.verdict.bias).tolist()
        different[rows[support]["relation"]].append(verdicts[0])
        same[rows[support]["relation"]].append(verdicts[1])
    means = [sum(values) / len(values) for values in same.values()]
    return [*means, min(sum(values) / len(values) for values in different.values())]


def test_scores_and_loss_are_those_of_plain_loops_from_the_text_on(bert, relation_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "sentence_pair")
    for parameter in model.method.verdict.parameters():
        torch.nn.init.normal_(parameter, generator=torch.Generator().manual_seed(0))
    rows = relation_episodes.examples.to_list()
    collate = EpisodeCollator(model, tokenizer, relation_episodes)
    losses = []
    for episode in relation_episodes:
        found = model(**collate([episode])).logits[0].tolist()
        for own, query in zip(found, episode.query, strict=True):
            expected = scores_by_hand(model, tokenizer, rows, episode, query)
            assert own == pytest.approx(expected, abs=1e-4)
            name = rows[query]["relation"]
            place = episode.classes.index(name) if name in episode.classes else -1
            losses.append(math.log(sum(map(math.exp, expected))) - expected[place])
    loss = model(**collate(relation_episodes[:])).loss
    assert loss.item() == pytest.approx(sum(losses) / len(losses), abs=1e-4)
    # All that it depends on is learned: all layers, and the method's pooler in place of the encoder's.
    loss.backward()
    still = {name for name, value in model.named_parameters() if value.grad is None or not value.grad.any()}
    assert still == {"encoder.pooler.dense.weight", "encoder.pooler.dense.bias"}


MARKERS = (91, 92, 93, 94)


def sentence(length, *places):
    """Pieces 0, 1, ... of which those at four places are the markers."""
    pieces = np.arange(length)
    pieces[list(places)] = MARKERS
    return pieces


@pytest.mark.parametrize(
    ("lengths", "room", "expected"),
    [
        ((5, 4), 9, (5, 4)),
        ((20, 6), 14, (8, 6)),
        ((6, 20), 14, (6, 8)),
        ((20, 14), 13, (7, 6)),
        ((14, 20), 13, (6, 7)),
    ],
)
def test_the_longer_sentence_is_cut_first(lengths, room, expected):
    first, second = _cut(sentence(lengths[0], 0, 1, 2, 3), sentence(lengths[1], 0, 1, 2, 3), MARKERS, room)
    assert (len(first), len(second)) == expected
    assert first.tolist() == sentence(lengths[0], 0, 1, 2, 3)[: expected[0]].tolist()


def test_a_sentence_is_cut_around_its_entities_wherever_they_are():
    generator = np.random.default_rng(0)
    for _ in range(300):
        sentences = []
        for _ in range(2):
            length = int(generator.integers(8, 60))
            sentences.append(sentence(length, *sorted(generator.choice(length, 4, replace=False))))
        needed = [int(np.ptp(np.flatnonzero(np.isin(one, MARKERS)))) + 1 for one in sentences]
        room = int(generator.integers(10, 70))
        if sum(needed) > room:
            with pytest.raises(ValueError, match=f"have {needed[0]} and {needed[1]} pieces, but max_length leaves"):
                _cut(*sentences, MARKERS, room)
            continue
        parts = _cut(*sentences, MARKERS, room)
        assert len(parts[0]) + len(parts[1]) == min(room, len(sentences[0]) + len(sentences[1]))
        for part, whole in zip(parts, sentences, strict=True):
            # A run of the sentence, with all four markers.
            begin = int(np.flatnonzero(whole == part[0])[0])
            assert part.tolist() == whole[begin : begin + len(part)].tolist()
            assert [piece for piece in part.tolist() if piece in MARKERS] == list(MARKERS)


def test_late_entities_are_not_lost(bert):
    examples = [relation(i, "a " * 60 + "anna in rome", (60, 61), (62, 63)) for i in range(2)]
    episodes = episodes_of("relation", examples, Episode(("r",), (0,), (1,)))
    model, tokenizer = FewShotModel.from_encoder(bert, "sentence_pair", max_length=24)
    inputs, _ = pair_inputs(model, tokenizer, episodes.examples, episodes[:])
    text = " ".join(tokenizer.convert_ids_to_tokens(inputs.input_ids[0].tolist()))
    entities = "[unused1] anna [unused2] in [unused3] rome [unused4]"
    assert text == f"[CLS] a a a a {entities} [SEP] a a a {entities} [SEP]"


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


@pytest.mark.parametrize("length", [40, 1])
def test_gradients_of_many_pairs_add_up_over_parts_that_fit(bert, relation_episodes, monkeypatch, length):
    """A large episode keeps the layers of one part of its pairs at a time; the gradient stays what it is."""
    model, tokenizer = FewShotModel.from_encoder(bert, "sentence_pair")
    batch = EpisodeCollator(model, tokenizer, relation_episodes)([relation_episodes[1], relation_episodes[0]])
    n_pairs, longest = batch["input_ids"].shape

    def gradients():
        model.zero_grad()
        torch.manual_seed(0)
        model.eval()(**batch).loss.backward()
        return {name: own.grad.clone() for name, own in model.named_parameters() if own.grad is not None}

    whole = gradients()
    seen = []
    monkeypatch.setattr("hf_fewshot.models.method_model.TOKENS_AT_ONCE", length)
    monkeypatch.setattr(model.encoder, "forward", spy(model.encoder.forward, seen))
    in_parts = gradients()
    assert in_parts.keys() == whole.keys()
    for name, own in whole.items():
        torch.testing.assert_close(in_parts[name], own, atol=1e-6, rtol=1e-4)
    at_once = max(1, length // longest)
    # Every part is computed twice: for its scores, and again for its gradients.
    assert max(len(call["input_ids"]) for call in seen) <= at_once < n_pairs
    assert sum(len(call["input_ids"]) for call in seen) == 2 * n_pairs
    kept = [call for call in seen if call["input_ids"].numel() > max(length, longest)]
    assert not kept


def test_parts_that_are_computed_again_have_the_same_dropout(bert, relation_episodes, monkeypatch):
    model, tokenizer = FewShotModel.from_encoder(bert, "sentence_pair")
    drops = [module for module in model.encoder.modules() if isinstance(module, torch.nn.Dropout)]
    for drop in drops:
        drop.p = 0.5
    batch = EpisodeCollator(model, tokenizer, relation_episodes)([relation_episodes[0]])
    monkeypatch.setattr("hf_fewshot.models.method_model.TOKENS_AT_ONCE", 1)

    def gradients():
        model.zero_grad()
        torch.manual_seed(0)
        model.train()(**batch).loss.backward()
        return {name: own.grad.clone() for name, own in model.named_parameters() if own.grad is not None}

    computed_again = gradients()
    monkeypatch.setattr(
        "hf_fewshot.models.method_model.in_parts", lambda function, parts: [function(*part) for part in parts]
    )
    torch.testing.assert_close(computed_again, gradients(), atol=1e-7, rtol=1e-5)
    for drop in drops:
        drop.p = 0.0
    assert not torch.equal(gradients()["method.verdict.weight"], computed_again["method.verdict.weight"])
