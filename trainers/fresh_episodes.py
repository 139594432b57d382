"""Epochs of episodes that are drawn anew (Sabo et al., 2021): they follow from the seed and the epoch's number."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Self

from torch.utils.data import Sampler
from transformers import TrainerCallback

from hf_fewshot.episodes.episode import EpisodeSet


class FreshEpisodes(EpisodeSet):
    """A set of drawn episodes of which there are more: epoch e has the numbers from e * length on."""

    @classmethod
    def of(cls, episodes: EpisodeSet) -> Self:
        """The same episodes, and those of later epochs; only a sampler has them."""
        if "seed" not in episodes.spec:
            raise ValueError(
                "fresh_episodes=True, but the training episodes are given, not drawn: there are no more. Leave it out."
            )
        return cls(**{one.name: getattr(episodes, one.name) for one in fields(episodes)})

    def __getitem__(self, index: Any) -> Any:
        return self.make(index) if isinstance(index, int) and index >= 0 else super().__getitem__(index)


class EpochSampler(Sampler[int], TrainerCallback):
    """The numbers of the episodes of an epoch, the same in all processes and after an interruption."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.epoch = 0

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        # A run that goes on in the middle of an epoch begins with a part of it behind.
        self.epoch = int(state.epoch)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.epoch * self.size, (self.epoch + 1) * self.size))
