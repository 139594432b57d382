"""Sentences grouped by what they hold."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex


@dataclass(frozen=True)
class Profiles:
    """The distinct count vectors of an index that are not zero, and the sentences of each."""

    counts: np.ndarray  # (profiles, classes)
    sizes: np.ndarray  # (profiles,) number of sentences
    rows: np.ndarray  # sentences, grouped by profile
    starts: np.ndarray  # (profiles,) where each group begins in rows
    entries: list[list[tuple[int, int]]]  # (class, count) pairs of each profile

    @classmethod
    def of(cls, index: ClassIndex) -> "Profiles":
        """Groups the rows of an index."""
        # Grouping by the bytes of each sparse row avoids a dense (sentences, classes) table.
        pairs = np.stack([index.class_ids, index.counts], axis=1).astype(np.int32)
        groups: dict[bytes, list[int]] = {}
        bounds = zip(index.offsets[:-1].tolist(), index.offsets[1:].tolist(), strict=True)
        for row, (start, end) in enumerate(bounds):
            if end > start:
                groups.setdefault(pairs[start:end].tobytes(), []).append(row)
        entries = [np.frombuffer(key, dtype=np.int32).reshape(-1, 2) for key in groups]
        counts = np.zeros((len(groups), len(index.classes)), dtype=np.int64)
        for profile, held in enumerate(entries):
            counts[profile, held[:, 0]] = held[:, 1]
        sizes = np.array([len(group) for group in groups.values()], dtype=np.int64)
        rows = np.array([row for group in groups.values() for row in group], dtype=np.int64)
        listed = [[(c, n) for c, n in held.tolist()] for held in entries]
        return cls(counts, sizes, rows, np.cumsum(sizes) - sizes, listed)

    @cached_property
    def words(self) -> list[np.ndarray]:
        """The types of each profile as bits, in arrays of 64 types."""
        padded = np.pad(self.counts > 0, ((0, 0), (0, -self.counts.shape[1] % 64)))
        return list(np.ascontiguousarray(np.packbits(padded, axis=1, bitorder="little").view(np.uint64).T))

    def within(self, types: list[int]) -> np.ndarray:
        """The profiles all of whose types are among `types`."""
        outside = [(1 << 64) - 1] * len(self.words)
        for c in types:
            outside[c // 64] -= 1 << (c % 64)
        inside = np.ones(len(self.sizes), dtype=bool)
        for word, mask in zip(self.words, outside, strict=True):
            inside &= (word & np.uint64(mask)) == 0
        return np.flatnonzero(inside)

    def sentences(self, profile: int) -> np.ndarray:
        """All sentences of a profile."""
        return self.rows[self.starts[profile] : self.starts[profile] + self.sizes[profile]]
