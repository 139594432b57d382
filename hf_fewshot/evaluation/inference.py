"""Labels one's own sentences from a few examples, with a saved model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from transformers import PreTrainedTokenizerBase

from hf_fewshot.display import tag_spans
from hf_fewshot.episodes.class_index import OUTSIDE, split_tags
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.evaluation.engine import runner_for
from hf_fewshot.evaluation.support_tuning import SupportTuning
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_batch import INTENT, SLOT
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.registry import unknown
from hf_fewshot.schemas import example_features, table_of

TASKS = {
    "few-shot-ner": "tagging",
    "few-shot-relation-classification": "relation",
    "few-shot-text-classification": "classification",
    "few-shot-intent-and-slots": "joint",
}
# The columns that a support example must have.
TAGS = ("tags", "slot_tags")
LABELS = {
    "tagging": ("tags",),
    "relation": ("relation",),
    "classification": ("label",),
    "joint": ("intent", "slot_tags"),
}


def pipeline(
    task: str, model: str | Path | FewShotModel, tokenizer: Any = None, tuning: SupportTuning | None = None
) -> "FewShotPipeline":
    """A model ready for use: `pipeline("few-shot-ner", "path/or/hub-id")(support, queries)`.

    With `tuning` a joint model is tuned on the support examples of each call.
    """
    if task not in TASKS:
        raise unknown("task", task, TASKS)
    if isinstance(model, FewShotModel):
        if tokenizer is None:
            raise ValueError("A model that is already loaded needs its tokenizer: pipeline(task, model, tokenizer).")
        return FewShotPipeline(model, tokenizer, TASKS[task], tuning)
    kind = JointModel if TASKS[task] == "joint" else FewShotModel
    return FewShotPipeline(kind.from_pretrained(model), load_tokenizer(tokenizer or model), TASKS[task], tuning)


class FewShotPipeline:
    """Labels queries from a support set.

    Sentences are words: `{"tokens": [...]}`, or a text that is split at white space. A relation instance has `head`
    and `tail` as `{"start": first word, "end": word after the last}`.
    """

    def __init__(
        self, model: FewShotModel, tokenizer: PreTrainedTokenizerBase, task: str, tuning: SupportTuning | None = None
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.task = task
        self.tuning = tuning

    def __call__(self, support: Sequence[dict[str, Any]], queries: Sequence[Any]) -> list[Any]:
        """For each query its entities (`type`, `text`, `start`, `end` in words), or its class, or intent and tags."""
        predicted = self.predict(support, queries)
        if self.task != "tagging":
            return predicted
        words = [_sentence(self.task, query)["tokens"] for query in queries]
        return [
            [
                {"type": name, "text": " ".join(tokens[start:end]), "start": start, "end": end}
                for start, end, name in tag_spans(tags)
            ]
            for tokens, tags in zip(words, predicted, strict=True)
        ]

    def predict(self, support: Sequence[dict[str, Any]], queries: Sequence[Any]) -> list[Any]:
        """For each query its tags, or its class ("NOTA" for none, where the method knows it)."""
        if not support or not queries:
            raise ValueError(
                f"Expected at least one support example and one query, got {len(support)} and {len(queries)}."
            )
        examples = [self._example(number, item) for number, item in enumerate([*support, *queries])]
        for number, example in enumerate(examples):
            for column in LABELS[self.task]:
                if number >= len(support):
                    example[column] = [OUTSIDE] * len(example["tokens"]) if column in TAGS else ""
                elif example[column] is None:
                    raise ValueError(f"Support example {number} has no {column!r}; it must say what it shows.")
        table = table_of(examples, example_features(self.task))
        classes = self._classes(examples[: len(support)])
        rows = tuple(range(len(examples)))
        episode = Episode(classes, rows[: len(support)], rows[len(support) :])
        episodes = EpisodeSet(self.task, table, lambda _: episode, 1)
        accelerator = Accelerator(cpu=self.model.device.type == "cpu")
        runner = runner_for(self.model.eval(), self.tokenizer, episodes, accelerator, tuning=self.tuning)
        with torch.inference_mode():
            return runner.predict([episode])[0]

    def _classes(self, support: list[dict[str, Any]]) -> tuple[str, ...]:
        column = LABELS[self.task][-1]
        if column not in TAGS:
            return tuple(dict.fromkeys(example[column] for example in support))
        tags = sorted({tag for example in support for tag in example[column]})
        classes = tuple(dict.fromkeys(name for name in split_tags(tags)[0] if name != OUTSIDE))
        if self.task == "joint":
            for tag in tags:
                if tag != OUTSIDE and not tag.startswith(("B-", "I-")):
                    raise ValueError(f"{tag!r} is no BIO tag. Write slots as B-name and I-name.")
            intents = dict.fromkeys(example["intent"] for example in support)
            return (*(INTENT + name for name in intents), *(SLOT + name for name in classes))
        if not classes:
            raise ValueError("The support examples show no entity: all tags are O.")
        return classes

    def _example(self, number: int, item: Any) -> dict[str, Any]:
        sentence = _sentence(self.task, item)
        known = item if isinstance(item, dict) else {}
        example = {"id": str(number), **sentence, **{column: known.get(column) for column in LABELS[self.task]}}
        tags = next((example[column] for column in TAGS if column in example), None)
        if tags is not None and len(tags) != len(example["tokens"]):
            raise ValueError(f"Example {number}: {len(example['tokens'])} tokens, but {len(tags)} tags.")
        if self.task == "joint":
            example["domain"] = ""
        if self.task == "relation":
            example["original_relation"] = ""
        return example


def _sentence(task: str, item: Any) -> dict[str, Any]:
    """The text of a support example or query in the columns of the task."""
    if task == "classification":
        text = item if isinstance(item, str) else item.get("text")
        if not isinstance(text, str):
            raise ValueError(f"Expected a text or {{'text': ...}}, got {item!r}.")
        return {"text": text}
    words = (
        item.split()
        if isinstance(item, str)
        else list(item.get("tokens", []))
        if isinstance(item, dict)
        else list(item)
    )
    if task in ("tagging", "joint"):
        return {"tokens": words}
    if not isinstance(item, dict) or "head" not in item or "tail" not in item:
        raise ValueError(f"Expected a relation instance with tokens, head and tail, got {item!r}.")
    return {"tokens": words, "head": _entity(item["head"]), "tail": _entity(item["tail"])}


def _entity(entity: dict[str, Any]) -> dict[str, Any]:
    mentions = entity.get("mentions") or [{"start": entity["start"], "end": entity["end"]}]
    return {"text": entity.get("text", ""), "id": "", "type": "", "mentions": mentions}
