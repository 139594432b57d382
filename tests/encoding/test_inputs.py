"""From words to token sequences, and where vectors are read off them."""

import numpy as np
import pytest
import torch

from hf_fewshot.encoding.inputs import InputBuilder, batches, padded, words_of
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from tests.small_episodes import entity, relation
from tests.tiny_models import write_bert


@pytest.fixture
def tokenizer(bert):
    return load_tokenizer(bert)


@pytest.fixture
def byte_level(roberta):
    return load_tokenizer(roberta)


def tokens(tokenizer, sequence):
    return tokenizer.convert_ids_to_tokens(sequence.tolist())


def sentence(text):
    return {"id": "s", "tokens": text.split()}


def test_words_are_read_off_their_first_pieces(tokenizer):
    inputs = InputBuilder(tokenizer, "words", 20)([sentence("Anna xyz in"), sentence("rome")])
    assert [tokens(tokenizer, sequence) for sequence in inputs.sequences] == [
        ["[CLS]", "anna", "x", "##y", "##z", "in", "[SEP]"],
        ["[CLS]", "rome", "[SEP]"],
    ]
    assert inputs.row_sequence.tolist() == [0, 0, 0, 1]
    assert inputs.row_positions.tolist() == [[1, 1], [2, 2], [5, 5], [1, 1]]
    assert inputs.offsets.tolist() == [0, 3, 4]


def test_long_sentences_are_cut_into_chunks_and_lose_nothing(tokenizer):
    text = "anna lives xyzxyz in paris abcdef the bank of rome"
    inputs = InputBuilder(tokenizer, "words", 6)([sentence("mia"), sentence(text), sentence("tom")])
    assert all(len(sequence) <= 6 for sequence in inputs.sequences)
    read = [
        tokens(tokenizer, inputs.sequences[number])[place]
        for number, (place, _) in zip(inputs.row_sequence, inputs.row_positions, strict=True)
    ]
    assert read == ["mia", "anna", "lives", "x", "in", "paris", "a", "the", "bank", "of", "rome", "tom"]
    pieces = [piece for sequence in inputs.sequences[1:-1] for piece in tokens(tokenizer, sequence)[1:-1]]
    assert pieces == tokenizer.tokenize(text)
    assert inputs.offsets.tolist() == [0, 1, 11, 12]


def test_a_chunk_may_begin_inside_a_word_and_hold_none(tokenizer):
    inputs = InputBuilder(tokenizer, "words", 4)([sentence("abcdef in")])
    assert [len(sequence) for sequence in inputs.sequences] == [4, 4, 4, 3]
    assert inputs.row_sequence.tolist() == [0, 3]
    assert inputs.row_positions[:, 0].tolist() == [1, 1]


def test_dropped_words_become_unknown_words(tokenizer):
    words = {"id": "s", "tokens": ["anna", "\u200b", "", "rome", " "]}
    inputs = InputBuilder(tokenizer, "words", 20)([sentence("in"), words])
    assert tokens(tokenizer, inputs.sequences[1]) == ["[CLS]", "anna", "[UNK]", "[UNK]", "rome", "[UNK]", "[SEP]"]
    assert inputs.offsets.tolist() == [0, 1, 6]


def test_byte_level_vocabularies_see_the_space_before_each_word(byte_level):
    inputs = InputBuilder(byte_level, "words", 20)([{"id": "s", "tokens": ["anna", "", "lives", "xa"]}])
    assert tokens(byte_level, inputs.sequences[0]) == ["<s>", "Ġanna", "<unk>", "Ġlives", "Ġ", "x", "a", "</s>"]
    assert inputs.row_positions[:, 0].tolist() == [1, 2, 3, 4]


def test_cased_and_uncased_vocabularies_follow_their_tokenizer(tmp_path, tokenizer):
    cased = load_tokenizer(write_bert(tmp_path, ["Anna", "anna"], lower=False))
    for own, expected in ((tokenizer, "anna"), (cased, "Anna")):
        inputs = InputBuilder(own, "words", 8)([sentence("Anna")])
        assert tokens(own, inputs.sequences[0])[1] == expected


