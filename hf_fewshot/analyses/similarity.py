"""How similar types of entities are to an encoder (Few-NERD, Figure 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from datasets import Dataset

from hf_fewshot.analyses.charts import SimilarityChart
from hf_fewshot.analyses.findings import Cell, Findings, Sheet
from hf_fewshot.encoding.vectors import VectorModel, encode_examples
from hf_fewshot.tasks import Task
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import by_coarse_type, split_tags

MENTIONS = 100  # of each type, as in the paper


class Mention(NamedTuple):
    """Words of a sentence: its row, the first word, and the word after the last."""

    row: int
    start: int
    end: int


@dataclass(frozen=True)
class Similarities:
    """Types in the order of their coarse types, and the mean dot product over pairs of their mentions.

    Args:
        types: names (types,).
        n_mentions: how many were drawn of each (types,).
        values: (types, types); of a type with itself, over pairs of two different mentions.
    """

    types: tuple[str, ...]
    n_mentions: np.ndarray
    values: np.ndarray


def drawn_mentions(task: Task, sentences: Dataset, n_mentions: int, seed: int) -> dict[str, list[Mention]]:
    """Random mentions of each type; which ones is a function of the seed and the sentences.

    Of a type with fewer mentions all are taken; one with a single mention has no pair, and is left out.
    """
    column = next((one.name for one in task.class_columns if one.is_tags), None)
    if column is None:
        raise ValueError(f"Examples of task {task.name!r} have no tagged words. Give data with entities or slots.")
    if n_mentions < 2:
        raise ValueError(f"n_mentions={n_mentions}, but it takes two mentions to compare. Give at least 2.")
    drawn = {}
    for place, (name, mentions) in enumerate(_mentions(sentences[column][:]).items()):
        if len(mentions) > 1:
            size = min(n_mentions, len(mentions))
            chosen = np.random.default_rng([seed, place]).choice(len(mentions), size, replace=False)
            drawn[name] = [mentions[number] for number in sorted(chosen)]
    if not drawn:
        raise ValueError("No type has two mentions in these sentences: there is nothing to compare. Give other data.")
    return drawn


def _mentions(column: Sequence[Sequence[str]]) -> dict[str, list[Mention]]:
    """All mentions of each type, sorted by name. How tags are written is told from the whole column."""
    distinct = sorted({tag for tags in column for tag in tags})
    names, begins = split_tags(distinct)
    types, opens = dict(zip(distinct, names, strict=True)), dict(zip(distinct, begins, strict=True))
    found: dict[str, list[Mention]] = {name: [] for name in sorted(set(types.values()) - {OUTSIDE})}
    for row, tags in enumerate(column):
        before = OUTSIDE
        for word, tag in enumerate(tags):
            own = found.get(types[tag])
            if own is not None and types[tag] == before and not opens[tag]:
                own[-1] = own[-1]._replace(end=word + 1)
            elif own is not None:
                own.append(Mention(row, word, word + 1))
            before = types[tag]
    return found


def mean_dot_products(vectors: np.ndarray, types: np.ndarray) -> np.ndarray:
    """The mean dot product over all pairs of mentions of two types (types, types).

    That is the dot product of their mean vectors. Of a type with itself the pairs of a mention with itself do not
    count: with the sum s of n vectors it is (s . s - sum of v . v) / (n (n - 1)).

    Args:
        vectors: (mentions, dim).
        types: of each mention, the number of its type; each at least twice (mentions,).
    """
    counts = np.bincount(types)
    sums = np.zeros((len(counts), vectors.shape[1]))
    np.add.at(sums, types, vectors.astype(np.float64))
    means = sums / counts[:, None]
    found = means @ means.T
    with_itself = np.bincount(types, (vectors.astype(np.float64) ** 2).sum(axis=1))
    np.fill_diagonal(found, ((sums**2).sum(axis=1) - with_itself) / (counts * (counts - 1)))
    return found


def type_similarities(
    model: VectorModel,
    tokenizer: Any,
    task: Task,
    sentences: Dataset,
    *,
    n_mentions: int = MENTIONS,
    seed: int = 0,
    progress: bool = True,
) -> Similarities:
    """Encodes the sentences of random mentions once, and compares types.

    The vector of a mention is the mean of its words' vectors, that of a word the vector of its first piece.
    """
    drawn = drawn_mentions(task, sentences, n_mentions, seed)
    order = [name for names in by_coarse_type(drawn).values() for name in names]
    mentions = [mention for name in order for mention in drawn[name]]
    rows = sorted({mention.row for mention in mentions})
    place = {row: number for number, row in enumerate(rows)}
    examples = [{"tokens": task.words(row)} for row in sentences.select(rows)]
    vectors = encode_examples(model, tokenizer, examples, progress=progress)
    means = mention_vectors(vectors.values, vectors.offsets, [one._replace(row=place[one.row]) for one in mentions])
    sizes = np.array([len(drawn[name]) for name in order])
    return Similarities(tuple(order), sizes, mean_dot_products(means, np.repeat(np.arange(len(order)), sizes)))


def mention_vectors(words: np.ndarray, offsets: np.ndarray, mentions: Sequence[Mention]) -> np.ndarray:
    """The mean vector of the words of each mention (mentions, dim)."""
    starts = np.array([offsets[one.row] + one.start for one in mentions])
    sizes = np.array([one.end - one.start for one in mentions])
    ends = np.cumsum(sizes)
    places = np.repeat(starts - (ends - sizes), sizes) + np.arange(ends[-1])
    return np.add.reduceat(words[places].astype(np.float64), ends - sizes) / sizes[:, None]


def similarity_findings(benchmark: str, title: str, found: Similarities) -> Findings:
    """A heat map by coarse type, and the most similar other type of each."""
    grouped = by_coarse_type(found.types)
    others = np.where(np.eye(len(found.types), dtype=bool), -np.inf, found.values)
    rows: list[list[Cell]] = []
    for place, name in enumerate(found.types):
        nearest = int(others[place].argmax())
        near: list[Cell] = [found.types[nearest], float(found.values[place, nearest])] if len(found.types) > 1 else []
        own: list[Cell] = [name, int(found.n_mentions[place]), float(found.values[place, place])]
        rows.append([*own, *(near or [None, None])])
    heads = ["type", "mentions", "with itself", "most similar other type", "similarity"]
    note = (
        "Mean dot product over pairs of mentions; of a type with itself, of two different mentions. A mention is the "
        "mean of its words. Types with a single mention are left out."
    )
    values = tuple(map(tuple, found.values.tolist()))
    sections = {coarse: tuple(names) for coarse, names in grouped.items()}
    chart = SimilarityChart("Similarity of types", "mean dot product of mentions", sections, values)
    return Findings(benchmark, title, (Sheet.of("Similarity of types", heads, rows, note),), (chart,))
