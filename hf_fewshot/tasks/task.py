"""A task: all that depends on what an example looks like and what is asked about it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from datasets import Dataset, Features, List, Value

from hf_fewshot.registry import unknown
from hf_fewshot.tasks.answer_schemas import one_of
from hf_fewshot.tasks.asked import AskedOfPeople
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.parsed import Parsed
from hf_fewshot.tasks.tags import Span

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import Episode, EpisodeSet

STRING = Value("string")
Row = dict[str, Any]
Baseline = Callable[[Sequence[Row], Sequence[Row]], list[Any]]


class ClassColumn(NamedTuple):
    """A column that says which classes an example holds: one label, or the types of its tags; with a prefix.

    `answer` is what a learner calls it in its answers.
    """

    name: str
    is_tags: bool = False
    prefix: str = ""
    answer: str = "label"


class Sums(NamedTuple):
    """The main measure as a ratio: the sum of the numerators over that of the denominators, one each per unit."""

    numerators: list[float]
    denominators: list[float]


class Shown(NamedTuple):
    """An example or a prediction to be looked at: spans of words, and a label for all of it."""

    spans: list[Span]
    label: str | None


class Task(AskedOfPeople, ABC):
    """The columns of a task, and what is right, checked, scored, shown and said of them; and asked of people.

    Attributes:
        name: by which episodes, records and formats know it.
        columns: of an example.
        class_columns: those that say which classes an example holds.
        measure: the main one, a ratio of sums over units.
        hub_task: the Hub's name for it.
        representations: which vectors of an example fit it, the usual one first; none where a model of its own does.
        pipeline: the name of its pipeline, and code for a card: support examples and queries.
        query_example: code for a card: what a learner is asked.
        has_none_of_the_above: whether a query may be of no class of its episode.
        baselines: trivial answers, from rows of support and query to predictions.
        query_fields: what a prompt may show of an example.
        prompt_format: the usual one, a name or the path of a YAML file; "" for that of the task's own name.
        episode_fields: what an instruction may say of an episode.
        analysis: "module:function" that looks into predictions (see `analyses.analysis`).
    """

    name: ClassVar[str]
    columns: ClassVar[dict[str, Any]]
    class_columns: ClassVar[tuple[ClassColumn, ...]] = ()
    measure: ClassVar[str]
    hub_task: ClassVar[str]
    representations: ClassVar[tuple[str, ...]] = ()
    pipeline: ClassVar[str | None] = None
    pipeline_example: ClassVar[tuple[str, str]] = ("[]", "[]")
    query_example: ClassVar[str] = '"When will it arrive?"'
    has_none_of_the_above: ClassVar[bool] = False
    baselines: ClassVar[dict[str, Baseline]]
    query_fields: ClassVar[tuple[str, ...]]
    prompt_format: ClassVar[str] = ""
    episode_fields: ClassVar[tuple[str, ...]]
    analysis: ClassVar[str] = "hf_fewshot.analyses.confused:analyse"

    def features(self, extra: Mapping[str, Any] | None = None) -> Features:
        """The columns of a table of examples, and those that a benchmark adds."""
        return Features({**self.columns, **(extra or {})})

    # Episodes as readable rows

    def episode_columns(self) -> dict[str, Any]:
        """What a row says of an episode beside its examples."""
        return {"index": Value("int64"), "classes": List(STRING)}

    def member_columns(self) -> dict[str, Any]:
        """What a row says of an example beside its own columns."""
        return {}

    def head(self, episode: "Episode") -> Row:
        """The values of these columns but the index."""
        return {"classes": list(episode.classes)}

    def classes_of(self, head: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
        """Back from these values: the classes of the episode, and its group."""
        return tuple(head["classes"]), ""

    def members(self, rows: list[Row], classes: Sequence[str]) -> list[Row]:
        """Examples as members of an episode."""
        return rows

    def class_names(self, classes: Iterable[str]) -> list[str]:
        """The classes of an episode as they are shown."""
        return list(classes)

    # What is right, and how near a prediction is

    @abstractmethod
    def references(self, examples: Dataset, episodes: Iterable["Episode"]) -> Iterator[list[Any]]:
        """What would be right for the queries of each episode, in the form of predictions."""

    @abstractmethod
    def wrong(self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str]) -> str:
        """What is wrong with the form of a prediction, in words; nothing if it is empty."""

    @abstractmethod
    def score(
        self, predictions: list[Any], references: list[Any], groups: Sequence[int] | np.ndarray, **options: Any
    ) -> Row:
        """All scores of the task; `groups` numbers what is resampled."""

    def scored_by(self, examples: Dataset) -> dict[str, Any]:
        """Options of `score` that the examples decide."""
        return {}

    def unit(self, n_episodes: int) -> str:
        """What is drawn independently, and so is resampled: episodes, domains, or questions of the only episode."""
        return "question" if n_episodes == 1 else "episode"

    def sums(
        self, found: Mapping[str, Any], units: Sequence[str], sizes: Sequence[int], pairs: Iterable[tuple[Any, Any]]
    ) -> Sums:
        """The main measure of each unit, whose name and number of queries are given, as a ratio.

        Args:
            found: scores with `per_group="columns"`.
            pairs: predictions and references of each unit, for tasks whose metric does not give them.
        """
        shares = self._of_units(found, units, self.measure)
        return Sums([share * size for share, size in zip(shares, sizes, strict=True)], list(map(float, sizes)))

    @staticmethod
    def _of_units(found: Mapping[str, Any], units: Sequence[str], measure: str) -> list[float]:
        columns = found["per_group"]
        value = dict(zip(columns["group"], columns[measure].tolist(), strict=True))
        return [float(value[name]) for name in units]

    @classmethod
    def _f1_sums(cls, found: Mapping[str, Any], units: Sequence[str]) -> Sums:
        """A micro F1 is twice the correct ones over all that is predicted and all that is right."""
        counts = ("n_correct", "n_predictions", "n_references")
        correct, predicted, gold = (cls._of_units(found, units, name) for name in counts)
        return Sums([2 * count for count in correct], [p + g for p, g in zip(predicted, gold, strict=True)])

    def baseline_predictions(self, name: str, episodes: "EpisodeSet") -> list[list[Any]]:
        """The answers of a trivial baseline to the queries of all episodes."""
        if name not in self.baselines:
            raise unknown(f"baseline of task {self.name!r}", name, self.baselines)
        rows = self.baseline_rows(episodes.examples)
        answer = self.baselines[name]
        return [answer([rows[n] for n in episode.support], [rows[n] for n in episode.query]) for episode in episodes]

    def baseline_rows(self, examples: Dataset) -> list[Row]:
        """The examples with labels as they are predicted."""
        return examples.to_list()

    # For people

    @abstractmethod
    def render(self, example: Mapping[str, Any]) -> str:
        """An example in one line."""

    @abstractmethod
    def words(self, example: Mapping[str, Any]) -> list[str]:
        """An example as words."""

    def n_words(self, example: Mapping[str, Any]) -> int:
        """How many of them are its own."""
        return len(self.words(example))

    @abstractmethod
    def shown(self, example: Mapping[str, Any]) -> Shown:
        """What is to be seen of an example."""

    @abstractmethod
    def with_reference(self, example: Row, reference: Any) -> Row:
        """An example with what is right within an episode: another class is none of the above."""

    @abstractmethod
    def shown_prediction(self, prediction: Any, example: Mapping[str, Any]) -> Shown:
        """What is to be seen of a prediction for an example."""

    @abstractmethod
    def confused(self, reference: Any, prediction: Any) -> list[tuple[str, str]] | None:
        """Pairs of the class that is right and the one that was taken for it; None where there is no such thing."""

    most_confused: ClassVar[int | None] = None  # with more classes there is no table of them

    # Examples of one's own, for the pipeline

    @property
    def label_columns(self) -> tuple[str, ...]:
        """The columns that a support example must have."""
        return tuple(column.name for column in reversed(self.class_columns))

    def given(self, item: Any) -> Row:
        """What somebody gives as a support example or query, in the columns of the task but its labels."""
        return {"tokens": words_given(item)}

    def unlabelled(self, example: Mapping[str, Any]) -> Row:
        """The labels of a query, which nobody knows."""
        columns = self.class_columns
        return {one.name: [OUTSIDE] * len(example["tokens"]) if one.is_tags else "" for one in columns}

    @property
    def read_as(self) -> str:
        """How a learner reads vectors off examples: words where they have tags, else what is usual."""
        return "words" if any(column.is_tags for column in self.class_columns) else self.representations[0]

    def named(self, name: str, text: str) -> Row | None:
        """An example of the class `name` that is only its name in words; None: examples are more than a text."""
        return None

    def classes_in(self, support: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """The classes that support examples show."""
        raise TypeError(f"Task {self.name!r} has no pipeline.")

    def presented(self, prediction: Any, example: Mapping[str, Any]) -> Any:
        """A prediction as the pipeline gives it."""
        return prediction

    # In words, and back

    @abstractmethod
    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        """What a prompt can show of an example."""

    def describe(self, classes: Sequence[str], group: str, words: Mapping[str, str] | None) -> dict[str, str]:
        """What an instruction can say of an episode."""
        return {"labels": ", ".join((words or {}).values())}

    def label_words(
        self, given: Mapping[str, str], classes: Sequence[str], support: Sequence[Mapping[str, Any]], nota: str | None
    ) -> dict[str, str] | None:
        """The word of each label, where the answer is one label; None where answers are free text.

        Args:
            given: words that a format chooses.
            nota: the word for none of the above, if it can be an answer.
        """
        return None

    def label(self, example: Mapping[str, Any]) -> str:
        """The label of an example, where the answer is one."""
        raise TypeError(f"Examples of task {self.name!r} have no single label.")

    @abstractmethod
    def answer(self, example: Mapping[str, Any], classes: Sequence[str]) -> tuple[str, str]:
        """The right answer as free text, and what it counts as where demonstrations are dropped."""

    def answer_schema(self, classes: Sequence[str], words: Mapping[str, str] | None) -> dict[str, Any]:
        """The JSON schema of an answer, for servers that hold a model to one; `read` takes what it allows.

        An answer of the type string is written without its quotes.

        Args:
            words: the word of each label, where the answer is one label.
        """
        return one_of((words or {}).values())

    @abstractmethod
    def read(self, text: str, example: Mapping[str, Any], classes: Sequence[str]) -> Parsed | None:
        """A free answer in words as a prediction; None if it cannot be read, or in more than one way."""

    def of_label(self, label: str) -> Any:
        """One label as a prediction."""
        return label

    @abstractmethod
    def unparsed(self, example: Mapping[str, Any]) -> Any:
        """The prediction where there is no answer: never right."""


def words_given(item: Any) -> list[str]:
    """The words of `{"tokens": [...]}`, of a list, or of a text that is split at white space."""
    if isinstance(item, str):
        return item.split()
    return list(item.get("tokens", []) if isinstance(item, dict) else item)