@pytest.mark.parametrize("representation", ["words", "mean"])
def test_an_empty_sentence_is_an_error_that_names_it(tokenizer, representation):
    with pytest.raises(ValueError, match=r"Example 'e7' has no words. Leave it out"):
        InputBuilder(tokenizer, representation, 20)([sentence("in"), {"id": "e7", "tokens": []}])
    with pytest.raises(ValueError, match="Example 'e8' has no words"):
        InputBuilder(tokenizer, representation, 20)([{"id": "e8", "text": " \t "}])


def test_a_text_is_split_at_white_space():
    assert words_of({"text": " a  b\tc\n"}) == ["a", "b", "c"]
    assert words_of({"tokens": ["a b", "c"], "text": "x"}) == ["a b", "c"]


def test_a_mean_spans_all_pieces_and_is_cut_at_max_length(tokenizer):
    inputs = InputBuilder(tokenizer, "mean", 5)([{"id": "t", "text": "anna xy in"}, {"id": "u", "text": "rome"}])
    assert tokens(tokenizer, inputs.sequences[0]) == ["[CLS]", "anna", "x", "##y", "[SEP]"]
    assert inputs.row_positions.tolist() == [[1, 3], [1, 1]]


def test_markers_stand_around_head_and_tail(tokenizer):
    inputs = InputBuilder(tokenizer, "markers", 20)([relation(0, "anna lives in xy .", (0, 1), (3, 4))])
    assert tokens(tokenizer, inputs.sequences[0]) == [
        *["[CLS]", "[unused1]", "anna", "[unused2]", "lives", "in"],
        *["[unused3]", "x", "##y", "[unused4]", ".", "[SEP]"],
    ]
    assert inputs.row_positions.tolist() == [[1, 6]]


def test_the_tail_may_come_first(tokenizer):
    inputs = InputBuilder(tokenizer, "markers", 20)([relation(0, "rome is anna", (2, 3), (0, 1))])
    assert tokens(tokenizer, inputs.sequences[0])[1:-1] == [
        *["[unused3]", "rome", "[unused4]", "is", "[unused1]", "anna", "[unused2]"]
    ]
    assert inputs.row_positions.tolist() == [[5, 1]]


@pytest.mark.parametrize(
    ("head", "tail", "marked", "places"),
    [
        ((0, 1), (1, 2), "[1] a [2] [3] b [4] c", [1, 4]),
        ((1, 2), (0, 1), "[3] a [4] [1] b [2] c", [4, 1]),
        ((0, 2), (1, 3), "[1] a [3] b [2] c [4]", [1, 3]),
        ((0, 3), (1, 2), "[1] a [3] b [4] c [2]", [1, 3]),
        ((1, 2), (1, 2), "a [1] [3] b [2] [4] c", [2, 3]),
        ((0, 1), (0, 3), "[1] [3] a [2] b c [4]", [1, 2]),
    ],
    ids=["adjacent", "adjacent-reversed", "overlapping", "nested", "the-same", "the-same-start"],
)
def test_entities_that_touch_or_overlap_keep_all_markers(tokenizer, head, tail, marked, places):
    inputs = InputBuilder(tokenizer, "markers", 20)([relation(0, "a b c", head, tail)])
    assert tokens(tokenizer, inputs.sequences[0])[1:-1] == marked.replace("[", "[unused").split()
    assert inputs.row_positions.tolist() == [places]


def test_a_window_is_laid_around_far_entities(tokenizer):
    words = "a " * 20 + "anna b b rome" + " a" * 20
    example = relation(0, words, (20, 21), (23, 24))
    inputs = InputBuilder(tokenizer, "markers", 14)([example])
    window = tokens(tokenizer, inputs.sequences[0])
    assert len(window) == 14
    assert window[0] == "[CLS]"
    assert window[-1] == "[SEP]"
    head, tail = inputs.row_positions[0]
    assert window[head : head + 3] == ["[unused1]", "anna", "[unused2]"]
    assert window[tail : tail + 2] == ["[unused3]", "rome"]
    # As much before the first marker as after the second, give or take one.
    assert abs((head - 1) - (12 - tail)) <= 1


