"""A bound on memory for every method: very long sentences among short ones change neither it nor the predictions."""

import pytest
import torch
from accelerate import Accelerator

from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.methods import blocks
from hf_fewshot.models import method_model
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.systems import joint_runner as joint
from hf_fewshot.systems import runner
from hf_fewshot.systems.support_tuning import SupportTuning
from tests.largest_tensor import LargestTensor
from tests.predicted import predict_episodes
from tests.small_episodes import JOINT, RELATIONS, TAGGED, TEXTS, episodes_of
from tests.systems.joint_script import build, without_dropout

LONG = 2_000  # words; in blocks that are as much smaller than usual this is like 20,000 and more
BLOCK, BATCH = 1 << 14, 1 << 16
DIM = 16


def repeated(example, words, *columns):
    """An example whose words, and their tags, come again and again."""
    return example | {column: (example[column] * words)[:words] for column in columns} | {"id": f"long {words}"}


@pytest.fixture
def small(monkeypatch):
    """Blocks and batches that 2,000 words do not fit in."""

    def set_limits(block=BLOCK, batch=BATCH, tokens=1 << 10):
        monkeypatch.setattr(blocks, "NUMBERS_PER_BLOCK", block)
        monkeypatch.setattr(runner, "NUMBERS_PER_BLOCK", block)
        monkeypatch.setattr(runner, "NUMBERS_PER_BATCH", batch)
        monkeypatch.setattr(joint, "NUMBERS_PER_BATCH", batch)
        monkeypatch.setattr(method_model, "TOKENS_AT_ONCE", tokens)

    return set_limits


def tagging():
    """Long sentences as support, as query and as both, in episodes beside short ones."""
    examples = [*TAGGED, repeated(TAGGED[1], LONG, "tokens", "tags"), repeated(TAGGED[2], LONG, "tokens", "tags")]
    names = ("person", "org", "place")
    supports = [(0, 1, 2), (6, 0), (0, 7), (0, 2), (6, 7)]
    queries = [(3, 4), (7, 5), (1, 5, 6), (5,), (7, 6, 0)]
    made = [Episode(names, own, asked) for own, asked in zip(supports, queries, strict=True)]
    return episodes_of("tagging", examples, *made)


def utterances(words=LONG):
    columns = (words, "tokens", "slot_tags")
    examples = [*JOINT, repeated(JOINT[1], *columns), repeated(JOINT[2], *columns)]
    classes = ("intent:lives", "intent:works", "slot:person", "slot:place", "slot:org")
    supports = [(0, 1, 2), (7, 0, 2), (0, 8, 1), (0, 1)]
    queries = [(3, 5), (8, 5, 3), (1, 5, 7, 6, 3), (3,)]
    made = [Episode(classes, own, asked) for own, asked in zip(supports, queries, strict=True)]
    return episodes_of("joint", examples, *made)


def predicted(model, tokenizer, episodes, **options):
    return predict_episodes(model, tokenizer, episodes, accelerator=Accelerator(cpu=True), progress=False, **options)


def encoder_bound(layers=1):
    """The largest tensor of the encoder: its inner layer, or the words of attention, of a batch of tokens."""
    return 4 * TOKENS_PER_BATCH * 4 * DIM * layers


def vectors_bound(words):
    """The vectors of one episode, which is alone in its batch if it is large."""
    return 4 * words * DIM


@pytest.mark.parametrize("encode_once", [True, False])
@pytest.mark.parametrize("method", ["proto", "nnshot", "structshot"])
def test_tagging_methods_are_bounded(bert, small, method, encode_once):
    model, tokenizer = FewShotModel.from_encoder(bert, method)
    if method == "structshot":
        model.method.set_transitions([row["tags"] for row in TAGGED])
    episodes = tagging()
    with LargestTensor() as whole:
        expected = predicted(model, tokenizer, episodes, encode_once=encode_once)
    small()
    with LargestTensor() as largest:
        assert predicted(model, tokenizer, episodes, encode_once=encode_once) == expected
    # A decoder works in double precision.
    bound = max(8 * BLOCK, 4 * BATCH, encoder_bound(), vectors_bound(2 * LONG + 100))
    assert largest.bytes <= bound, largest.operation
    assert method == "proto" or whole.bytes >= 4 * LONG * LONG


