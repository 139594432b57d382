"""Batches for the joint model: each sentence, or each pair of a query and a support sentence, is there once."""

import pytest
import torch
from transformers import AutoModel

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.joint_batch import intents_of, tags_of
from hf_fewshot.models.joint_inputs import NO_SECOND, JointCollator
from hf_fewshot.models.joint_model import JointModel
from tests.small_episodes import JOINT, episodes_of


@pytest.fixture(scope="module")
def one_pair():
    return episodes_of("joint", JOINT, Episode(("intent:lives", "slot:place"), (5,), (0,)))


def test_every_sentence_of_a_batch_is_there_once(bert, joint_episodes):
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto")
    batch = JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:])
    assert batch["input_ids"].shape == (7, 9)
    assert [
        tokenizer.decode(ids[mask > 0])
        for ids, mask in zip(*map(batch.get, ("input_ids", "attention_mask")), strict=True)
    ] == [f"[CLS] {' '.join(row['tokens'])} [SEP]" for row in JOINT]
    assert batch["row_sequence"].tolist() == [i for i, row in enumerate(JOINT) for _ in row["tokens"]]
    assert batch["episodes"].support.rows[2, 0].tolist() == [4, 5, 6, 7, 8, 0, 0]
    # Of some episodes only what they need: rows 25 are then row 16.
    batch = JointCollator(model, tokenizer, joint_episodes)([joint_episodes[1]])
    assert len(batch["input_ids"]) == 4
    assert batch["episodes"].support.rows.tolist() == [[[11, 12, 13, 14, 15], [16, 0, 0, 0, 0]]]


def test_names_are_sentences_of_the_batch(bert, one_pair):
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto", name_weight=0.5)
    batch = JointCollator(model, tokenizer, one_pair)(one_pair[:])
    # Two utterances, O, two tags and an intent; "other", "begin", "inside" and "place" are pieces of letters.
    assert len(batch["input_ids"]) == 6
    rows, lengths = batch["episodes"].tag_names.rows, batch["episodes"].tag_names.lengths
    # Utterances have 5 words; B-place, I-place, O and lives follow.
    assert rows.tolist() == [[[9, 9], [5, 6], [7, 8]]]
    assert lengths.tolist() == [[1, 2, 2]]
    assert batch["episodes"].intent_names.rows.tolist() == [[[10]]]


def test_a_pair_is_one_sequence_with_rows_for_the_words_of_both(bert, one_pair):
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto", pairwise=True)
    batch = JointCollator(model, tokenizer, one_pair)(one_pair[:])
    assert tokenizer.decode(batch["input_ids"][0]) == "[CLS] anna lives in paris [SEP] bern [SEP]"
    assert batch["attention_mask"].tolist() == [[1] * 8]
    assert batch["row_sequence"].tolist() == [0] * 5
    assert batch["row_positions"].tolist() == [[1, 6], [2, 6], [3, 6], [4, 6], [6, 6]]
    assert batch["episodes"].query.rows.tolist() == [[[[0, 1, 2, 3]]]]
    assert batch["episodes"].support.rows.tolist() == [[[4]]]
    assert batch["episodes"].query.tags.tolist() == [[[-1, 0, 0, 1]]]


def test_names_have_no_partner(bert, one_pair):
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto", pairwise=True, name_weight=0.5)
    batch = JointCollator(model, tokenizer, one_pair)(one_pair[:])
    assert len(batch["input_ids"]) == 5
    assert batch["row_positions"][5:, 1].tolist() == [NO_SECOND] * 6
    assert batch["episodes"].tag_names.rows.tolist() == [[[9, 9], [5, 6], [7, 8]]]
    assert batch["episodes"].query.rows.tolist() == [[[[0, 1, 2, 3]]]]


def test_every_query_of_a_batch_of_pairs_is_an_episode_of_its_own(bert, joint_episodes):
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto", pairwise=True)
    batch = JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:])
    # Three queries with three supports, two with two, three with one.
    assert len(batch["input_ids"]) == 9 + 4 + 3
    assert batch["episodes"].query.lengths.tolist() == [[4], [1], [7], [4], [7], [7], [4], [1]]
    assert batch["episodes"].query.intents.flatten().tolist() == [1, 0, 1, 1, 1, 0, 0, -1]


