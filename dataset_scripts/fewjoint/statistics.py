"""Tables 1 to 3 of FewJoint (Hou et al., 2020), of any data in its formats."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hf_fewshot.analyses.charts import BarChart, Chart
from hf_fewshot.analyses.class_counts import ClassCounts
from hf_fewshot.analyses.data_statistics import ALL, Splits, episodes_sheet
from hf_fewshot.analyses.episode_counts import EpisodeCounts, episode_counts
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.dataset_scripts.fewjoint.fewjoint import SHOTS
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.files.sources import RawFilesNotFoundError


def statistics(found: Sequence[Splits]) -> tuple[list[Sheet], list[Chart]]:
    """Domains, utterances and labels by split; support and query sets by shots and split."""
    (splits,) = found
    domains = {split: np.array(rows["domain"]) for split, rows in splits.examples.items()}
    sizes = {split: dict(zip(*np.unique(names, return_counts=True), strict=True)) for split, names in domains.items()}
    rows = [_labels(splits, domains, [split]) for split in domains]
    if len(domains) > 1:
        rows.append(_labels(splits, domains, list(domains)))
    heads = ["split", "utterances", "mean length", "domains", "intents", "intents per domain", "slots"]
    heads.append("slots per domain")
    note = "Intents and slots are those of a domain: one name in two domains counts twice, as in the paper."
    sheets = [
        Sheet.of(
            "Domains (Table 1)",
            ["split", "domains", "names"],
            [[split, len(own), " ".join(sorted(own))] for split, own in sizes.items()],
        ),
        Sheet.of("Utterances and labels (Table 2)", heads, rows, note),
    ]
    counted = _by_shots(splits)
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


def _by_shots(splits: Splits) -> dict[str, dict[str, EpisodeCounts]]:
    """The released episodes of all numbers of shots that are at hand; else those that were asked for, if any."""
    config = splits.data.builder().config
    if config.episodes == "released" and _has_files_by_shots(splits):
        by_shots = {shots: _released(splits, shots) for shots in SHOTS}
    else:
        by_shots = {config.shots: splits.episodes}
    return {
        str(shots): {split: episode_counts(one) for split, one in episodes.items()}
        for shots, episodes in by_shots.items()
        if episodes
    }


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
