"""Texts of your own and their labels."""

from dataclasses import dataclass
from typing import ClassVar

from hf_fewshot.dataset_scripts.own_data.config import OwnDataConfig
from hf_fewshot.dataset_scripts.own_data.own_data import OwnData


@dataclass
class OwnTextsConfig(OwnDataConfig):
    """Options of your own data (see `OwnDataConfig`)."""

    TASK: ClassVar = "classification"


class OwnTexts(OwnData):
    """Builder of your texts and their labels."""

    NAME = "own_texts"
    TASK = "classification"
    SAMPLE = "texts.csv"
    BUILDER_CONFIG_CLASS = OwnTextsConfig
    BUILDER_CONFIGS: ClassVar = [OwnTextsConfig(name="default", description="Labelled texts, such as intents.")]
    ABOUT = "your texts and their labels"
    DESCRIPTION = "Labelled texts, such as intents."
