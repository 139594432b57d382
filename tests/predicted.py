"""Predictions of networks and language models in one call, for tests."""

from dataclasses import dataclass
from typing import Any

from hf_fewshot.in_context.report import Report
from hf_fewshot.systems.episodic import EpisodicSystem
from hf_fewshot.systems.in_context import InContextSystem
from hf_fewshot.systems.system import predict

HOW = ("output_dir", "accelerator", "progress")


@dataclass(frozen=True)
class Asked:
    """Predictions in context, and the report on how they came about."""

    predictions: list[list[Any]]
    report: Report


def predict_episodes(model, tokenizer, episodes, **options):
    how = {name: options.pop(name) for name in HOW if name in options}
    return predict(EpisodicSystem(model, tokenizer, **options), episodes, **how)


def predict_in_context(backend, episodes, prompt_format, **options):
    how = {name: options.pop(name) for name in HOW if name in options}
    system = InContextSystem(backend, prompt_format, **options)
    return Asked(predict(system, episodes, **how), system.report)
