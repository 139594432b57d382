"""People as a system: their answers come from a study, and no run can ask them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Self

from hf_fewshot.systems.system import PEOPLE, Asked, Predictions, Setup, System

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import EpisodeSet
    from hf_fewshot.systems.work import Work


@dataclass(frozen=True)
class PeopleOptions:
    """How people were asked.

    Args:
        zero_shots: they saw the description of the task alone, no example.
        share: how many annotators answered each episode; one repeat is then a group that shares all episodes.
    """

    zero_shots: bool = False
    share: int | None = None


class PeopleSystem(System):
    """Who answered on a page. Seeds of its records are numbers of annotators, or of groups that share the episodes."""

    zero_shot = True
    Options = PeopleOptions

    @classmethod
    def way_of_learning(cls, options: Mapping[str, Any], is_trained: bool) -> str:
        return PEOPLE

    @classmethod
    def check(cls, asked: Asked) -> None:
        _refuse()

    @classmethod
    def fit(cls, work: "Work") -> Self:
        _refuse()

    def predict(self, episodes: "EpisodeSet", setup: Setup) -> Predictions:
        _refuse()


def _refuse() -> NoReturn:
    raise ValueError("People are not run, they are asked: hf-fewshot annotate begins a study (docs/people.md).")
