"""S1, the score of CLUES: the F1 of two sets of answers, averaged over instances."""

import re
import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .groups import Bootstrap, Groups, PerGroup, pooled
from .inputs import Vocabulary, as_pair, flatten, one_of, shown

__all__ = ["encode", "score"]

ARTICLES = re.compile(r"\b(a|an|the)\b")
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad_form(answer: str) -> str:
    """Lower case, without punctuation, articles and surplus white space (Rajpurkar et al. 2016)."""
    return " ".join(ARTICLES.sub(" ", answer.lower().translate(NO_PUNCTUATION)).split())


NORMALIZERS: dict[str, Callable[[str], str]] = {"none": str, "squad": squad_form}


def score(
    predictions: Any,
    references: Any,
    *,
    normalize: str = "none",
    multi_reference: str = "set",
    per_instance: bool = False,
    groups: Sequence[Any] | None = None,
    per_group: PerGroup = False,
    confidence_level: float | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Scores one list of answers per instance; README.md describes the options and the results."""
    one_of("normalize", normalize, tuple(NORMALIZERS))
    one_of("multi_reference", multi_reference, ("set", "max"))
    bootstrap = Bootstrap(confidence_level, n_bootstrap, seed)
    vocabulary, columns = encode(predictions, references)
    n = len(columns[0][1])
    grouping = Groups.of(groups, n)

    found, gold = (_sets(codes, lengths, vocabulary, NORMALIZERS[normalize]) for codes, lengths in columns)
    size = len(vocabulary) or 1
    common = np.bincount(np.intersect1d(found, gold, assume_unique=True) // size, minlength=n)
    n_found, n_gold = np.bincount(found // size, minlength=n), np.bincount(gold // size, minlength=n)
    if multi_reference == "max":
        # The best of the F1s against each reference alone, all of which are one answer in other words.
        common, n_gold = np.minimum(common, 1), np.minimum(n_gold, 1)
    both_empty = n_found + n_gold == 0
    scores = np.where(both_empty, 1.0, 2 * common / np.where(both_empty, 1, n_found + n_gold))

    # Sorted, the sums of a group do not depend on the order in which several processes deliver its instances.
    order = np.argsort(scores, kind="stable")
    columns_of_sums = (scores[order], (n_gold == 0)[order], np.ones(n))
    rows = np.column_stack(
        [np.bincount(grouping.codes[order], column, minlength=len(grouping)) for column in columns_of_sums]
    )
    if not grouping.given:
        rows = rows[order]
    results: dict[str, Any] = pooled(rows, _measures, bootstrap) | {"n": n}
    if per_instance:
        results["per_instance"] = scores.tolist()
    return results | grouping.results(rows, _measures, per_group)


def encode(predictions: Any, references: Any) -> tuple[list[str], list[tuple[np.ndarray, np.ndarray]]]:
    """The distinct answers; of predictions and of references, the codes of all answers and the lengths of lists."""
    predictions, references = as_pair(predictions, references)
    vocabulary, columns = Vocabulary(), []
    for name, rows in (("predictions", predictions), ("references", references)):
        answers, lengths = flatten(name, rows, "answers")
        try:
            columns.append((vocabulary.encode(name, answers), lengths))
        except TypeError:
            raise TypeError(
                f"An answer in {name} is no string. Give each instance as a list of texts; of answers such as "
                "{'text': ..., 'answer_start': ...} give the text."
            ) from None
    strange = [answer for answer in vocabulary.labels if not isinstance(answer, str)]
    if strange:
        raise TypeError(
            f"Answers must be strings, got {type(strange[0]).__name__} {shown(strange[0])}. Convert them first."
        )
    return vocabulary.labels, columns


def _sets(codes: np.ndarray, lengths: np.ndarray, answers: list[str], normalizer: Callable[[str], str]) -> np.ndarray:
    """The set of answers of each instance, as sorted distinct numbers instance * n_answers + answer."""
    forms = [normalizer(answer) for answer in answers]
    position = {form: code for code, form in enumerate(forms)}
    merged = np.array([position[form] for form in forms], dtype=np.int64)
    says_something = np.array([bool(answer.strip()) for answer in answers], dtype=bool)
    instances = np.repeat(np.arange(len(lengths)), lengths)
    # [""] is how CLUES writes "no answer" in some tasks, [] in others.
    kept = says_something[codes]
    return np.unique(instances[kept] * (len(answers) or 1) + merged[codes[kept]])


def _measures(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of rows (sum of scores, instances without an answer, instances); no group is empty."""
    return {"s1": rows[:, 0] / rows[:, 2], "always_empty_s1": rows[:, 1] / rows[:, 2]}
