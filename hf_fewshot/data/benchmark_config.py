"""The options that all benchmarks have, and how they are checked."""

from dataclasses import dataclass, fields
from typing import ClassVar

import datasets

from hf_fewshot.episodes.memory import require_memory
from hf_fewshot.episodes.options import require_seed, require_whole


@dataclass
class FewShotConfig(datasets.BuilderConfig):
    """Options of every benchmark; a benchmark adds its own.

    Args:
        sample: read the sample data of this project instead of the real data.
        seed: seed of sampled episodes.
        n_episodes: number of sampled episodes of each split, or of released ones so many from the first on; None: the
            benchmark's default, or all.
    """

    N_EPISODES: ClassVar[int] = 1  # of the largest split, where none are asked for
    PLACES: ClassVar[tuple[str, ...]] = ("data_dir",)  # fields that say where files are, and are no options of runs

    version: datasets.Version | str | None = "1.0.0"
    sample: bool = False
    seed: int = 0
    n_episodes: int | None = None

    @property
    def makes_episodes(self) -> bool:
        """Whether rows are episodes; else they are examples."""
        return False

    @property
    def has_examples(self) -> bool:
        """Whether there are examples to learn from; else a system must do with the description of the task."""
        return True

    def check(self) -> None:
        """Raises ValueError for options that contradict each other. Called once all options are set."""
        if self.sample and self.data_dir is not None:
            raise ValueError(f"sample=True and data_dir={self.data_dir!r} exclude each other. Give one.")
        if not isinstance(self.sample, bool):
            raise ValueError(f"sample must be True or False, but is {self.sample!r}.")
        require_seed(self.seed)
        if self.n_episodes is not None:
            require_whole(n_episodes=self.n_episodes)
        if self.makes_episodes:
            sizes = {name: getattr(self, name, None) for name in ("n_way", "shots", "n_query")}
            require_whole(**{name: size for name, size in sizes.items() if size is not None})
            require_memory(self.n_episodes or self.N_EPISODES, *sizes.values())

    def refuse_unused(self, why: str, *names: str) -> None:
        """Options that have no effect here must have their default value: nobody should believe that they had one."""
        defaults = {field.name: field.default for field in fields(self)}
        for name in names:
            if getattr(self, name) != defaults[name]:
                raise ValueError(f"{name}={getattr(self, name)!r} has no effect {why}. Leave it out.")

    def require(self, name: str, *allowed: object) -> None:
        """The option `name` has one of the allowed values."""
        value = getattr(self, name)
        if value not in allowed or isinstance(value, bool) != isinstance(allowed[0], bool):
            choices = ", ".join(repr(choice) for choice in allowed if choice is not None)
            raise ValueError(f"{name}={value!r}, but it must be one of {choices}.")
