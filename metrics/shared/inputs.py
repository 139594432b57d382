"""What a user hands to a metric: checked, and turned into integer arrays in one pass."""

from collections import defaultdict, deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

EXAMPLES_HELP = "one entry per example; predictions and references in the same order."
LABELS_HELP = """\
    Labels are strings, or class ids (whole numbers): the same kind in predictions and references.
    label_names (list of str, optional): the name of each class id, in the order of the ids."""

BYTE_CODES = 256
# Sentences are read in blocks that fit into the processor's cache: they come from memory once, not at each step.
BLOCK_ROWS = 1024


def shown(value: Any, limit: int = 60) -> str:
    """`value` as an error message shows it: readable, and short."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def one_of(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """Raises unless the option `name` has one of its allowed values."""
    if value not in allowed:
        choices = ", ".join(map(repr, allowed))
        raise ValueError(f"{name}={shown(value)} is not known. Give one of {choices}.")


def as_list(name: str, values: Any) -> Sequence[Any]:
    """`values` as a list or tuple; arrays, tensors and columns of a dataset are converted."""
    if isinstance(values, list | tuple):
        return values
    if isinstance(values, str | bytes | dict) or not hasattr(values, "__len__"):
        raise TypeError(
            f"{name} must be a list with one entry per example, got {type(values).__name__} {shown(values)}."
        )
    return values.tolist() if hasattr(values, "tolist") else list(values)


def as_pair(predictions: Any, references: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    """Both inputs as lists of the same length, not empty."""
    predictions, references = as_list("predictions", predictions), as_list("references", references)
    if len(predictions) != len(references):
        raise ValueError(
            f"{len(predictions)} predictions for {len(references)} references. "
            "Give exactly one prediction per reference, in the same order."
        )
    if not references:
        raise ValueError("predictions and references are empty: nothing to score. Give at least one example.")
    return predictions, references


class Vocabulary:
    """Codes for labels, given in order of first appearance."""

    def __init__(self) -> None:
        self._codes: dict[Any, int] = defaultdict()
        # A label that is looked up for the first time gets the next code: encoding never runs Python code per token.
        self._codes.default_factory = self._codes.__len__

    @property
    def labels(self) -> list[Any]:
        """The distinct labels; the position of a label is its code."""
        return list(self._codes)

    def encode(self, name: str, labels: Sequence[Any]) -> np.ndarray:
        """The codes of the labels. Shape (n_labels,)."""
        code_of = self._codes.__getitem__
        try:
            if len(self._codes) <= BYTE_CODES:
                # Bytes are the fastest way from Python to an array, while there are few enough labels.
                with suppress(ValueError):
                    return np.frombuffer(bytes(map(code_of, labels)), dtype=np.uint8)
            return np.fromiter(map(code_of, labels), dtype=np.int32, count=len(labels))
        except TypeError as error:
            raise TypeError(f"{name} are nested too deep: a label must be a string or a class id ({error}).") from None

    def check(self) -> bool:
        """True where the labels are class ids, False where they are strings; raises for anything else."""
        examples: dict[type, str] = {}
        for label in self._codes:
            if isinstance(label, bool | np.bool_) or not isinstance(label, str | int | np.integer):
                raise TypeError(
                    f"Labels must be strings or class ids (whole numbers), got {type(label).__name__} {shown(label)}. "
                    "Convert predictions and references first."
                )
            examples.setdefault(str if isinstance(label, str) else int, shown(label))
        if len(examples) > 1:
            raise TypeError(
                f"Labels mix strings and class ids, such as {examples[str]} and {examples[int]}. "
                "Give predictions and references both as strings or both as class ids."
            )
        return int in examples


@dataclass(frozen=True)
class Encoded:
    """Predictions and references as codes into one list of labels."""

    labels: list[Any]
    are_ids: bool
    predictions: np.ndarray  # (n_labels,)
    references: np.ndarray  # (n_labels,)
    lengths: np.ndarray  # (n_examples,): how many labels each example has


def flatten(name: str, rows: Sequence[Any], noun: str, first: int = 0) -> tuple[list[Any], np.ndarray]:
    """All entries of all rows, one after the other, and the length of each row; errors count rows from `first`."""
    if not set(map(type, rows)) <= {list, tuple}:
        rows = [_as_row(f"{name}[{index}]", row, noun) for index, row in enumerate(rows, first)]
    entries: list[Any] = []
    deque(map(entries.extend, rows), maxlen=0)  # runs the map, and copies whole rows: faster than itertools.chain
    return entries, np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))


def _as_row(name: str, row: Any, noun: str) -> Sequence[Any]:
    if isinstance(row, list | tuple):
        return row
    if getattr(row, "ndim", 0) == 1:
        return row.tolist()
    raise TypeError(f"{name} must be a list of {noun}, got {type(row).__name__} {shown(row)}. Write it as [...].")


def encode_labels(predictions: Any, references: Any) -> Encoded:
    """Encodes one label per example."""
    predictions, references = as_pair(predictions, references)
    vocabulary = Vocabulary()
    gold = vocabulary.encode("references", references)
    found = vocabulary.encode("predictions", predictions)
    return Encoded(vocabulary.labels, vocabulary.check(), found, gold, np.ones(len(references), dtype=np.int64))


def _encode_rows(name: str, rows: Sequence[Any], vocabulary: Vocabulary) -> tuple[np.ndarray, np.ndarray]:
    """The codes of all tags of all rows, one after the other, and the length of each row."""
    codes, lengths = [], []
    for first in range(0, len(rows), BLOCK_ROWS):
        tags, block_lengths = flatten(name, rows[first : first + BLOCK_ROWS], "tags", first)
        codes.append(vocabulary.encode(name, tags))
        lengths.append(block_lengths)
    return np.concatenate(codes), np.concatenate(lengths)


def encode_tags(predictions: Any, references: Any) -> Encoded:
    """Encodes one list of tags per sentence; both lists of a sentence must be of the same length."""
    predictions, references = as_pair(predictions, references)
    vocabulary = Vocabulary()
    gold, lengths = _encode_rows("references", references, vocabulary)
    found, found_lengths = _encode_rows("predictions", predictions, vocabulary)
    unequal = np.flatnonzero(lengths != found_lengths)
    if unequal.size:
        first = unequal[0]
        raise ValueError(
            f"predictions[{first}] has {found_lengths[first]} tags, references[{first}] has {lengths[first]} "
            f"({unequal.size} of {len(lengths)} sentences differ). Give one tag per token; cut off padding first."
        )
    return Encoded(vocabulary.labels, vocabulary.check(), found, gold, lengths)


def names_of(encoded: Encoded, label_names: Sequence[str] | None) -> list[str]:
    """The name of each label. Class ids take theirs from `label_names`; without it their numbers are their names."""
    if not encoded.are_ids or label_names is None:
        return list(map(str, encoded.labels))
    strange = [label for label in encoded.labels if not 0 <= label < len(label_names)]
    if strange:
        raise ValueError(
            f"Class id {strange[0]} has no name: label_names has {len(label_names)} names, for ids 0 to "
            f"{len(label_names) - 1}. Give all names; remove padding such as -100 first."
        )
    return [label_names[label] for label in encoded.labels]
