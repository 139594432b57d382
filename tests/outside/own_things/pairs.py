"""Two sentences and how they are related."""

from collections.abc import Mapping
from typing import Any, ClassVar

from hf_fewshot.tasks.one_label import OneLabel, one_class
from hf_fewshot.tasks.task import STRING, Baseline, ClassColumn, Shown


class Pairs(OneLabel):
    """Classification of pairs of sentences."""

    name = "pairs"
    columns: ClassVar[dict[str, Any]] = {"id": STRING, "first": STRING, "second": STRING, "label": STRING}
    column = "label"
    class_columns = (ClassColumn("label"),)
    measure = "accuracy"
    hub_task = "text-classification"
    representations = ("mean",)
    baselines: ClassVar[dict[str, Baseline]] = {"one_class": one_class("label")}
    query_fields = ("first", "second")

    def render(self, example: Mapping[str, Any]) -> str:
        return f"{example['label']}: {example['first']} / {example['second']}"

    def words(self, example: Mapping[str, Any]) -> list[str]:
        return f"{example['first']} / {example['second']}".split()

    def shown(self, example: Mapping[str, Any]) -> Shown:
        return Shown([], example["label"])

    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        return {"first": example["first"], "second": example["second"]}
