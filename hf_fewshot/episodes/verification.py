"""Checks episode sets against what they promise. Released data is reported on, never rejected."""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hf_fewshot.episodes.class_index import ClassIndex, index_examples, index_intent_tags
from hf_fewshot.episodes.episode import Episode, EpisodeSet

PROBLEMS = ("short", "removable", "unseen", "overlap", "repeated", "empty", "stray")


@dataclass(frozen=True)
class EpisodeCheck:
    """What was found in one episode; empty fields are good news."""

    index: int
    short: dict[str, int]  # classes with fewer than n_shot occurrences in the support set, and how many they have
    removable: tuple[str, ...]  # support examples without which every class would still have n_shot
    unseen: tuple[str, ...]  # classes of the query set that the support set does not show
    overlap: tuple[str, ...]  # examples in both support and query
    repeated: tuple[str, ...]  # examples more than once in support, or in query
    empty: tuple[str, ...]  # "support" or "query", where it has no examples
    stray: tuple[str, ...]  # classes of the support set that are none of the episode's


@dataclass(frozen=True)
class Verification:
    """What was found in an episode set."""

    n_shot: int | None
    n_examples: int
    examples_fingerprint: str
    episodes_fingerprint: str
    repeated_episodes: int
    checks: tuple[EpisodeCheck, ...]

    def having(self, problem: str) -> list[EpisodeCheck]:
        """The episodes with a finding of that name: one of PROBLEMS."""
        return [check for check in self.checks if getattr(check, problem)]

    def __str__(self) -> str:
        total = len(self.checks)
        lines = [
            f"{total} episodes over {self.n_examples} examples",
            f"examples  {self.examples_fingerprint}",
            f"episodes  {self.episodes_fingerprint}",
        ]
        if self.n_shot is not None:
            lines.append(
                f"{total - len(self.having('short'))} have every class {self.n_shot} times in the support set"
            )
            lines.append(f"{total - len(self.having('removable'))} have a minimal support set")
        lines.append(f"{len(self.having('unseen'))} have a query class that the support set does not show")
        lines.append(f"{len(self.having('overlap'))} share an example between support and query")
        lines.append(f"{len(self.having('repeated'))} hold an example twice in one part")
        lines.append(f"{len(self.having('empty'))} have an empty support or query set")
        lines.append(f"{len(self.having('stray'))} have a support class that is none of the episode's")
        lines.append(f"{self.repeated_episodes} repeat another episode")
        return "\n".join(lines)


def examples_fingerprint(episodes: EpisodeSet) -> str:
    """SHA-256 over the rows of the examples table."""
    digest = hashlib.sha256()
    for row in episodes.examples.to_list():
        digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def verify(episodes: EpisodeSet, *, compat: Literal["original"] | None = None) -> Verification:
    """Checks every episode of a set.

    `compat="original"` counts the labels of joint episodes as the platform that released them did (see
    `index_intent_tags`) instead of as its paper says.
    """
    if compat not in (None, "original"):
        raise ValueError(f'compat must be None or "original", but is {compat!r}.')
    has_intents = {"intent", "slot_tags"} <= set(episodes.examples.column_names)
    if compat == "original" and has_intents:
        index = index_intent_tags(episodes.examples)
    else:
        index = index_examples(episodes.task, episodes.examples)
    made = list(episodes)
    seen = Counter((episode.classes, episode.support, episode.query) for episode in made)
    return Verification(
        episodes.n_shot,
        len(episodes.examples),
        examples_fingerprint(episodes),
        episodes.fingerprint,
        sum(count - 1 for count in seen.values()),
        tuple(_check(episodes, index, number, episode) for number, episode in enumerate(made)),
    )


def _check(episodes: EpisodeSet, index: ClassIndex, number: int, episode: Episode) -> EpisodeCheck:
    ids = episodes.example_ids
    table = index.table(episode.support)
    if episodes.spec.get("sampler") == "MinimumIncluding":
        # This sampler counts the utterances that hold a label, not how often they do.
        table = np.minimum(table, 1)
    held = table.sum(0)
    queried = index.table(episode.query).sum(0)
    numbers = {name: c for c, name in enumerate(index.classes)}
    promised = np.array([numbers[name] for name in episode.classes if name in numbers], dtype=np.int64)
    class_ids = promised if len(promised) else np.flatnonzero(held)
    short, removable = {}, ()
    if episodes.n_shot is not None:
        lacking = [c for c in class_ids if held[c] < episodes.n_shot]
        short = {index.classes[c]: int(held[c]) for c in lacking}
        # A class that never reached n_shot does not make the examples that lack it needed.
        still_enough = (held - table >= np.minimum(episodes.n_shot, held))[:, class_ids].all(1)
        removable = tuple(ids[row] for row in np.array(episode.support)[still_enough])
    # A relation outside the episode is none-of-the-above, which no support set shows.
    asked_only = np.flatnonzero((queried > 0) & (held == 0))
    unseen = () if episodes.kind.has_none_of_the_above else tuple(index.classes[c] for c in asked_only)
    overlap = tuple(ids[row] for row in sorted(set(episode.support) & set(episode.query)))
    doubles = [row for part in (episode.support, episode.query) for row, n in Counter(part).items() if n > 1]
    empty = tuple(part for part in ("support", "query") if not getattr(episode, part))
    # The labels of `compat="original"` are none that an episode names.
    others = np.setdiff1d(np.flatnonzero(held), promised) if len(promised) else ()
    stray = tuple(index.classes[c] for c in others)
    return EpisodeCheck(number, short, removable, unseen, overlap, tuple(ids[row] for row in doubles), empty, stray)
