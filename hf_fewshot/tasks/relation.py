"""Two entities of a sentence and the relation between them."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from datasets import List, Value

from hf_fewshot.tasks.form import Form, part_of_words, spans_marked
from hf_fewshot.tasks.labels import NOTA
from hf_fewshot.tasks.one_label import OneLabel, one_class
from hf_fewshot.tasks.tags import Span, joiner, mark
from hf_fewshot.tasks.task import STRING, Baseline, ClassColumn, Row, Shown, Sums, words_given

# A mention is a half-open range of token positions. FewRel lists several mentions of an entity; methods use the first.
ENTITY = {
    "text": STRING,
    "id": STRING,
    "type": STRING,
    "mentions": List({"start": Value("int32"), "end": Value("int32")}),
}
SIDES = ("head", "tail")


def always_none(support: Sequence[Row], queries: Sequence[Row]) -> list[str]:
    """None of the above, whatever is asked."""
    return [NOTA] * len(queries)


class Relation(OneLabel):
    """Relation classification."""

    name = "relation"
    columns: ClassVar[dict[str, Any]] = {
        "id": STRING,
        "tokens": List(STRING),
        "head": ENTITY,
        "tail": ENTITY,
        "relation": STRING,
        "original_relation": STRING,
    }
    column = "relation"
    class_columns = (ClassColumn("relation"),)
    measure = "f1"
    hub_task = "text-classification"
    representations = ("markers", "mean", "pair")
    pipeline = "few-shot-relation-classification"
    pipeline_example = (
        """[
    {"tokens": ["Anna", "lives", "in", "Paris"], "head": {"start": 0, "end": 1}, "tail": {"start": 3, "end": 4},
     "relation": "lives in"},
    {"tokens": ["Tom", "works", "at", "Acme"], "head": {"start": 0, "end": 1}, "tail": {"start": 3, "end": 4},
     "relation": "works at"},
]""",
        '[{"tokens": ["Mia", "lives", "in", "Rome"], "head": {"start": 0, "end": 1}, "tail": {"start": 3, "end": 4}}]',
    )
    query_example = '{"text": "Mia lives in Rome", "head": {"start": 0, "end": 3}, "tail": {"start": 13, "end": 17}}'
    baselines: ClassVar[dict[str, Baseline]] = {"always_none": always_none, "one_class": one_class("relation")}
    query_fields = ("head", "sentence", "tail")
    analysis = "hf_fewshot.analyses.relations:analyse"
    told = (
        "Two things are marked in each sentence, the head and the tail. Choose the relation in which the head stands "
        "to the tail, as far as the sentence says it."
    )

    def sums(self, found: Mapping[str, Any], units: Sequence[str], sizes: Sequence[int], pairs: Any) -> Sums:
        return self._f1_sums(found, units)

    def render(self, example: Mapping[str, Any]) -> str:
        spans = _entities(example)
        apart = spans[0][1] <= spans[1][0] or spans[1][1] <= spans[0][0]
        sentence = mark(example["tokens"], spans) if apart else " ".join(example["tokens"])
        return f"{example['relation']}: {sentence}"

    def words(self, example: Mapping[str, Any]) -> list[str]:
        return example["tokens"]

    def shown(self, example: Mapping[str, Any]) -> Shown:
        return Shown(_entities(example), example["relation"])

    def shown_form(self, example: Mapping[str, Any]) -> Form:
        part = part_of_words("sentence", example["tokens"])
        return Form((part,), spans_marked(part, _entities(example)))

    def given(self, item: Any) -> Row:
        if not isinstance(item, dict) or "head" not in item or "tail" not in item:
            raise ValueError(f"Expected a relation instance with tokens, head and tail, got {item!r}.")
        return {"tokens": words_given(item), **{side: _entity(item[side]) for side in SIDES}}

    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        tokens, space = example["tokens"], joiner(example["tokens"])
        entities = {side: space.join(tokens[start:end]) for start, end, side in _entities(example)}
        return {"sentence": space.join(tokens), **entities}


def _entity(entity: Mapping[str, Any]) -> Row:
    mentions = entity.get("mentions") or [{"start": entity["start"], "end": entity["end"]}]
    return {"text": entity.get("text", ""), "id": "", "type": "", "mentions": mentions}


def _entities(example: Mapping[str, Any]) -> list[Span]:
    """The first mention of both entities."""
    mentions = [(side, example[side]["mentions"][0]) for side in SIDES]
    return [(mention["start"], mention["end"], side) for side, mention in mentions]