@pytest.mark.parametrize(("head", "tail"), [((0, 1), (1, 2)), ((38, 39), (39, 40))])
def test_a_window_stays_inside_the_sentence(tokenizer, head, tail):
    inputs = InputBuilder(tokenizer, "markers", 12)([relation(0, "a " * 40, head, tail)])
    window = tokens(tokenizer, inputs.sequences[0])
    assert len(window) == 12
    assert [window[place] for place in inputs.row_positions[0]] == ["[unused1]", "[unused3]"]


def test_entities_too_far_apart_are_an_error(tokenizer):
    with pytest.raises(
        ValueError, match=r"Example 'x3': 23 pieces from head to tail, but max_length leaves 10. Raise"
    ):
        InputBuilder(tokenizer, "markers", 12)([relation(3, "a " * 30, (0, 1), (20, 21))])


@pytest.mark.parametrize("span", [(4, 6), (-1, 1), (2, 2), (3, 1), (9, 10)])
def test_an_entity_outside_the_sentence_is_an_error(tokenizer, span):
    message = f"Example 'x0': tail at words {span[0]} to {span[1]}, but it has 5 words"
    with pytest.raises(ValueError, match=message):
        InputBuilder(tokenizer, "markers", 20)([relation(0, "anna lives in rome .", (0, 1), span)])


def test_an_entity_without_a_mention_is_an_error(tokenizer):
    example = relation(0, "anna lives in rome", (0, 1), (3, 4)) | {"head": entity(0, 1) | {"mentions": []}}
    with pytest.raises(ValueError, match="Example 'x0': head has no mention"):
        InputBuilder(tokenizer, "markers", 20)([example])


def test_a_vocabulary_without_reserve_gets_new_markers_with_vectors_of_their_own(roberta):
    model, tokenizer = FewShotModel.from_encoder(roberta, "mnav", n_vectors=2)
    before = load_tokenizer(roberta)
    new = tokenizer.convert_tokens_to_ids(["<head>", "</head>", "<tail>", "</tail>"])
    assert new == list(range(len(before), len(before) + 4))
    table = model.encoder.get_input_embeddings()
    assert table.num_embeddings == len(tokenizer) == model.config.encoder.vocab_size
    inputs = InputBuilder(tokenizer, "markers", 20)([relation(0, "anna in rome", (0, 1), (2, 3))])
    assert tokens(tokenizer, inputs.sequences[0]) == [
        *["<s>", "<head>", "Ġanna", "</head>", "Ġin", "<tail>", "Ġrome", "</tail>", "</s>"]
    ]
    assert InputBuilder(tokenizer, "markers", 20).markers == new
    assert tokenizer.unk_token == before.unk_token


def test_a_vocabulary_with_reserve_stays_as_it_is(bert):
    model, tokenizer = FewShotModel.from_encoder(bert, "threshold")
    assert len(tokenizer) == len(load_tokenizer(bert)) == model.encoder.get_input_embeddings().num_embeddings


def test_max_length_must_leave_room(tokenizer):
    with pytest.raises(ValueError, match="max_length must be at least 3, but is 2"):
        InputBuilder(tokenizer, "words", 2)


def test_no_examples_are_no_sequences(tokenizer):
    inputs = InputBuilder(tokenizer, "words", 10)([])
    assert (len(inputs.sequences), inputs.row_sequence.shape, inputs.row_positions.shape) == (0, (0,), (0, 2))


def test_batches_hold_at_most_the_budget_longest_first():
    lengths = np.array([3, 10, 5, 5, 2, 30])
    groups = batches(lengths, 12)
    assert [group.tolist() for group in groups] == [[5], [1], [2, 3], [0, 4]]
    assert sorted(np.concatenate(groups).tolist()) == list(range(6))
    assert all(len(group) == 1 or len(group) * lengths[group].max() <= 12 for group in groups)
    assert batches(np.array([], dtype=int), 12) == []


def test_padded_fills_up_on_the_right():
    ids, mask = padded([np.array([5, 6, 7]), np.array([8])], 1)
    assert ids.tolist() == [[5, 6, 7], [8, 1, 1]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]
    assert ids.dtype == torch.long
