"""StructShot over word pieces, beside a loop over pieces with a tiny encoder."""

import itertools

import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from hf_fewshot.encoding.inputs import PIECES, InputBuilder
from hf_fewshot.encoding.vectors import key
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.methods.nearest_neighbour import StructShot
from hf_fewshot.models.few_shot_model import FewShotModel
from tests.predicted import predict_episodes
from tests.small_episodes import episodes_of

# The tiny tokenizer cuts words that it does not know into letters.
SENTENCES = [
    ("anna met zoe in kyoto", "person O person O place"),
    ("the old man zed lives in lima .", "O O O person O O place O"),
    ("bob was born in rome or osaka", "person O O O place O place"),
    ("lima is a city where bob and zoe met anna", "place O O O O person O person O person"),
    ("xy", "place"),
]
ROWS = [{"id": f"p{i}", "tokens": w.split(), "tags": t.split()} for i, (w, t) in enumerate(SENTENCES)]
EPISODES = (
    Episode(("person", "place"), (0, 1), (2, 3, 4)),
    Episode(("place",), (1,), (0, 3)),
    Episode(("place", "person"), (2, 3), (1,)),
)


@pytest.fixture(scope="module")
def episodes():
    return episodes_of("tagging", ROWS, *EPISODES)


def structshot(bert, max_length, **options):
    model, tokenizer = FewShotModel.from_encoder(bert, "structshot", max_length=max_length, tau=0.5, **options)
    model.method.set_transitions([row["tags"] for row in ROWS])
    return model, tokenizer


class Pieces:
    """One sentence at a time, one chunk at a time."""

    def __init__(self, bert, max_length):
        self.tokenizer, self.encoder = AutoTokenizer.from_pretrained(bert), AutoModel.from_pretrained(bert).eval()
        self.room = max_length - 2

    def __call__(self, words):
        """The vectors of the pieces of each chunk, and whether each piece begins a word."""
        pieces = [(piece, place == 0) for word in words for place, piece in enumerate(self.tokenizer.tokenize(word))]
        chunks = []
        for begin in range(0, len(pieces), self.room):
            names = ["[CLS]", *(piece for piece, _ in pieces[begin : begin + self.room]), "[SEP]"]
            ids = torch.tensor([self.tokenizer.convert_tokens_to_ids(names)])
            chunks.append(self.encoder(input_ids=ids).last_hidden_state[0, 1:-1])
        return chunks, [begins for _, begins in pieces]


def best_of_all_paths(scores, start, between):
    emissions = scores.log_softmax(-1)

    def value(path):
        total = start[path[0]] + emissions[0, path[0]]
        for place in range(1, len(path)):
            total = total + between[path[place - 1], path[place]] + emissions[place, path[place]]
        return float(total)

    return max(itertools.product(range(scores.shape[1]), repeat=len(scores)), key=value)


@torch.inference_mode()
def expected(bert, max_length, method, episode):
    encode = Pieces(bert, max_length)
    names = ["O", *episode.classes]
    keys = {name: [] for name in names}
    for row in episode.support:
        chunks, begins = encode(ROWS[row]["tokens"])
        tags = iter(ROWS[row]["tags"])
        for vector, first in zip(torch.cat(chunks), begins, strict=True):
            tag = next(tags) if first else None
            if tag in keys:
                keys[tag].append(vector)
    start, between = method.transitions(len(names) - 1)
    found = []
    for row in episode.query:
        chunks, begins = encode(ROWS[row]["tokens"])
        path = []
        for chunk in chunks:
            nearest = [[max(-((piece - key) ** 2).sum() for key in keys[name]) for name in names] for piece in chunk]
            path += best_of_all_paths(torch.tensor(nearest).double(), start, between)
        found.append([names[state] for state, first in zip(path, begins, strict=True) if first])
    return found


@pytest.mark.parametrize("max_length", [6, 9])
def test_predictions_are_those_of_the_best_path_over_the_pieces_of_each_chunk(bert, episodes, max_length):
    model, tokenizer = structshot(bert, max_length, compat="original")
    ours = predict_episodes(model, tokenizer, episodes, progress=False)
    assert ours == [expected(bert, max_length, model.method, episode) for episode in EPISODES]
    assert predict_episodes(model, tokenizer, episodes, progress=False, encode_once=False) == ours


def test_pieces_change_predictions_that_words_alone_give(bert, episodes):
    by_word, by_piece = (
        predict_episodes(*structshot(bert, 64, **options), episodes, progress=False)
        for options in ({}, {"compat": "original"})
    )
    assert [list(map(len, own)) for own in by_word] == [list(map(len, own)) for own in by_piece]
    assert by_word != by_piece


def test_an_episode_is_predicted_alone_as_beside_others(bert, episodes):
    model, tokenizer = structshot(bert, 9, compat="original")
    together = predict_episodes(model, tokenizer, episodes, progress=False)
    for number, episode in enumerate(EPISODES):
        alone = predict_episodes(model, tokenizer, episodes_of("tagging", ROWS, episode), progress=False)
        assert alone == [together[number]]


def test_pieces_are_rows_of_their_own(bert):
    tokenizer = AutoTokenizer.from_pretrained(bert)
    inputs = InputBuilder(tokenizer, PIECES, 5)([{"tokens": ["anna", "zoe", "is"]}, {"tokens": ["xy"]}])
    # anna z ##o | ##e is, and x ##y.
    assert [len(sequence) for sequence in inputs.sequences] == [5, 4, 4]
    assert inputs.row_sequence.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert inputs.row_positions[:, 0].tolist() == [1, 2, 3, 1, 2, 1, 2]
    assert inputs.offsets.tolist() == [0, 5, 7]


def test_vectors_of_pieces_are_never_taken_for_those_of_words(bert):
    model, tokenizer = structshot(bert, 9)
    assert key(model, tokenizer, ROWS, "float32") != key(model, tokenizer, ROWS, "float32", "no", PIECES)


def test_an_unknown_compat_is_refused():
    with pytest.raises(ValueError, match=r'compat must be None or "original", but is \'authors\''):
        StructShot(4, compat="authors")
