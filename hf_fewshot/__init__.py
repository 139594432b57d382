"""Few-shot language understanding for the Hugging Face ecosystem.

Importing this package makes the benchmarks known to `datasets` and the metrics known to `evaluate`. It loads neither,
and no other heavy library: the names below are imported when they are first used.
"""

import importlib
from typing import Any

from hf_fewshot.registration import register

__version__ = "0.1.0.dev0"

# name -> module that defines it
_EXPORTS = {
    "CausalLM": "hf_fewshot.in_context.causal_lm",
    "Endpoint": "hf_fewshot.in_context.endpoint",
    "Episode": "hf_fewshot.episodes.episode",
    "EpisodeSet": "hf_fewshot.episodes.episode",
    "FewShotModel": "hf_fewshot.models.few_shot_model",
    "JointModel": "hf_fewshot.models.joint_model",
    "MinimumIncluding": "hf_fewshot.episodes.minimum_including",
    "NWayK2K": "hf_fewshot.episodes.n_way_k2k",
    "NWayKShot": "hf_fewshot.episodes.n_way_k_shot",
    "NaturalNota": "hf_fewshot.episodes.natural_nota",
    "PromptFormat": "hf_fewshot.in_context.prompt_format",
    "Record": "hf_fewshot.runs.record",
    "Run": "hf_fewshot.runs.run",
    "SpanModel": "hf_fewshot.models.span_model",
    "SupportTuning": "hf_fewshot.systems.support_tuning",
    "compare": "hf_fewshot.statistics.comparisons",
    "embedded_causal_lm": "hf_fewshot.embedded",
    "embedded_encoder": "hf_fewshot.embedded",
    "execute": "hf_fewshot.runs.execution",
    "export_benchmark": "hf_fewshot.hub.export",
    "load_dataset": "hf_fewshot.data.loading",
    "load_episodes": "hf_fewshot.data.loading",
    "load_format": "hf_fewshot.in_context.prompt_format",
    "load_recipe": "hf_fewshot.runs.recipe",
    "make_episodes": "hf_fewshot.episodes.sampling",
    "pipeline": "hf_fewshot.systems.pipeline",
    "predict_answers": "hf_fewshot.spans.prediction",
    "predict_episodes": "hf_fewshot.systems.engine",
    "predict_in_context": "hf_fewshot.in_context.engine",
    "push_folder": "hf_fewshot.hub.folders",
    "push_metric": "hf_fewshot.hub.folders",
    "push_run": "hf_fewshot.hub.runs",
    "read_records": "hf_fewshot.runs.folder",
    "register_benchmark": "hf_fewshot.registry",
    "register_method": "hf_fewshot.registry",
    "register_metric": "hf_fewshot.registry",
    "register_task": "hf_fewshot.registry",
    "score_episodes": "hf_fewshot.episodes.scoring",
    "split_episode": "hf_fewshot.episodes.split_episode",
    "summary": "hf_fewshot.statistics.summaries",
    "to_few_shot": "hf_fewshot.data.class_split",
    "verify": "hf_fewshot.episodes.verification",
}

__all__ = sorted(_EXPORTS)

register()


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
