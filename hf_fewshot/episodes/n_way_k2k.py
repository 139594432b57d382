"""N-way K~2K sampling of Few-NERD (Ding et al., 2021, Section 5.1): greedy, over whole sentences."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.options import listed, require_classes, require_whole

# A greedy pass can paint itself into a corner; another pass over the same types, then other types, get it out. The
# limits only end a hopeless search: on Few-NERD and Few-TK a pass fails rarely and a handful of tries is enough.
PASSES_PER_DRAW = 20
DRAWS_PER_EPISODE = 500


@dataclass(frozen=True)
class NWayK2K:
    """N types; K to 2K entities of each in the support set, Q to 2Q in the query set.

    Candidates are the sentences all of whose types are among the N. Types are drawn uniformly; a draw that admits no
    episode is given up for another one, so type sets come out uniformly among those that the search can serve.
    """

    n_way: int
    n_shot: int
    n_query: int | None = None

    def __post_init__(self) -> None:
        require_whole(n_way=self.n_way, n_shot=self.n_shot)
        if self.n_query is not None:
            require_whole(n_query=self.n_query)

    def sampler(self, index: ClassIndex, seed: int = 0) -> "K2KSampler":
        """The sampler over an index of sentences."""
        return K2KSampler(self, index, seed)


@dataclass(frozen=True)
class K2KSampler:
    """A pure function from episode number to episode.

    Sentences with the same count of every type are interchangeable: they form one profile. A step draws a profile with
    the number of its unused sentences as weight, then one of them: the same distribution as drawing sentences until
    one fits, without the draws that do not.
    """

    spec: NWayK2K
    index: ClassIndex
    seed: int

    def __post_init__(self) -> None:
        require_classes(self.spec.n_way, len(self.index.classes), "types")
        if len(self.eligible) < self.spec.n_way:
            scarce = np.setdiff1d(np.arange(len(self.index.classes)), self.eligible)
            counts = {self.index.classes[c]: int(self.index.totals[c]) for c in scarce}
            raise ValueError(
                f"n_way={self.spec.n_way}, but only {len(self.eligible)} types have the {self.needed} entities that "
                f"{self.spec.n_shot} shots and {self.n_query} queries need; too few have: {listed(counts)}. "
                "Lower n_way, shots or n_query."
            )

    @property
    def n_query(self) -> int:
        return self.spec.n_query or self.spec.n_shot

    @property
    def needed(self) -> int:
        """Entities a type must have to fill support and query."""
        return self.spec.n_shot + self.n_query

    @cached_property
    def eligible(self) -> np.ndarray:
        """Classes frequent enough to be drawn at all."""
        return np.flatnonzero(self.index.totals >= self.needed)

    @cached_property
    def profiles(self) -> "Profiles":
        """The distinct rows of the index, and the sentences of each."""
        return Profiles.of(self.index)

    def __call__(self, number: int) -> Episode:
        rng = np.random.default_rng([self.seed, number])
        for _ in range(DRAWS_PER_EPISODE):
            types = rng.choice(self.eligible, self.spec.n_way, replace=False)
            candidates = self.profiles.within(types)
            table = self.profiles.counts[candidates][:, types]
            # Without K + Q entities of each type among the candidates no pass over them can end well.
            if (self.profiles.sizes[candidates] @ table < self.needed).any():
                continue
            for _ in range(PASSES_PER_DRAW):
                drawn = self._pass(rng, table, candidates)
                if drawn is not None:
                    return Episode(tuple(self.index.classes[c] for c in types), *drawn)
        raise ValueError(self._impossible())

    def _pass(
        self, rng: np.random.Generator, table: np.ndarray, candidates: np.ndarray
    ) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Support and query by one greedy pass each, or None at a dead end."""
        left = self.profiles.sizes[candidates].copy()
        used: dict[int, list[int]] = {}
        parts = []
        for target in (self.spec.n_shot, self.n_query):
            rows: list[int] = []
            have = np.zeros(table.shape[1], dtype=np.int64)
            while (have < target).any():
                fits = ((have + table) <= 2 * target).all(1) & (table[:, have < target] > 0).any(1)
                ends = np.cumsum(left * fits)
                if not ends[-1]:
                    return None
                rank = int(rng.integers(ends[-1]))
                profile = int(np.searchsorted(ends, rank, side="right"))
                taken = used.setdefault(profile, [])
                rows.append(
                    self.profiles.sentence(int(candidates[profile]), rank - int(ends[profile] - left[profile]), taken)
                )
                have += table[profile]
                left[profile] -= 1
            parts.append(tuple(rows))
        return parts[0], parts[1]

    def _impossible(self) -> str:
        """Why nothing was found: for each type, the entities in sentences that hold no other type."""
        alone = self.profiles.sizes @ (self.profiles.counts * (self.profiles.n_types == 1)[:, None])
        counts = {name: int(alone[c]) for c, name in enumerate(self.index.classes)}
        worst = dict(sorted(counts.items(), key=lambda item: item[1]))
        return (
            f"No {self.spec.n_way}-way {self.spec.n_shot}~{2 * self.spec.n_shot}-shot episode with {self.n_query} "
            "queries "
            f"was found in {DRAWS_PER_EPISODE} draws of types: the sentences that hold no other types are too few. "
            "Entities "
            f"in sentences of one type only: {listed(worst)}. Lower shots or n_query, or raise n_way."
        )


