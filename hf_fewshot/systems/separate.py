"""SepProto as a system: one network for intents, one for slots."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Self

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.registry import method_class
from hf_fewshot.systems.episodic import EpisodicSystem, check_pretraining, require_support
from hf_fewshot.systems.network_options import JointNetworkOptions, network_options
from hf_fewshot.systems.networks import check_encoder
from hf_fewshot.systems.own_parameters import check_own_parameters
from hf_fewshot.systems.system import Asked, Predictions, Setup, System, TrainedBy, count_parameters
from hf_fewshot.systems.work import Work

METHOD = "joint_proto"
PARTS = ("intent", "slots")


@cache
def _options() -> type:
    # What contradicts itself in one part does so in the other.
    return network_options(JointNetworkOptions, method_class(METHOD), part=PARTS[0])


class SeparateSystem(System):
    """Two networks, each of which predicts a part."""

    def __init__(self, networks: Mapping[str, EpisodicSystem]) -> None:
        self.networks = networks

    @property
    def n_parameters(self) -> int | None:
        return count_parameters([network.model for network in self.networks.values()])

    @classmethod
    def options(cls, name: str) -> type:
        return _options()

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return EpisodicSystem.trained_by(METHOD)

    @classmethod
    def check(cls, asked: Asked) -> None:
        require_support(asked)
        check_pretraining(asked)
        check_own_parameters(asked, method_class(METHOD), part=PARTS[0])

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        check_encoder(asked, folder)

    @classmethod
    def fit(cls, work: Work) -> Self:
        names = {part: f"model-{part}" for part in PARTS}
        return cls(
            {
                name: EpisodicSystem.network(work, name, METHOD, {**work.given, "part": part})
                for part, name in names.items()
            }
        )

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        parts = [
            network.predict(episodes, replace(setup, folder=setup.folder and setup.folder / name))
            for name, network in self.networks.items()
        ]
        return merge_parts(*parts)


def merge_parts(
    intents: Sequence[Sequence[Mapping]], slots: Sequence[Sequence[Mapping]]
) -> list[list[dict[str, Any]]]:
    """The predictions of the two networks as predictions of both."""
    return [
        [{**one, **other} for one, other in zip(own, others, strict=True)]
        for own, others in zip(intents, slots, strict=True)
    ]
