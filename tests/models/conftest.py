"""Tiny encoders and their tokenizers, made on the spot."""

import os
from pathlib import Path

import pytest
import torch
from tokenizers import pre_tokenizers
from transformers import (
    BertConfig,
    BertModel,
    BertTokenizerFast,
    RobertaConfig,
    RobertaModel,
    RobertaTokenizerFast,
)

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.tasks.schemas import example_features, table_of

os.environ["TOKENIZERS_PARALLELISM"] = "false"

WORDS = ["the", "in", "at", "is", "anna", "paul", "mia", "tom", "lives", "works", "was", "born", "paris", "rome"]
WORDS += ["oslo", "bern", "berlin", "acme", "corp", "bank", "a", "of", "."]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 130,
}


def write_bert(folder: Path, words: list[str] = WORDS, *, unused: bool = True, lower: bool = True, **sizes) -> Path:
    """A BERT with random weights whose vocabulary is these words, then letters."""
    folder.mkdir(parents=True, exist_ok=True)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    reserve = [f"[unused{number}]" for number in range(1, 5)] if unused else []
    letters = [*LETTERS, *(f"##{letter}" for letter in LETTERS)]
    vocabulary = list(dict.fromkeys([*special, *reserve, *words, *letters]))
    BertTokenizerFast(vocab={t: i for i, t in enumerate(vocabulary)}, do_lower_case=lower).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(vocabulary), **(SIZES | sizes), initializer_range=0.5)
    BertModel(config).save_pretrained(folder)
    return folder


