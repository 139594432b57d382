"""Intents and slots: the scores of each, by domain."""

from collections.abc import Sequence
from typing import Any

from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.charts import Chart
from hf_fewshot.analyses.confused import confused_sheets
from hf_fewshot.analyses.findings import Sheet
from hf_fewshot.analyses.named_scores import HEADS, NamedScore, f1_charts, named_scores
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.registry import resolve
from hf_fewshot.tasks.labels import NOTA

# By what is scored: its key in a prediction, the metric with its options, and where that gives the scores of each.
PARTS: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "intent": ("intent", "hf_fewshot.metrics.nota_f1.scoring:score", {"nota_label": NOTA}, "per_class"),
    "slot": ("slot_tags", "hf_fewshot.metrics.slot_f1.scoring:score", {}, "per_type"),
}


def analyse(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Found:
    """Scores of intents and of slots in each domain, and which intents are taken for which.

    Of predictions without intents or without tags (SepProto's networks) only the other part.
    """
    domains: dict[str, tuple[list[Any], list[Any]]] = {}
    for episode, gold, predicted in zip(episodes, references(episodes), predictions, strict=True):
        own = domains.setdefault(episode.group, ([], []))
        own[0].extend(predicted)
        own[1].extend(gold)
    sheets: list[Sheet] = []
    charts: list[Chart] = []
    for noun, (key, metric, options, section) in PARTS.items():
        if all(key in one for predicted, _ in domains.values() for one in predicted):
            scores: dict[str, dict[str, NamedScore]] = {}
            for domain, both in domains.items():
                found = resolve(metric)(*([one[key] for one in part] for part in both), **options)
                scores[domain] = named_scores(found, section)
            rows = [[domain, name, *one.cells] for domain, own in scores.items() for name, one in own.items()]
            sheets.append(Sheet.of(f"Scores of each {noun}", ["domain", noun, *HEADS], rows))
            charts += f1_charts(f"F1 of each {noun}", scores)
    return [*sheets, *confused_sheets(episodes, predictions)], charts
