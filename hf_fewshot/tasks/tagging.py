"""A sentence and the entities in it, as a tag for each word."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from datasets import Dataset, List

from hf_fewshot.registry import resolve
from hf_fewshot.tasks.answers_in_words import parse_entities
from hf_fewshot.tasks.labels import OUTSIDE, UNPARSED
from hf_fewshot.tasks.tags import (
    joiner,
    mark,
    no_entity,
    seen_words,
    shown_types,
    spans_as_texts,
    tag_spans,
    types_of,
    wrong_tags,
)
from hf_fewshot.tasks.task import STRING, Baseline, ClassColumn, Parsed, Row, Shown, Sums, Task

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import Episode


class Tagging(Task):
    """Named entity recognition. Predictions are types without B- and I-: a run of one type is one entity."""

    name = "tagging"
    columns: ClassVar[dict[str, Any]] = {"id": STRING, "tokens": List(STRING), "tags": List(STRING)}
    class_columns = (ClassColumn("tags", is_tags=True),)
    measure = "f1"
    hub_task = "token-classification"
    representations = ("words",)
    pipeline = "few-shot-ner"
    pipeline_example = (
        '[{"tokens": ["Anna", "lives", "in", "Paris"], "tags": ["person", "O", "O", "place"]}]',
        '["Tom works in Rome"]',
    )
    baselines: ClassVar[dict[str, Baseline]] = {"no_entity": no_entity, "seen_words": seen_words("tags")}
    query_fields = ("sentence",)
    episode_fields = ("types",)
    analysis = "hf_fewshot.analyses.types:analyse"

    def references(self, examples: Dataset, episodes: Iterable["Episode"]) -> Iterator[list[Any]]:
        """An entity of a type that its episode does not have is O: so it is in training, and in Few-NERD's splits."""
        column = examples["tags"][:]
        types = types_of(column)
        for episode in episodes:
            known = {tag: name if name in episode.classes else OUTSIDE for tag, name in types.items()}
            yield [[known[tag] for tag in column[row]] for row in episode.query]

    def wrong(self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str]) -> str:
        return wrong_tags(prediction, len(example["tokens"]), {*classes, UNPARSED})

    def score(self, predictions: list[Any], references: list[Any], groups: list[int], **options: Any) -> Row:
        return resolve("hf_fewshot.metrics.entity_f1.scoring:score")(predictions, references, groups=groups, **options)

    def sums(self, found: Mapping[str, float], units: Sequence[str], sizes: Sequence[int], pairs: Any) -> Sums:
        return self._f1_sums(found, units)

    def baseline_rows(self, examples: Dataset) -> list[Row]:
        rows = examples.to_list()
        types = types_of(row["tags"] for row in rows)
        return [{**row, "tags": [types[tag] for tag in row["tags"]]} for row in rows]

    def render(self, example: Mapping[str, Any]) -> str:
        return mark(example["tokens"], tag_spans(example["tags"]))

    def words(self, example: Mapping[str, Any]) -> list[str]:
        return example["tokens"]

    def shown(self, example: Mapping[str, Any]) -> Shown:
        return Shown(tag_spans(example["tags"]), None)

    def with_reference(self, example: Row, reference: Any) -> Row:
        return {**example, "tags": reference}

    def shown_prediction(self, prediction: Any, example: Mapping[str, Any]) -> Shown:
        return Shown(tag_spans(prediction), None)

    def confused(self, reference: Any, prediction: Any) -> list[tuple[str, str]] | None:
        return list(zip(reference, prediction, strict=True))

    def classes_in(self, support: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        classes = shown_types(example["tags"] for example in support)
        if not classes:
            raise ValueError("The support examples show no entity: all tags are O.")
        return classes

    def presented(self, prediction: Any, example: Mapping[str, Any]) -> Any:
        words = example["tokens"]
        return [
            {"type": name, "text": " ".join(words[start:end]), "start": start, "end": end}
            for start, end, name in tag_spans(prediction)
        ]

    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        return {"sentence": joiner(example["tokens"]).join(example["tokens"])}

    def describe(self, classes: Sequence[str], group: str, words: Mapping[str, str] | None) -> dict[str, str]:
        return {"types": ", ".join(classes)}

    def answer(self, example: Mapping[str, Any], classes: Sequence[str]) -> tuple[str, str]:
        return json.dumps(spans_as_texts(example["tokens"], example["tags"], classes), ensure_ascii=False), ""

    def read(self, text: str, example: Mapping[str, Any], classes: Sequence[str]) -> Parsed | None:
        tagged = parse_entities(text, example["tokens"], classes)
        return None if tagged is None else Parsed(tagged[0], unplaced=tagged[1])

    def unparsed(self, example: Mapping[str, Any]) -> Any:
        """An entity too many in every word."""
        return [UNPARSED] * len(example["tokens"])
