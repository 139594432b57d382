"""Labels one's own sentences from a few examples, with a saved model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accelerate import Accelerator
from transformers import PreTrainedTokenizerBase

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.method_model import MethodModel
from hf_fewshot.registry import unknown
from hf_fewshot.systems.episodic import EpisodicSystem
from hf_fewshot.systems.support_tuning import SupportTuning
from hf_fewshot.systems.system import predict
from hf_fewshot.tasks import task_of, usable_tasks
from hf_fewshot.tasks.schemas import table_of


def pipeline(
    task: str,
    model: str | Path | FewShotModel | JointModel,
    tokenizer: Any = None,
    tuning: SupportTuning | None = None,
) -> "FewShotPipeline":
    """A model ready for use: `pipeline("few-shot-ner", "path/or/hub-id")(support, queries)`.

    With `tuning` a joint model is tuned on the support examples of each call.
    """
    known = {kind.pipeline: kind for kind in usable_tasks() if kind.pipeline is not None}
    if task not in known:
        raise unknown("task", task, known)
    if isinstance(model, FewShotModel | JointModel):
        if tokenizer is None:
            raise ValueError("A model that is already loaded needs its tokenizer: pipeline(task, model, tokenizer).")
        return FewShotPipeline(model, tokenizer, known[task].name, tuning)
    kind: type[MethodModel] = JointModel if len(known[task].class_columns) > 1 else FewShotModel
    return FewShotPipeline(kind.from_pretrained(model), load_tokenizer(tokenizer or model), known[task].name, tuning)


class FewShotPipeline:
    """Labels queries from a support set.

    Sentences are words: `{"tokens": [...]}`, or a text that is split at white space. A relation instance has `head`
    and `tail` as `{"start": first word, "end": word after the last}`.
    """

    def __init__(
        self,
        model: FewShotModel | JointModel,
        tokenizer: PreTrainedTokenizerBase,
        task: str,
        tuning: SupportTuning | None = None,
    ) -> None:
        self.model = model
        self.task = task_of(task)
        self.system = EpisodicSystem(model, tokenizer, tuning=tuning, encode_once=False)

    def __call__(self, support: Sequence[dict[str, Any]], queries: Sequence[Any]) -> list[Any]:
        """For each query its entities (`type`, `text`, `start`, `end` in words), or its class, or intent and tags."""
        predicted = self.predict(support, queries)
        return [
            self.task.presented(one, self.task.given(query)) for one, query in zip(predicted, queries, strict=True)
        ]

    def predict(self, support: Sequence[dict[str, Any]], queries: Sequence[Any]) -> list[Any]:
        """For each query its tags, or its class ("NOTA" for none, where the method knows it)."""
        if not support or not queries:
            raise ValueError(
                f"Expected at least one support example and one query, got {len(support)} and {len(queries)}."
            )
        examples = [self._example(number, item) for number, item in enumerate([*support, *queries])]
        for number, example in enumerate(examples):
            if number >= len(support):
                example |= self.task.unlabelled(example)
            for column in self.task.label_columns:
                if example[column] is None:
                    raise ValueError(f"Support example {number} has no {column!r}; it must say what it shows.")
        table = table_of(examples, self.task.features())
        classes = self.task.classes_in(examples[: len(support)])
        rows = tuple(range(len(examples)))
        episode = Episode(classes, rows[: len(support)], rows[len(support) :])
        episodes = EpisodeSet(self.task.name, table, lambda _: episode, 1)
        accelerator = Accelerator(cpu=self.model.device.type == "cpu")
        return predict(self.system, episodes, accelerator=accelerator, progress=False)[0]

    def _example(self, number: int, item: Any) -> dict[str, Any]:
        known = item if isinstance(item, dict) else {}
        # What a benchmark says besides, such as a domain, is not asked for.
        example: dict[str, Any] = dict.fromkeys(self.task.columns, "")
        example |= self.task.given(item) | {"id": str(number)}
        example |= {column: known.get(column) for column in self.task.label_columns}
        for column in self.task.class_columns:
            tags = example[column.name]
            if column.is_tags and tags is not None and len(tags) != len(example["tokens"]):
                raise ValueError(f"Example {number}: {len(example['tokens'])} tokens, but {len(tags)} tags.")
        return example