@dataclass(frozen=True)
class Profiles:
    """The distinct count vectors of an index."""

    counts: np.ndarray  # (profiles, classes)
    sizes: np.ndarray  # (profiles,) number of sentences
    rows: np.ndarray  # sentences, grouped by profile
    starts: np.ndarray  # (profiles,) where each group begins in rows

    @classmethod
    def of(cls, index: ClassIndex) -> "Profiles":
        # Grouping by the bytes of each sparse row avoids a dense (sentences, classes) table.
        pairs = np.stack([index.class_ids, index.counts], axis=1).astype(np.int32)
        groups: dict[bytes, list[int]] = {}
        for row, (start, end) in enumerate(zip(index.offsets[:-1].tolist(), index.offsets[1:].tolist(), strict=True)):
            if end > start:
                groups.setdefault(pairs[start:end].tobytes(), []).append(row)
        counts = np.zeros((len(groups), len(index.classes)), dtype=np.int64)
        for profile, key in enumerate(groups):
            entries = np.frombuffer(key, dtype=np.int32).reshape(-1, 2)
            counts[profile, entries[:, 0]] = entries[:, 1]
        sizes = np.array([len(group) for group in groups.values()], dtype=np.int64)
        rows = np.array([row for group in groups.values() for row in group], dtype=np.int64)
        return cls(counts, sizes, rows, np.cumsum(sizes) - sizes)

    @cached_property
    def n_types(self) -> np.ndarray:
        """How many types each profile holds."""
        return (self.counts > 0).sum(1)

    @cached_property
    def bits(self) -> np.ndarray:
        """The types of each profile as bits of 64-bit words: (profiles, words)."""
        packed = np.packbits(self.counts > 0, axis=1, bitorder="little")
        padding = -packed.shape[1] % 8
        return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, padding)))).view(np.uint64)

    def within(self, types: np.ndarray) -> np.ndarray:
        """The profiles all of whose types are among `types`."""
        mask = np.zeros((1, self.counts.shape[1]), dtype=bool)
        mask[0, types] = True
        packed = np.packbits(mask, axis=1, bitorder="little")
        words = np.ascontiguousarray(np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))).view(np.uint64)
        return np.flatnonzero(~(self.bits & ~words).any(1))

    def sentence(self, profile: int, rank: int, taken: list[int]) -> int:
        """The sentence of that rank among those of the profile not yet taken; notes it in `taken`."""
        for position in taken:
            if rank >= position:
                rank += 1
        taken.append(rank)
        taken.sort()
        return int(self.rows[self.starts[profile] + rank])