def write_roberta(folder: Path, words: list[str] = WORDS) -> Path:
    """A RoBERTa with random weights and a byte-level vocabulary; common words with a space before are one piece."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    merges: list[tuple[str, str]] = []
    pieces = [*special, *letters]
    for word in words:
        for size in range(1, len(word) + 1):
            if "Ġ" + word[:size] not in pieces:
                merges.append(("Ġ" + word[: size - 1], word[size - 1]))
                pieces.append("Ġ" + word[:size])
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    RobertaTokenizerFast(vocab=vocabulary, merges=merges).save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(vocab_size=len(pieces), pad_token_id=1, **SIZES, initializer_range=0.5)
    RobertaModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def bert(tmp_path_factory) -> Path:
    """An uncased BERT with [unused1] to [unused4]."""
    return write_bert(tmp_path_factory.mktemp("encoders") / "bert")


@pytest.fixture(scope="session")
def roberta(tmp_path_factory) -> Path:
    """A RoBERTa with a byte-level vocabulary, which has no tokens in reserve."""
    return write_roberta(tmp_path_factory.mktemp("encoders") / "roberta")


def entity(start: int, end: int) -> dict:
    """An entity with one mention."""
    return {"text": "", "id": "", "type": "", "mentions": [{"start": start, "end": end}]}


def relation(number: int, text: str, head: tuple[int, int], tail: tuple[int, int], label: str = "r") -> dict:
    """A relation instance."""
    return {
        "id": f"x{number}",
        "tokens": text.split(),
        "head": entity(*head),
        "tail": entity(*tail),
        "relation": label,
        "original_relation": label,
    }


def episodes_of(task: str, examples: list[dict], *episodes: Episode) -> EpisodeSet:
    """A set of given episodes over a table of given examples."""
    features = example_features(task)
    rows = [{**dict.fromkeys(features, ""), **example} for example in examples]
    return EpisodeSet(task, table_of(rows, features), list(episodes).__getitem__, len(episodes))


RELATIONS = [
    relation(0, "anna lives in paris .", (0, 1), (3, 4), "lives"),
    relation(1, "tom lives in rome", (0, 1), (3, 4), "lives"),
    relation(2, "paul works at acme corp .", (0, 1), (3, 5), "works"),
    relation(3, "the bank is in oslo where mia works", (7, 8), (0, 2), "works"),
    relation(4, "mia was born in bern", (0, 1), (4, 5), "born"),
    relation(5, "in berlin was tom born .", (3, 4), (1, 2), "born"),
    relation(6, "rome is the capital of italy", (0, 1), (5, 6), "capital"),
    relation(7, "paul lives at the bank", (0, 1), (3, 5), "lives"),
    relation(8, "in oslo lives anna", (3, 4), (1, 2), "lives"),
    relation(9, "at acme corp works tom .", (4, 5), (1, 3), "works"),
    relation(10, "anna works in the bank of bern", (0, 1), (3, 7), "works"),
    relation(11, "anna was born in rome", (0, 1), (4, 5), "born"),
    relation(12, "born in paris is paul", (4, 5), (2, 3), "born"),
    relation(13, "paris is the capital", (0, 1), (2, 4), "capital"),
    relation(14, "the capital is bern", (3, 4), (0, 2), "capital"),
    relation(15, "a capital oslo is", (2, 3), (0, 2), "capital"),
]
SENTENCES = [
    ("anna lives in paris .", "person O O place O"),
    ("tom works at acme corp", "person O O org org"),
    ("the bank of rome is in berlin .", "org org org org O O place O"),
    ("mia was born in oslo", "person O O O place"),
    ("paul is at the bank", "person O O org org"),
    ("bern", "place"),
]
TAGGED = [{"id": f"s{i}", "tokens": w.split(), "tags": t.split()} for i, (w, t) in enumerate(SENTENCES)]
TEXTS = [
    {"id": f"t{i}", "text": text, "label": label}
    for i, (text, label) in enumerate(
        [
            ("anna lives in paris", "home"),
            ("tom lives at the bank of rome", "home"),
            ("paul works", "job"),
            ("mia works at acme corp .", "job"),
            ("born in oslo", "birth"),
        ]
    )
]
UTTERANCES = [
    ("lives", "anna lives in paris", "B-person O O B-place"),
    ("works", "tom works at acme corp", "B-person O O B-org I-org"),
    ("lives", "paul lives in the bank of rome", "B-person O O B-place I-place I-place I-place"),
    ("works", "mia works in oslo", "B-person O O B-place"),
    ("born", "is paul born in berlin", "O B-person O O B-place"),
    ("lives", "bern", "B-place"),
    ("works", "acme corp is in the paris bank", "B-org I-org O O O B-place O"),
]
JOINT = [
    {"id": f"j{i}", "domain": "d", "tokens": w.split(), "intent": intent, "slot_tags": t.split()}
    for i, (intent, w, t) in enumerate(UTTERANCES)
]


@pytest.fixture(scope="session")
def relation_episodes() -> EpisodeSet:
    """Episodes of two and three relations, one and two shots; the last query of two of them has no class."""
    return episodes_of(
        "relation",
        RELATIONS,
        Episode(("lives", "works"), (0, 2), (1, 3, 4)),
        Episode(("works", "born", "lives"), (2, 3, 4, 5, 0), (1,)),
        Episode(("born", "lives"), (5, 1), (0, 4, 6)),
    )


@pytest.fixture(scope="session")
def tagging_episodes() -> EpisodeSet:
    """Episodes of one to three types."""
    return episodes_of(
        "tagging",
        TAGGED,
        Episode(("person", "place"), (0,), (3, 5)),
        Episode(("person", "place", "org"), (0, 2, 4), (1, 3)),
        Episode(("org",), (4,), (2,)),
    )


@pytest.fixture(scope="session")
def text_episodes() -> EpisodeSet:
    """Text classification with two and three classes."""
    return episodes_of(
        "classification",
        TEXTS,
        Episode(("home", "job"), (0, 2), (1, 3, 4)),
        Episode(("birth", "job", "home"), (4, 3, 1), (0, 2)),
    )


@pytest.fixture(scope="session")
def joint_episodes() -> EpisodeSet:
    """Episodes of one and two intents and one to three slots; some queries have labels that their episode has not."""
    return episodes_of(
        "joint",
        JOINT,
        Episode(("intent:lives", "intent:works", "slot:person", "slot:place", "slot:org"), (0, 1, 2), (3, 5, 6), "a"),
        Episode(("intent:born", "intent:lives", "slot:place"), (4, 5), (0, 2), "b"),
        Episode(("intent:works", "slot:org", "slot:person"), (1,), (6, 3, 5), "c"),
    )
