"""What tasks share whose examples have one label each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from datasets import Dataset, Value

from hf_fewshot.registry import resolve
from hf_fewshot.tasks.asked import Example
from hf_fewshot.tasks.form import Answer, Choice, Form
from hf_fewshot.tasks.labels import NOTA, UNPARSED
from hf_fewshot.tasks.parsed import Parsed
from hf_fewshot.tasks.task import Row, Shown, Task
from hf_fewshot.text.short_value import short

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import Episode


def one_class(column: str) -> Any:
    """The class with most support examples; of equals, the first."""

    def answer(support: Sequence[Row], queries: Sequence[Row]) -> list[str]:
        (label, _), *_ = Counter(row[column] for row in support).most_common(1)
        return [label] * len(queries)

    return answer


class OneLabel(Task):
    """Examples of one class; a query of a class that its episode does not have is none of the above."""

    column: ClassVar[str]
    has_none_of_the_above = True
    episode_fields = ("labels",)
    analysis = "hf_fewshot.analyses.classes:analyse"

    def member_columns(self) -> dict[str, Any]:
        """`target` says which of the episode's classes it is; their number stands for none of the above."""
        return {"target": Value("int32")}

    def members(self, rows: list[Row], classes: Sequence[str]) -> list[Row]:
        number = {name: i for i, name in enumerate(classes)}
        return [{**row, "target": number.get(row[self.column], len(classes))} for row in rows]

    def references(self, examples: Dataset, episodes: Iterable["Episode"]) -> Iterator[list[Any]]:
        labels = examples[self.column][:]
        for episode in episodes:
            yield [labels[row] if labels[row] in episode.classes else NOTA for row in episode.query]

    def wrong(self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str]) -> str:
        if isinstance(prediction, str) and (prediction in classes or prediction in (NOTA, UNPARSED)):
            return ""
        return f"class {short(prediction)} is none of {', '.join(sorted(classes))} or {NOTA}"

    def score(
        self, predictions: list[Any], references: list[Any], groups: Sequence[int] | np.ndarray, **options: Any
    ) -> Row:
        options.pop("compat", None)
        score = resolve("hf_fewshot.metrics.nota_f1.scoring:score")
        return score(predictions, references, nota_label=NOTA, groups=groups, **options)

    def with_reference(self, example: Row, reference: Any) -> Row:
        return {**example, self.column: reference}

    def shown_prediction(self, prediction: Any, example: Mapping[str, Any]) -> Shown:
        return Shown(self.shown(example).spans, prediction)

    def confused(self, reference: Any, prediction: Any) -> list[tuple[str, str]] | None:
        return [(reference, prediction)]

    def classes_in(self, support: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(example[self.column] for example in support))

    def label_words(
        self, given: Mapping[str, str], classes: Sequence[str], support: Sequence[Mapping[str, Any]], nota: str | None
    ) -> dict[str, str] | None:
        # FewRel's relations are numbers of Wikidata; their names are a column of their own.
        names = {one[self.column]: one["relation_name"] for one in support if one.get("relation_name")}
        words = {label: given.get(label, names.get(label, label)) for label in classes}
        return words if nota is None else {**words, NOTA: nota}

    def label(self, example: Mapping[str, Any]) -> str:
        return example[self.column]

    def answer(self, example: Mapping[str, Any], classes: Sequence[str]) -> tuple[str, str]:
        return self.label(example), self.label(example)

    def form(self, example: Example, classes: Sequence[str], words: Mapping[str, str]) -> Form:
        return replace(self.shown_form(example), choice=Choice(self.column.capitalize(), words))

    def shown_form(self, example: Example) -> Form:
        """What there is to read of an example."""
        raise self._no_form()

    def filled(self, answer: Answer, example: Example, classes: Sequence[str], **scored_by: Any) -> Any:
        return answer.label

    def answered(
        self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str], **scored_by: Any
    ) -> Answer:
        return Answer(prediction)

    def read(self, text: str, example: Mapping[str, Any], classes: Sequence[str]) -> Parsed | None:
        return None

    def unparsed(self, example: Mapping[str, Any]) -> Any:
        return UNPARSED
