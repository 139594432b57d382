"""Sentences of your own and their entities."""

from dataclasses import dataclass
from typing import ClassVar

from hf_fewshot.dataset_scripts.own_data.config import OwnDataConfig
from hf_fewshot.dataset_scripts.own_data.own_data import OwnData


@dataclass
class OwnEntitiesConfig(OwnDataConfig):
    """Options of your own data (see `OwnDataConfig`)."""

    TASK: ClassVar = "tagging"


class OwnEntities(OwnData):
    """Builder of your sentences and their entities."""

    NAME = "own_entities"
    TASK = "tagging"
    SAMPLE = "entities.conll"
    BUILDER_CONFIG_CLASS = OwnEntitiesConfig
    BUILDER_CONFIGS: ClassVar = [OwnEntitiesConfig(name="default", description="Sentences with entities.")]
    ABOUT = "your sentences and their entities"
    DESCRIPTION = "Sentences with entities."
