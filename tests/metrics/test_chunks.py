"""Chunks read from arrays of tags."""

import numpy as np
import pytest

from hf_fewshot.metrics.slot_f1.chunks import bare_tags, first_tokens, located, prefixed_tags, read_chunks


def chunks_of(tags, tag_set, lengths=None):
    names = sorted(set(tags))
    position = {name: code for code, name in enumerate(names)}
    codes = np.array([position[tag] for tag in tags])
    tag_set = tag_set(names)
    chunks = read_chunks(codes, first_tokens(np.array(lengths or [len(tags)])), tag_set)
    types = [tag_set.types[code] for code in chunks.types]
    return list(zip(chunks.starts.tolist(), chunks.ends.tolist(), types, strict=True))


@pytest.mark.parametrize(
    ("tags", "chunks"),
    [
        ("O B-x I-x O B-y", [(1, 3, "x"), (4, 5, "y")]),
        ("I-x I-x O I-x", [(0, 2, "x"), (3, 4, "x")]),
        ("I-x B-x I-x", [(0, 1, "x"), (1, 3, "x")]),
        ("I-x I-y", [(0, 1, "x"), (1, 2, "y")]),
        ("B-x I-y I-y", [(0, 1, "x"), (1, 3, "y")]),
        ("B-x I-x E-x S-x", [(0, 3, "x"), (3, 4, "x")]),
        ("E-x E-x I-x E-x", [(0, 1, "x"), (1, 2, "x"), (2, 4, "x")]),
        ("S-x I-x", [(0, 1, "x"), (1, 2, "x")]),
        ("B-x I-x L-x U-x", [(0, 3, "x"), (3, 4, "x")]),
        ("B-x-y I-x-y", [(0, 2, "x-y")]),
        ("B I O", [(0, 2, "")]),
        ("O O", []),
    ],
    ids=str,
)
def test_prefixed_tags_are_read_as_conlleval_does(tags, chunks):
    assert chunks_of(tags.split(), prefixed_tags) == chunks


def test_bare_tags_are_read_as_runs():
    tags = ["art-film", "art-film", "art-music", "O", "art-music"]
    expected = [(0, 2, "art-film"), (2, 3, "art-music"), (4, 5, "art-music")]
    assert chunks_of(tags, lambda names: bare_tags(names, outside="O")) == expected


@pytest.mark.parametrize("n_types", [31, 32, 33, 9000])
def test_any_number_of_types_is_told_apart(n_types):
    tags = [f"{prefix}-{kind:04}" for kind in range(n_types) for prefix in "BI"]
    expected = [(2 * kind, 2 * kind + 2, f"{kind:04}") for kind in range(n_types)]
    assert chunks_of(tags, prefixed_tags) == expected


def test_a_chunk_ends_with_its_sentence():
    assert chunks_of(["I-x"] * 4, prefixed_tags, [2, 0, 1, 1, 0]) == [(0, 2, "x"), (2, 3, "x"), (3, 4, "x")]


def test_spans_are_located_whatever_their_types():
    names, first = ["B-x", "B-y", "I-x", "I-y", "O"], first_tokens(np.array([5]))
    gold = read_chunks(np.array([0, 2, 4, 0, 2]), first, prefixed_tags(names))
    found = read_chunks(np.array([1, 3, 4, 0, 4]), first, prefixed_tags(names))
    in_gold, in_found = located(gold, found, 5)
    assert (in_gold.tolist(), in_found.tolist()) == ([0], [0])


@pytest.mark.parametrize("tag", ["art-film", "X-city", "", "-city", "[", "BI-x"])
def test_a_tag_without_a_known_prefix_is_refused(tag):
    with pytest.raises(ValueError, match=r"has the prefix .* expected O or one of B, I, E, S, L, U.*Use entity_f1"):
        prefixed_tags(["O", tag])


def test_no_tags_at_all_are_refused():
    with pytest.raises(ValueError, match=r"All sentences are empty: nothing to score. Give at least one token"):
        prefixed_tags([])