class PlainPairs:
    """Encodes `[CLS] query [SEP] support [SEP]` for each support sentence, one sequence at a time."""

    def __init__(self, folder, tokenizer):
        self.encoder = AutoModel.from_pretrained(folder).eval()
        self.tokenizer = tokenizer

    def pieces(self, words):
        found, firsts = [], []
        for word in words:
            firsts.append(len(found))
            found += self.tokenizer.encode(word, add_special_tokens=False)
        return found, torch.tensor(firsts)

    def pair(self, query, support):
        (first, query_firsts), (second, support_firsts) = self.pieces(query), self.pieces(support)
        ids = [self.tokenizer.cls_token_id, *first, self.tokenizer.sep_token_id]
        segments = [0] * len(ids) + [1] * (len(second) + 1)
        start = len(ids)
        ids += [*second, self.tokenizer.sep_token_id]
        extra = {"token_type_ids": torch.tensor([segments])} if self.encoder.config.type_vocab_size > 1 else {}
        states = self.encoder(torch.tensor([ids]), **extra).last_hidden_state[0]
        return states[1 + query_firsts], states[start + support_firsts]

    def scores(self, query, supports, intents, tags):
        pairs = [self.pair(query["tokens"], support["tokens"]) for support in supports]
        words = sum(own for own, _ in pairs) / len(pairs)
        seen = [(support, own) for support, (_, own) in zip(supports, pairs, strict=True)]
        shown = [(tag, vector) for s, own in seen for tag, vector in zip(s["slot_tags"], own, strict=True)]
        found = []
        for asked, named, labels in (
            (words, shown, tags),
            (
                words.mean(0, keepdim=True),
                [(s["intent"], own.mean(0)) for s, own in seen],
                intents,
            ),
        ):
            columns = []
            for label in labels:
                members = [vector for name, vector in named if name == label]
                if members:
                    columns.append(-((asked - torch.stack(members).mean(0)) ** 2).sum(1) / 20)
                else:
                    columns.append(torch.full((len(asked),), -torch.inf))
            found.append(torch.stack(columns, 1))
        return found


@pytest.mark.parametrize("encoder", ["bert", "roberta"])
@torch.no_grad()
def test_scores_of_pairs_equal_a_plain_loop(request, encoder, joint_episodes):
    folder = request.getfixturevalue(encoder)
    model, tokenizer = JointModel.from_encoder(folder, "joint_proto", pairwise=True)
    output = model(**JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:]))
    plain = PlainPairs(folder, tokenizer)
    if encoder == "roberta":
        plain.pieces = lambda words: pieces_with_spaces(tokenizer, words)
    number = 0
    for episode in joint_episodes:
        intents, tags = intents_of(episode), tags_of(episode)
        for row in episode.query:
            words, sentence = plain.scores(JOINT[row], [JOINT[i] for i in episode.support], intents, tags)
            got = output.tags[number, 0, : len(words), : len(tags)]
            torch.testing.assert_close(got, words, rtol=1e-4, atol=1e-4)
            torch.testing.assert_close(output.intents[number, :, : len(intents)], sentence, rtol=1e-4, atol=1e-4)
            number += 1
    assert number == len(output.intents) == 8


def pieces_with_spaces(tokenizer, words):
    found, firsts = [], []
    for word in words:
        firsts.append(len(found))
        found += tokenizer.convert_tokens_to_ids(tokenizer.tokenize([word], is_split_into_words=True))
    return found, torch.tensor(firsts)


def test_a_pair_that_is_too_long_is_refused(bert, joint_episodes):
    # The longest pair: 7 words with 7, and three special tokens.
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto", pairwise=True, max_length=17)
    assert JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:])["input_ids"].shape[1] == 17
    model, tokenizer = JointModel.from_encoder(bert, "joint_proto", pairwise=True, max_length=16)
    with pytest.raises(ValueError, match=r"sentence have 17 pieces together, but max_length is 16\. Raise"):
        JointCollator(model, tokenizer, joint_episodes)(joint_episodes[:])