TEXT_METHODS = [
    ("proto", "mean"),
    ("proto", "sentence"),
    ("proto", "markers"),
    ("nnshot", "mean"),
    ("nnshot", "markers"),
    ("threshold", "markers"),
    ("nav", "markers"),
    ("mnav", "markers"),
    ("sentence_pair", "pair"),
]


@pytest.mark.parametrize(("method", "representation"), TEXT_METHODS)
def test_methods_of_whole_texts_are_bounded(bert, small, method, representation):
    torch.manual_seed(0)
    model, tokenizer = FewShotModel.from_encoder(bert, method, representation=representation)
    if representation in ("mean", "sentence"):
        examples = [*TEXTS, TEXTS[0] | {"id": "long", "text": "anna lives in paris " * (LONG // 4)}]
        episodes = episodes_of("classification", examples, Episode(("home", "job"), (5, 2), (0, 3, 5)))
    else:
        examples = [*RELATIONS, repeated(RELATIONS[0], LONG, "tokens")]
        episodes = episodes_of("relation", examples, Episode(("lives", "works"), (16, 2, 3), (0, 1, 16, 4)))
    expected = predicted(model, tokenizer, episodes)
    small()
    with LargestTensor() as largest:
        assert predicted(model, tokenizer, episodes) == expected
    # What exceeds max_length is cut off.
    assert largest.bytes <= encoder_bound(), largest.operation


OPTIONS = [
    {},
    {"dependency": True, "transitions": "cdt"},
    {"tapnet": True, "name_weight": 0.3, "transitions": "rules"},
    {"part": "intent"},
    {"part": "slots", "similarity": "dot"},
]


@pytest.mark.parametrize("encode_once", [True, False])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_joint_methods_are_bounded(bert, small, options, encode_once):
    model, tokenizer = build(bert, **options)
    episodes = utterances()
    expected = predicted(model, tokenizer, episodes, encode_once=encode_once)
    small()
    with LargestTensor() as largest:
        assert predicted(model, tokenizer, episodes, encode_once=encode_once) == expected
    # Padded to the longest sentence, the vectors of an episode would take a million bytes.
    bound = max(4 * BATCH, encoder_bound(), vectors_bound(2 * LONG + 100))
    assert largest.bytes <= bound < 1_100_000, largest.operation


@pytest.mark.parametrize("objective", ["heads", "prototypes"])
@pytest.mark.parametrize("options", [{}, {"dependency": True, "transitions": "cdt"}], ids=str)
def test_tuning_on_support_sets_is_bounded(bert, small, options, objective):
    model, tokenizer = build(bert, **options)
    episodes = utterances(400)
    # Parts draw the dropout of other words.
    tuning = SupportTuning(steps=2, learning_rate=1e-3, head_learning_rate=1e-2, objective=objective, dropout=0.0)
    with LargestTensor() as whole:
        expected = predicted(without_dropout(model), tokenizer, episodes, tuning=tuning)
    small(block=1 << 12, batch=1 << 13, tokens=256)
    with LargestTensor() as largest:
        assert predicted(model, tokenizer, episodes, tuning=tuning) == expected
    # The encoder's inner layer is four times as wide as its vectors.
    bound = max(4 << 13, 4 * 256 * 4 * DIM, vectors_bound(1000))
    assert largest.bytes <= bound < whole.bytes, largest.operation


def test_a_joint_method_of_ones_own_sees_all_sentences_at_once(bert, small, monkeypatch):
    model, tokenizer = build(bert)
    seen = []
    forward = type(model.method).forward

    class Own(type(model.method)):
        def forward(self, support, query, *arguments):
            seen.append((support.words.shape[1], query.words.shape[1]))
            return forward(self, support, query, *arguments)

    model.method.__class__ = Own
    small()
    predicted(model, tokenizer, utterances())
    assert seen == [(3, 2), (3, 3), (3, 5), (2, 1)]
