"""What commands import, all at once: the process that others are forked from reads this first."""

import importlib
import os

os.environ["TOKENIZERS_PARALLELISM"] = "false"

MODULES = (
    "datasets",
    "evaluate",
    "pandas",
    "transformers.trainer",
    "hf_fewshot.cli.main",
    "hf_fewshot.systems.answers",
    "hf_fewshot.systems.episodic",
    "hf_fewshot.runs.execution",
    "hf_fewshot.systems.in_context",
    "hf_fewshot.systems.tagger",
    "tests.attacks.errands",
)
for module in MODULES:
    importlib.import_module(module)
importlib.import_module("torch").set_num_threads(1)  # threads do not live on in a fork
