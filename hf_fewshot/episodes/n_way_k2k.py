"""N-way K~2K sampling of Few-NERD (Ding et al., 2021, Section 5.1): greedy, over whole sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.options import listed, require_classes, require_whole
from hf_fewshot.episodes.profiles import Profiles

# A greedy pass can paint itself into a corner; another pass over the same types, then other types, get it out. The
# limits only end a hopeless search: on Few-NERD and Few-TK a pass fails rarely and a handful of tries is enough.
PASSES_PER_DRAW = 20
DRAWS_PER_EPISODE = 500
# Blind draws before all candidates are weighed: most steps need a few, and they are much cheaper.
TRIES_PER_STEP = 24
DRAWN_AT_ONCE = 64


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

    Sentences with the same count of every type are interchangeable: they form one profile. A step draws sentences
    until one fits, as the original does; after a few misses it weighs each profile that fits by its unused sentences
    and draws from these alone, which has the same distribution, cannot miss, and sees a dead end.
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
    def profiles(self) -> Profiles:
        """The distinct rows of the index, and the sentences of each."""
        return Profiles.of(self.index)

    def __call__(self, number: int) -> Episode:
        rng = np.random.default_rng([self.seed, number])
        for _ in range(DRAWS_PER_EPISODE):
            types = rng.choice(self.eligible, self.spec.n_way, replace=False).tolist()
            candidates = Candidates(self.profiles, types, rng)
            for _ in range(PASSES_PER_DRAW if len(candidates.sizes) else 0):
                parts = self._pass(candidates)
                if parts is not None:
                    return Episode(tuple(self.index.classes[c] for c in types), *parts)
                # Without K + Q entities of each type among the candidates no pass over them can end well.
                if (candidates.totals < self.needed).any():
                    break
        raise ValueError(self._impossible())

    def _pass(self, candidates: "Candidates") -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Support and query by one greedy pass each, or None at a dead end."""
        used: dict[int, int] = {}  # sentence -> its profile
        parts = []
        for target in (self.spec.n_shot, self.n_query):
            have = dict.fromkeys(candidates.types, 0)
            before = len(used)
            while min(have.values()) < target:
                drawn = candidates.try_draw(have, target, used) or candidates.draw(have, target, used)
                if drawn is None:
                    return None
                profile, sentence = drawn
                used[sentence] = profile
                for type_id, count in self.profiles.entries[profile]:
                    have[type_id] += count
            parts.append(tuple(list(used)[before:]))
        return parts[0], parts[1]

    def _impossible(self) -> str:
        """Why nothing was found: for each type, the entities in sentences that hold no other type."""
        single = (self.profiles.counts > 0).sum(1) == 1
        alone = self.profiles.sizes[single] @ self.profiles.counts[single]
        counts = {name: int(alone[c]) for c, name in enumerate(self.index.classes)}
        worst = dict(sorted(counts.items(), key=lambda item: item[1]))
        k = self.spec.n_shot
        return (
            f"No {self.spec.n_way}-way {k}~{2 * k}-shot episode with {self.n_query} queries was found in "
            f"{DRAWS_PER_EPISODE} draws of types: the sentences that hold no other types are too few. "
            f"Entities in sentences of one type only: {listed(worst)}. Lower shots or n_query, or raise n_way."
        )


class Candidates:
    """The profiles all of whose types are among those of an episode, and draws from them."""

    def __init__(self, profiles: Profiles, types: list[int], rng: np.random.Generator) -> None:
        self.profiles = profiles
        self.types = types
        self.rng = rng
        self.numbers = profiles.within(types)
        self.sizes = profiles.sizes[self.numbers]
        self.stream = self._stream()

    def _stream(self) -> Iterator[tuple[int, int]]:
        """Profile and number of sentences drawn uniformly, without end."""
        ends = np.cumsum(self.sizes)
        first = self.profiles.starts[self.numbers] - (ends - self.sizes)
        while True:
            ranks = (self.rng.random(DRAWN_AT_ONCE) * ends[-1]).astype(np.int64)
            positions = np.searchsorted(ends, ranks, side="right")
            sentences = self.profiles.rows[first[positions] + ranks]
            yield from zip(self.numbers[positions].tolist(), sentences.tolist(), strict=True)

    @cached_property
    def table(self) -> np.ndarray:
        """How often each candidate profile holds each type: (types, candidates)."""
        return self.profiles.counts[self.numbers].T[self.types]

    @cached_property
    def totals(self) -> np.ndarray:
        """Entities of each type in all candidate sentences."""
        return self.table @ self.sizes

    def try_draw(self, have: dict[int, int], target: int, used: dict[int, int]) -> tuple[int, int] | None:
        """Profile and sentence of the first of a few drawn sentences that fits, if one does."""
        for profile, sentence in islice(self.stream, TRIES_PER_STEP):
            wanted = False
            for c, n in self.profiles.entries[profile]:
                if have[c] + n > 2 * target:
                    break
                wanted = wanted or have[c] < target
            else:
                if wanted and sentence not in used:
                    return profile, sentence
        return None

    def draw(self, have: dict[int, int], target: int, used: dict[int, int]) -> tuple[int, int] | None:
        """Profile and sentence drawn from those that fit alone; None where there are none."""
        held = np.array([have[c] for c in self.types])
        fits = (self.table <= (2 * target - held)[:, None]).all(0) & (self.table[held < target] > 0).any(0)
        taken = np.bincount(np.searchsorted(self.numbers, list(used.values())), minlength=len(self.numbers))
        ends = np.cumsum((self.sizes - taken) * fits)
        if not ends[-1]:
            return None
        rank = int(self.rng.integers(ends[-1]))
        position = int(np.searchsorted(ends, rank, side="right"))
        profile = int(self.numbers[position])
        free = [row for row in self.profiles.sentences(profile).tolist() if row not in used]
        return profile, free[rank - (int(ends[position - 1]) if position else 0)]
