"""All attackers by name."""

import importlib

from tests.attacks.attacker import Attacker

ATTACKERS = {
    "raw files": "raw_files:RawFiles",
    "archives": "archives:Archives",
    "predictions": "predictions:Predictions",
    "records": "records:Records",
    "recipes": "recipes:Recipes",
    "options": "options:Options",
    "model folders": "model_folders:ModelFolders",
    "long texts": "long_texts:LongTexts",
    "http": "web:Http",
    "changed inputs": "changed_inputs:ChangedInputs",
    "kills": "kills:Kills",
    "rivals": "rivals:Rivals",
    "faults": "faults:Faults",
    "full disk": "full_disk:FullDisk",
}


def attacker_class(name: str) -> type[Attacker]:
    """The attacker with a name; modules are imported when they are asked for."""
    module, _, kind = ATTACKERS[name].partition(":")
    return getattr(importlib.import_module(f"tests.attacks.{module}"), kind)
