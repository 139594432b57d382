"""A text and its class."""

from collections.abc import Mapping
from typing import Any, ClassVar

from hf_fewshot.tasks.form import Form, Part
from hf_fewshot.tasks.one_label import OneLabel, one_class
from hf_fewshot.tasks.task import STRING, Baseline, ClassColumn, Row, Shown


class Classification(OneLabel):
    """Text classification."""

    name = "classification"
    columns: ClassVar[dict[str, Any]] = {"id": STRING, "text": STRING, "label": STRING}
    column = "label"
    class_columns = (ClassColumn("label"),)
    measure = "accuracy"
    hub_task = "text-classification"
    representations = ("sentence", "mean")
    pipeline = "few-shot-text-classification"
    pipeline_example = (
        '[{"text": "I want my money back", "label": "refund"}, {"text": "Where is my parcel?", "label": "delivery"}]',
        '["When will it arrive?"]',
    )
    baselines: ClassVar[dict[str, Baseline]] = {"one_class": one_class("label")}
    query_fields = ("text",)
    told = "Read each text and choose the label that fits it."

    def render(self, example: Mapping[str, Any]) -> str:
        return f"{example['label']}: {example['text']}"

    def words(self, example: Mapping[str, Any]) -> list[str]:
        return example["text"].split()

    def shown(self, example: Mapping[str, Any]) -> Shown:
        return Shown([], example["label"])

    def shown_form(self, example: Mapping[str, Any]) -> Form:
        return Form((Part("text", example["text"]),))

    def given(self, item: Any) -> Row:
        text = item if isinstance(item, str) else item.get("text")
        if not isinstance(text, str):
            raise ValueError(f"Expected a text or {{'text': ...}}, got {item!r}.")
        return {"text": text}

    def named(self, name: str, text: str) -> Row | None:
        return {"id": f"name of {name}", "text": text, "label": name}

    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        return {"text": example["text"]}
