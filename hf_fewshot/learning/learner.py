"""A classifier of one's own texts, entities, relations or utterances, from a few labelled examples."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from transformers import PreTrainedTokenizerBase

from hf_fewshot.embedded import model_place
from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.labelled.reading import read_labelled
from hf_fewshot.learning.answering import answers, classify
from hf_fewshot.learning.encoder_weights import EncoderWeights
from hf_fewshot.learning.example_encoder import ExampleEncoder
from hf_fewshot.learning.features import Features
from hf_fewshot.learning.fitted import Fitted, fit_heads
from hf_fewshot.learning.label_names import name_examples
from hf_fewshot.learning.options import TEXTS, TUNED, WORDS, LearnerOptions, Tuning
from hf_fewshot.learning.parts import Part, parts_of
from hf_fewshot.learning.queries import Query, read_query
from hf_fewshot.learning.saved import read_learner, write_learner
from hf_fewshot.learning.tuning import tune
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.registry import resolve
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.task import Task


class FewShotLearner:
    """Learns classes from a few labelled examples: of texts, of words (entities), of relations, of utterances.

        learner = FewShotLearner.from_encoder("all-MiniLM-L6-v2").fit([("I lost my card", "card lost"), ...])
        learner.predict("my card is gone")

    Args:
        model: reads vectors off an encoder in the way that fits the task (see `from_encoder`).
        tokenizer: the model's.
        task: such as "classification", "tagging", "relation", "joint".
        options: what is learned, and how.
    """

    def __init__(
        self,
        model: FewShotModel,
        tokenizer: PreTrainedTokenizerBase,
        task: str = "classification",
        options: LearnerOptions | None = None,
    ) -> None:
        self.task: Task = task_of(task)
        self.options = options or LearnerOptions()
        self.encode = ExampleEncoder(model, tokenizer)
        self.fitted: Fitted | None = None
        # Each tuning begins with the same weights.
        self.begun = EncoderWeights(model if self.options.head == TUNED else None)

    @classmethod
    def from_encoder(
        cls,
        encoder: str | Path,
        task: str = "classification",
        *,
        layers: int | None = None,
        max_length: int | None = None,
        **options: Any,
    ) -> Self:
        """A learner that has learned nothing yet.

        Args:
            encoder: an embedded one by name, a folder, or a Hub id.
            task: such as "classification", "tagging", "relation", "joint".
            layers: how many of the last layers are added up; None: the last one for texts, else four.
            max_length: tokens of a sequence; None: as many as the encoder reads itself for texts, else 128.
            options: those of `LearnerOptions`, such as head="logistic".
        """
        kind = task_of(task)
        if isinstance(options.get("tuning"), Mapping):
            options["tuning"] = from_mapping(Tuning, options["tuning"], "tuning")
        chosen = LearnerOptions(**options)
        model, tokenizer = FewShotModel.from_encoder(
            model_place(encoder),
            "proto",
            representation=kind.read_as,
            layers=layers or usual_layers(kind),
            max_length=max_length,
            similarity="cosine",
        )
        return cls(model, tokenizer, task, chosen)

    @property
    def model(self) -> FewShotModel:
        """The encoder, which `fit` tunes with head="tuned"."""
        return self.encode.model

    @property
    def tokenizer(self) -> PreTrainedTokenizerBase:
        """The encoder's."""
        return self.encode.tokenizer

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of all classes; of intents and slots, with what tells them apart."""
        found = []
        for part in self._learned().parts:
            own = part.classes[1:] if part.column.is_tags else part.classes
            found += [part.column.prefix + name for name in own]
        return tuple(found)

    def fit(self, examples: Any, *, columns: Mapping[str, str] | None = None, progress: bool = False) -> Self:
        """Learns from labelled examples, and from nothing that was learned before but the encoder's weights.

        Args:
            examples: (text, label) pairs, rows by name, a `Dataset`, a pandas `DataFrame`, or a file: CSV, JSONL,
                Parquet, CoNLL (see `hf_fewshot.labelled.read_labelled`).
            columns: names of its columns that differ from the task's, such as `{"label": "category"}`.
            progress: show a progress bar of the tuning.
        """
        return self.learn(read_labelled(examples, self.task.name, columns), progress=progress)

    def learn(self, rows: list[dict[str, Any]], *, progress: bool = False) -> Self:
        """The same, from rows with the columns of the task."""
        parts = parts_of(self.task, rows)
        if all(len(part.classes) < 2 for part in parts):
            raise ValueError(f"Expected examples of at least two classes, got only {parts[0].classes[0]!r}.")
        if self.options.head == TUNED:
            self.fitted = None  # what was learned before stands on other weights
            self.begun.restore(self.model)
            shown = [*rows, *self._names(parts)]
            tuning = self.options.tuning or usual_tuning(self.task)
            tune(self.encode, shown, parts, tuning, n_own=len(rows), progress=progress)
        return self._fit_heads(parts, rows, self.encode(rows))

    def add_examples(self, examples: Any, *, columns: Mapping[str, str] | None = None) -> Self:
        """Learns further examples, of known or new classes: heads are made anew, the encoder stays as it is."""
        fitted = self._learned()
        known = fitted.required_support("to add to them")
        added = read_labelled(examples, self.task.name, columns)
        taken = {row["id"] for row in known.examples}
        rows = [*known.examples, *({**row, "id": _free(row["id"], taken)} for row in added)]
        features = Features.joined([known.features, self.encode(rows[len(known.examples) :])])
        return self._fit_heads(parts_of(self.task, rows, fitted.parts), rows, features)

    def add_class(self, name: str, texts: Sequence[Any]) -> Self:
        """Learns a new class from texts, where an example has one label; of other tasks, see `add_examples`."""
        columns = self.task.class_columns
        if len(columns) != 1 or columns[0].is_tags:
            raise ValueError(
                f"An example of task {self.task.name!r} has more than one label. Use add_examples with whole examples."
            )
        if name in self.classes:
            raise ValueError(f"There is a class {name!r} already. Use add_examples for more of its examples.")
        given = [{"text": item} if isinstance(item, str) else dict(item) for item in texts]
        return self.add_examples([{**item, columns[0].name: name} for item in given])

    def _fit_heads(self, parts: tuple[Part, ...], rows: list[dict[str, Any]], features: Features) -> Self:
        names = self._names(parts)
        whole = Features.joined([features, self.encode(names)]) if names else features
        self.fitted = fit_heads(parts, [*rows, *names], whole, len(rows), self.options)
        return self

    def _names(self, parts: tuple[Part, ...]) -> list[dict[str, Any]]:
        """The names of classes as examples, where they count."""
        labels = [name for part in parts if not part.column.is_tags for name in part.classes]
        return name_examples(self.task, labels, self.options.label_names)

    def _learned(self) -> Fitted:
        if self.fitted is None:
            raise ValueError("This learner has learned nothing yet. Call fit(examples) first.")
        # Its model may have been moved to a GPU since.
        self.fitted = self.fitted.to(self.model.device)
        return self.fitted

    def check(self, query: Any) -> None:
        """Raises ValueError for what is no query of the task."""
        read_query(self.task, query)

    def predict(self, queries: Any) -> Any:
        """The answer to one query, or a list of those to a list: a label, the entities, or intent and slots."""
        if _is_one(queries):
            return self.predict([queries])[0]
        return [self._short(answer) for answer in self.answers(queries)]

    def answers(self, queries: Sequence[Any], nearest: int = 0) -> list[dict[str, Any]]:
        """Answers with their scores as plain values, and the `nearest` examples as their reason.

        `{"label", "score"}` of a text or relation, `{"entities": [{"type", "text", "start", "end", "score"}]}` of
        words (characters of the text), `{"intent", "score", "slots"}` of an utterance.
        """
        fitted = self._learned()
        read, features = self._read(queries)
        return answers(fitted, read, features, nearest)

    def predict_proba(self, queries: Sequence[Any]) -> Any:
        """The probability of each class: (queries, classes), of words a list of (words, 1 + classes) with O first.

        Where there are several columns of classes, a mapping from their names.
        """
        fitted = self._learned()
        _, features = self._read(queries)
        found = {}
        for one in classify(fitted, features):
            is_tags = one.part.column.is_tags
            ends = features.offsets[1:-1]
            found[one.part.column.name] = np.split(one.probabilities, ends) if is_tags else one.probabilities
        return found if len(found) > 1 else next(iter(found.values()))

    def _read(self, queries: Sequence[Any]) -> tuple[list[Query], Features]:
        if isinstance(queries, str | Mapping) or not queries:
            raise ValueError(f"Expected a list of queries, got {queries!r}.")
        read = [read_query(self.task, query, number) for number, query in enumerate(queries)]
        return read, self.encode([query.example for query in read])

    def _short(self, answer: dict[str, Any]) -> Any:
        """Of a label that label alone, of entities their list."""
        told = {column.answer: answer[column.answer] for column in self.task.class_columns}
        return told if len(told) > 1 else next(iter(told.values()))

    def save_pretrained(self, folder: str | Path, *, examples: bool = True) -> None:
        """Writes all that `from_pretrained` takes: encoder, tokenizer, heads, labels.

        Args:
            examples: write the labelled examples, too. Without them there are no reasons, and nothing can be added.
        """
        fitted = self._learned()
        kept = fitted if examples else replace(fitted, support=None)
        write_learner(Path(folder), self.model, self.tokenizer, self.task.name, self.options, kept)

    @classmethod
    def from_pretrained(cls, name_or_path: str | Path) -> Self:
        """A learner that `save_pretrained` or `push_to_hub` has written."""
        saved = read_learner(name_or_path)
        learner = cls(saved.model, saved.tokenizer, saved.task, saved.options)
        learner.fitted = saved.fitted
        return learner

    def push_to_hub(self, repo_id: str, *, examples: bool = True, **options: Any) -> Any:
        """Uploads what `save_pretrained` writes, with a card, as a model repository in one commit.

        Args:
            examples: upload the labelled examples, too.
            options: those of `hf_fewshot.hub.push_learner`, such as private, dry_run, license.
        """
        return resolve("hf_fewshot.hub.learners:push_learner")(self, repo_id, examples=examples, **options)


def usual_tuning(task: Task) -> Tuning:
    """How an encoder is tuned on examples of a task, if nothing else is said."""
    return TEXTS if task.read_as == "sentence" else WORDS


def usual_layers(task: Task) -> int:
    """How many of the last layers are added up: of whole texts the last one, else four, as Few-NERD has it."""
    return 1 if task.read_as == "sentence" else 4


def _is_one(queries: Any) -> bool:
    return isinstance(queries, str | Mapping)


def _free(identifier: str, taken: set[str]) -> str:
    """An id that no other example has."""
    number, found = 0, identifier
    while found in taken:
        number += 1
        found = f"{identifier}-{number}"
    taken.add(found)
    return found
