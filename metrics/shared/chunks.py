"""Chunks (slots, entities) in tag sequences, found by comparing arrays of neighbouring tags."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CHUNKS_HELP = "a chunk is right if its first token, its last token and its type are."

# BILOU writes E as L and S as U.
OPENING = frozenset("BSU")
CLOSING = frozenset("ELSU")
PREFIXES = "BIESLU"

# What the chunk rules need to know of a tag fits in one number, so that each token takes one look-up: three flags, and
# above them the code of the type.
OUTSIDE, OPENS, CLOSES, FLAG_BITS = 1, 2, 4, 3


@dataclass(frozen=True)
class TagSet:
    """The distinct tags, as the chunk rules see them."""

    types: list[str]
    kinds: np.ndarray  # (n_tags,)

    @property
    def outside(self) -> np.ndarray:
        """True for the tags of tokens outside of all chunks. Shape (n_tags,)."""
        return (self.kinds & OUTSIDE) != 0


def prefixed_tags(tags: Sequence[str]) -> TagSet:
    """Tags with a position prefix: IOB1, IOB2, IOE, IOBES, BILOU. What follows the first hyphen is the type."""
    prefixes = [tag.partition("-")[0] for tag in tags]
    for tag, prefix in zip(tags, prefixes, strict=True):
        if prefix != "O" and (len(prefix) != 1 or prefix not in PREFIXES):
            raise ValueError(
                f"Tag {tag!r} has the prefix {prefix!r}, expected O or one of {', '.join(PREFIXES)}, as in 'B-city'. "
                "Use entity_f1 for tags that are bare types; give label_names for class ids."
            )
    flags = {prefix: OPENS * (prefix in OPENING) + CLOSES * (prefix in CLOSING) for prefix in PREFIXES}
    return _tag_set([tag.partition("-")[2] for tag in tags], [flags.get(prefix, OUTSIDE) for prefix in prefixes])


def bare_tags(tags: Sequence[str], outside: str) -> TagSet:
    """IO tags: a tag is a type, and a run of one tag is a chunk."""
    types = [tag for tag in tags if tag != outside]
    if types and all(tag.startswith(("B-", "I-")) for tag in types):
        raise ValueError(f'Expected IO tags such as "art-film", got BIO tags such as {types[0]!r}. Use scheme="bio".')
    return _tag_set(tags, [OUTSIDE if tag == outside else 0 for tag in tags])


def _tag_set(types: Sequence[str], flags: Sequence[int]) -> TagSet:
    if not types:
        raise ValueError("All sentences are empty: nothing to score. Give at least one token.")
    names = sorted({name for name, flag in zip(types, flags, strict=True) if flag != OUTSIDE})
    codes = {name: code << FLAG_BITS for code, name in enumerate(names)}
    kinds = [flag if flag == OUTSIDE else flag + codes[name] for name, flag in zip(types, flags, strict=True)]
    # Mostly they fit into bytes, which are fast to compare.
    return TagSet(names, np.array(kinds, dtype=np.min_scalar_type(max(kinds))))


@dataclass(frozen=True)
class Chunks:
    """Chunks in order. Arrays of shape (n_chunks,); `ends` are exclusive."""

    starts: np.ndarray
    ends: np.ndarray
    types: np.ndarray


def first_tokens(lengths: np.ndarray) -> np.ndarray:
    """True at the first token of each sequence. Shape (n_tokens,)."""
    first = np.zeros(int(lengths.sum()) + 1, dtype=bool)
    first[np.cumsum(lengths) - lengths] = True  # an empty sequence marks the first token of the next one
    return first[:-1]


def read_chunks(tags: np.ndarray, first: np.ndarray, tag_set: TagSet) -> Chunks:
    """The chunks of tag codes of shape (n_tokens,).

    These are conlleval's rules (Tjong Kim Sang and Buchholz 2000), which also read broken sequences: a chunk begins at
    a tag that opens one, after a tag that closes one or is outside, at the start of a sentence, and where the type
    changes.
    """
    kinds = tag_set.kinds.take(tags)
    before, now = kinds[:-1], kinds[1:]
    begins = first.copy()
    begins[1:] |= ((now & OPENS) | (before & (OUTSIDE | CLOSES)) | ((now ^ before) >> FLAG_BITS)) != 0
    inside = (kinds & OUTSIDE) == 0
    begins &= inside
    ends = inside.copy()
    ends[:-1] &= begins[1:] | ~inside[1:]
    starts = np.flatnonzero(begins)
    return Chunks(starts, np.flatnonzero(ends) + 1, kinds[starts] >> FLAG_BITS)


def located(references: Chunks, predictions: Chunks, n_tokens: int) -> tuple[np.ndarray, np.ndarray]:
    """The spans found in both, whatever their types: their indices in `references` and in `predictions`."""
    # Starts ascend in both, so the shared ones come in the same order.
    gold = _among(references.starts, predictions.starts, n_tokens)
    found = _among(predictions.starts, references.starts, n_tokens)
    same_end = references.ends[gold] == predictions.ends[found]
    return gold[same_end], found[same_end]


def _among(tokens: np.ndarray, others: np.ndarray, n_tokens: int) -> np.ndarray:
    """The indices of those `tokens` that are among the others."""
    marked = np.zeros(n_tokens, dtype=bool)
    marked[others] = True
    return np.flatnonzero(marked[tokens])
