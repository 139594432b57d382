"""A sentence and the entities in it, as a tag for each word."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from datasets import Dataset, List

from hf_fewshot.registry import resolve
from hf_fewshot.tasks.answer_schemas import TEXT, list_of, object_of, one_of
from hf_fewshot.tasks.answers_in_words import parse_entities
from hf_fewshot.tasks.asked import Example
from hf_fewshot.tasks.form import Answer, Form, Marking, part_of_words, tags_marked, tags_of
from hf_fewshot.tasks.labels import OUTSIDE, UNPARSED
from hf_fewshot.tasks.loose_answers import loose_entities
from hf_fewshot.tasks.parsed import Parsed
from hf_fewshot.tasks.tags import (
    PREFIXES,
    bare,
    joiner,
    mark,
    no_entity,
    prefixed,
    scheme_of,
    seen_words,
    shown_types,
    spans_as_texts,
    tag_spans,
    types_of,
    wrong_tags,
)
from hf_fewshot.tasks.task import STRING, Baseline, ClassColumn, Row, Shown, Sums, Task
from hf_fewshot.text.short_value import short

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import Episode


class Tagging(Task):
    """Named entity recognition.

    Tags are types alone (IO: a run of one type is one entity), or have B- and I- (BIO: B- begins another entity beside
    one of its type). Predictions are types alone; of BIO data they may have B- and I- as well.
    """

    name = "tagging"
    columns: ClassVar[dict[str, Any]] = {"id": STRING, "tokens": List(STRING), "tags": List(STRING)}
    class_columns = (ClassColumn("tags", is_tags=True, answer="entities"),)
    measure = "f1"
    hub_task = "token-classification"
    representations = ("words",)
    pipeline = "few-shot-ner"
    pipeline_example = (
        '[{"tokens": ["Anna", "lives", "in", "Paris"], "tags": ["person", "O", "O", "place"]}]',
        '["Tom works in Rome"]',
    )
    query_example = '"Rome lies in Italy."'
    baselines: ClassVar[dict[str, Baseline]] = {"no_entity": no_entity, "seen_words": seen_words("tags")}
    query_fields = ("sentence",)
    episode_fields = ("types",)
    analysis = "hf_fewshot.analyses.types:analyse"
    told = (
        "Mark every entity of the types {types} in each sentence: select its words, then choose its type. Leave a "
        "sentence without such an entity unmarked."
    )
    marks_measure = "f1"

    def references(self, examples: Dataset, episodes: Iterable["Episode"]) -> Iterator[list[Any]]:
        """An entity of a type that its episode does not have is O: so it is in training, and in Few-NERD's splits."""
        column = examples["tags"][:]
        types = types_of(column)
        for episode in episodes:
            known = {tag: tag if name in episode.classes else OUTSIDE for tag, name in types.items()}
            yield [[known[tag] for tag in column[row]] for row in episode.query]

    def wrong(self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str]) -> str:
        of_bio = {f"{prefix}{name}" for name in classes for prefix in PREFIXES}
        problem = wrong_tags(prediction, len(example["tokens"]), {*classes, *of_bio, UNPARSED})
        if not problem and of_bio.intersection(prediction) and {*classes}.intersection(prediction):
            return "some tags have B- or I-, others have not"
        return problem

    def score(
        self, predictions: list[Any], references: list[Any], groups: Sequence[int] | np.ndarray, **options: Any
    ) -> Row:
        """Entity F1: runs of types, or chunks of BIO tags; without a scheme, as the references have them."""
        found, right = ({tag for tags in column for tag in tags} for column in (predictions, references))
        scheme = options.pop("scheme", None) or scheme_of(right)
        if scheme == "bio":
            predictions = [prefixed(tags) for tags in predictions]
        for tag in sorted(found - right) if scheme == "io" else ():
            if tag.startswith(PREFIXES) and tag[2:] in right:
                raise ValueError(
                    f"Expected predictions as the references are, types alone (IO), got {short(tag)}. Leave B- and I- "
                    "out."
                )
        options["scheme"] = scheme
        return resolve("hf_fewshot.metrics.entity_f1.scoring:score")(predictions, references, groups=groups, **options)

    def scored_by(self, examples: Dataset) -> dict[str, Any]:
        return {"scheme": scheme_of({tag for tags in examples["tags"][:] for tag in tags})}

    def sums(self, found: Mapping[str, Any], units: Sequence[str], sizes: Sequence[int], pairs: Any) -> Sums:
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
        return list(zip(bare(reference), bare(prediction), strict=True))

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

    def form(self, example: Example, classes: Sequence[str], words: Mapping[str, str]) -> Form:
        part = part_of_words("sentence", example["tokens"])
        return Form((part,), marking=Marking("Entities", tuple(classes)))

    def filled(self, answer: Answer, example: Example, classes: Sequence[str], **scored_by: Any) -> Any:
        part = part_of_words("sentence", example["tokens"])
        return tags_of(part, answer.marks, classes, scored_by["scheme"] == "bio")

    def answered(
        self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str], **scored_by: Any
    ) -> Answer:
        part = part_of_words("sentence", example["tokens"])
        return Answer(marks=tags_marked(part, prediction, scored_by["scheme"] == "bio"))

    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        return {"sentence": joiner(example["tokens"]).join(example["tokens"])}

    def describe(self, classes: Sequence[str], group: str, words: Mapping[str, str] | None) -> dict[str, str]:
        return {"types": ", ".join(classes)}

    def answer(self, example: Mapping[str, Any], classes: Sequence[str]) -> tuple[str, str]:
        return json.dumps(spans_as_texts(example["tokens"], example["tags"], classes), ensure_ascii=False), ""

    def answer_schema(self, classes: Sequence[str], words: Mapping[str, str] | None) -> dict[str, Any]:
        return list_of(object_of(text=TEXT, type=one_of(classes)))

    def read(self, text: str, example: Mapping[str, Any], classes: Sequence[str]) -> Parsed | None:
        strict = parse_entities(text, example["tokens"], classes)
        tagged = strict or loose_entities(text, example["tokens"], classes)
        return None if tagged is None else Parsed(tagged[0], unplaced=tagged[1], loose=strict is None)

    def unparsed(self, example: Mapping[str, Any]) -> Any:
        """An entity too many in every word."""
        return [UNPARSED] * len(example["tokens"])
