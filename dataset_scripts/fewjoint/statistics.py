"""Tables 1 to 3 of FewJoint (Hou et al., 2020), of any data in its formats."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from datasets import Dataset, concatenate_datasets

from hf_fewshot.analyses.charts import BarChart, Chart
from hf_fewshot.analyses.class_counts import ClassCounts
from hf_fewshot.analyses.data_statistics import ALL, Splits, episodes_sheet
from hf_fewshot.analyses.episode_counts import episode_counts
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.dataset_scripts.fewjoint.fewjoint import SHOTS
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.files.sources import RawFilesNotFoundError


def statistics(found: Sequence[Splits]) -> tuple[list[Sheet], list[Chart]]:
    """Domains, utterances and labels by split; support and query sets by shots and split."""
    (read,) = found
    released = _released_by_shots(read)
    splits = _with_all_utterances(read, released)
    domains = {split: np.array(rows["domain"]) for split, rows in splits.examples.items()}
    sizes = {split: dict(zip(*np.unique(names, return_counts=True), strict=True)) for split, names in domains.items()}
    rows = [_labels(splits, domains, [split]) for split in domains]
    if len(domains) > 1:
        rows.append(_labels(splits, domains, list(domains)))
    heads = ["split", "utterances", "mean length", "domains", "intents", "intents per domain", "slots"]
    heads.append("slots per domain")
    note = "Intents and slots are those of a domain: one name in two domains counts twice, as in the paper."
    if splits.examples != read.examples:
        *others, last = map(str, released)
        note += f" Utterances are those of the episodes of {', '.join(others)} and {last} shots together."
    sheets = [
        Sheet.of(
            "Domains (Table 1)",
            ["split", "domains", "names"],
            [[split, len(own), " ".join(sorted(own))] for split, own in sizes.items()],
        ),
        Sheet.of("Utterances and labels (Table 2)", heads, rows, note),
    ]
    counted = {
        str(shots): {split: episode_counts(one) for split, one in episodes.items()}
        for shots, episodes in (released or {read.data.builder().config.shots: read.episodes}).items()
        if episodes
    }
    if counted:
        sheets.append(episodes_sheet(counted, "Support and query sets (Table 3)", "shots"))
    bars = {split: {name: float(n) for name, n in own.items()} for split, own in sizes.items()}
    return sheets, [BarChart("Utterances of each domain", "utterances", bars)]


def _labels(splits: Splits, domains: dict[str, Any], names: Sequence[str]) -> list[Cell]:
    n_domains = sum(len(np.unique(domains[name])) for name in names)
    words = np.concatenate([splits.lengths[name] for name in names])
    row: list[Cell] = [names[0] if len(names) == 1 else ALL, len(words), float(words.mean()), n_domains]
    slots, intents = (sum(_pairs(splits.counts[name][place], domains[name]) for name in names) for place in (0, 1))
    return [*row, intents, intents / n_domains, slots, slots / n_domains]


def _pairs(counts: ClassCounts, domains: np.ndarray) -> int:
    """How many pairs of a domain and a class of it there are."""
    _, number = np.unique(domains, return_inverse=True)
    index = counts.index
    return len(np.unique(number[index.example_of_entry] * len(index.classes) + index.class_ids))


def _released_by_shots(splits: Splits) -> dict[int, dict[str, EpisodeSet]]:
    """The released episodes of all numbers of shots that are at hand, if released ones were asked for."""
    if splits.data.builder().config.episodes != "released" or not _has_files_by_shots(splits):
        return {}
    by_shots = {shots: _released(splits, shots) for shots in SHOTS}
    return {shots: episodes for shots, episodes in by_shots.items() if episodes}


def _with_all_utterances(splits: Splits, released: Mapping[int, Mapping[str, EpisodeSet]]) -> Splits:
    """With those, too, that only episodes of other numbers of shots hold: their files have not quite the same ones."""
    examples = dict(splits.examples)
    for episodes in released.values():
        for split, one in episodes.items():
            own = examples.get(split, one.examples.select([]))
            known = set(_utterances(own))
            added = [row for row, utterance in enumerate(_utterances(one.examples)) if utterance not in known]
            if added:
                examples[split] = concatenate_datasets([own, one.examples.select(added)])
    return replace(splits, examples=examples)


def _utterances(examples: Dataset) -> Iterator[tuple[str, ...]]:
    """Domain and words of each example; raw items have other ids than the episodes that were made of them."""
    return ((domain, *tokens) for domain, tokens in zip(examples["domain"], examples["tokens"], strict=True))


def _has_files_by_shots(splits: Splits) -> bool:
    """Whether each number of shots has files of its own, as in the authors' layout."""
    paths = [splits.data.builder(shots=shots).raw_paths() for shots in SHOTS]
    return all(one != other for place, one in enumerate(paths) for other in paths[:place])


def _released(splits: Splits, shots: int) -> dict[str, EpisodeSet]:
    builder = splits.data.builder(shots=shots)
    if not builder.config.makes_episodes:
        return {}
    try:
        return {split: builder.episode_set(split) for split in builder.files}
    except RawFilesNotFoundError:
        return {}
