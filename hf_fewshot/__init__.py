"""Few-shot language understanding for the Hugging Face ecosystem.

Importing this package makes the benchmarks known to `datasets` and the metrics known to `evaluate`. It loads neither,
and no other heavy library: the names below are imported when they are first used. Trainers and their arguments are
`hf_fewshot.trainers`, pushing and exporting `hf_fewshot.hub`, things of one's own `hf_fewshot.registry`.
"""

import importlib
from typing import TYPE_CHECKING, Any

from hf_fewshot.registration import register

if TYPE_CHECKING:
    import hf_fewshot.hub as hub  # noqa: F401 - a public room
    import hf_fewshot.trainers as trainers  # noqa: F401 - a public room
    from hf_fewshot.data.class_split import to_few_shot
    from hf_fewshot.data.loading import load_dataset, load_episodes
    from hf_fewshot.endpoints.endpoint import Endpoint
    from hf_fewshot.episodes.episode import EpisodeSet
    from hf_fewshot.episodes.sampling import make_episodes
    from hf_fewshot.episodes.scoring import score
    from hf_fewshot.episodes.verification import verify
    from hf_fewshot.in_context.causal_lm import CausalLM
    from hf_fewshot.labelled.reading import read_labelled
    from hf_fewshot.learning.learner import FewShotLearner
    from hf_fewshot.methods.method import Method
    from hf_fewshot.models.few_shot_model import FewShotModel
    from hf_fewshot.models.joint_model import JointModel
    from hf_fewshot.models.span_model import SpanModel
    from hf_fewshot.runs.execution import execute
    from hf_fewshot.runs.folder import read_records
    from hf_fewshot.runs.record import Record
    from hf_fewshot.runs.run import Run
    from hf_fewshot.statistics.comparisons import compare
    from hf_fewshot.systems.episodic import EpisodicSystem
    from hf_fewshot.systems.in_context import InContextSystem
    from hf_fewshot.systems.pipeline import pipeline
    from hf_fewshot.systems.support_tuning import SupportTuning
    from hf_fewshot.systems.system import System, predict
    from hf_fewshot.tasks.task import Task

__version__ = "0.2.0"

__all__ = [
    "CausalLM",
    "Endpoint",
    "EpisodeSet",
    "EpisodicSystem",
    "FewShotLearner",
    "FewShotModel",
    "InContextSystem",
    "JointModel",
    "Method",
    "Record",
    "Run",
    "SpanModel",
    "SupportTuning",
    "System",
    "Task",
    "compare",
    "execute",
    "load_dataset",
    "load_episodes",
    "make_episodes",
    "pipeline",
    "predict",
    "read_labelled",
    "read_records",
    "score",
    "to_few_shot",
    "verify",
]

# Of the names above, the modules that define them, below this package; type checkers read the same off the imports.
_MODULES = {
    "data.class_split": ("to_few_shot",),
    "data.loading": ("load_dataset", "load_episodes"),
    "endpoints.endpoint": ("Endpoint",),
    "episodes.episode": ("EpisodeSet",),
    "episodes.sampling": ("make_episodes",),
    "episodes.scoring": ("score",),
    "episodes.verification": ("verify",),
    "in_context.causal_lm": ("CausalLM",),
    "labelled.reading": ("read_labelled",),
    "learning.learner": ("FewShotLearner",),
    "methods.method": ("Method",),
    "models.few_shot_model": ("FewShotModel",),
    "models.joint_model": ("JointModel",),
    "models.span_model": ("SpanModel",),
    "runs.execution": ("execute",),
    "runs.folder": ("read_records",),
    "runs.record": ("Record",),
    "runs.run": ("Run",),
    "statistics.comparisons": ("compare",),
    "systems.episodic": ("EpisodicSystem",),
    "systems.in_context": ("InContextSystem",),
    "systems.pipeline": ("pipeline",),
    "systems.support_tuning": ("SupportTuning",),
    "systems.system": ("System", "predict"),
    "tasks.task": ("Task",),
}
_MODULE_OF = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}
# Rooms that are public as they are.
_ROOMS = ("hub", "trainers")

register()


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"])
