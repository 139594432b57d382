"""Utterances of your own with intents and slots."""

from dataclasses import dataclass
from typing import ClassVar

from hf_fewshot.dataset_scripts.own_data.config import OwnDataConfig
from hf_fewshot.dataset_scripts.own_data.own_data import OwnData


@dataclass
class OwnUtterancesConfig(OwnDataConfig):
    """Options of your own data (see `OwnDataConfig`)."""

    TASK: ClassVar = "joint"


class OwnUtterances(OwnData):
    """Builder of your utterances with intents and slots."""

    NAME = "own_utterances"
    TASK = "joint"
    SAMPLE = "utterances.jsonl"
    BUILDER_CONFIG_CLASS = OwnUtterancesConfig
    BUILDER_CONFIGS: ClassVar = [
        OwnUtterancesConfig(name="default", description="Utterances with an intent and slots.")
    ]
    ABOUT = "your utterances with intents and slots"
    DESCRIPTION = "Utterances with an intent and slots."
