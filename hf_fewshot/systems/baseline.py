"""What can be scored without understanding anything: the trivial baselines of a task, by their names."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from hf_fewshot.systems.system import TRIVIAL, Predictions, Setup, System

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import EpisodeSet
    from hf_fewshot.systems.work import Work


class BaselineSystem(System):
    """Gives the answers of a trivial baseline of the episodes' task."""

    zero_shot = True

    def __init__(self, name: str) -> None:
        self.name = name

    @classmethod
    def way_of_learning(cls, options: Mapping[str, Any], is_trained: bool) -> str:
        return TRIVIAL

    @classmethod
    def fit(cls, work: "Work") -> Self:
        return cls(work.name)

    def predict(self, episodes: "EpisodeSet", setup: Setup) -> Predictions:
        return episodes.kind.baseline_predictions(self.name, episodes)
