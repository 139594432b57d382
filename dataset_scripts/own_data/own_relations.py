"""Sentences of your own with two entities and their relation."""

from dataclasses import dataclass
from typing import ClassVar

from hf_fewshot.dataset_scripts.own_data.config import OwnDataConfig
from hf_fewshot.dataset_scripts.own_data.own_data import OwnData


@dataclass
class OwnRelationsConfig(OwnDataConfig):
    """Options of your own data (see `OwnDataConfig`)."""

    TASK: ClassVar = "relation"


class OwnRelations(OwnData):
    """Builder of your sentences with two entities and their relation."""

    NAME = "own_relations"
    TASK = "relation"
    SAMPLE = "relations.jsonl"
    BUILDER_CONFIG_CLASS = OwnRelationsConfig
    BUILDER_CONFIGS: ClassVar = [
        OwnRelationsConfig(name="default", description="Sentences with two entities and the relation between them.")
    ]
    ABOUT = "your sentences with two entities and their relation"
    DESCRIPTION = "Sentences with two entities and the relation between them."
