"""A published score: what was measured, on what, and where it is written."""

from dataclasses import dataclass
from typing import Any


class PublishedError(ValueError):
    """A file of published numbers says something that cannot be used."""


@dataclass(frozen=True)
class PublishedScore:
    """One system in one setting.

    Args:
        benchmark: its name in the registry.
        config: its configuration.
        data: the options of `load_dataset` that the publication fixes, such as `{"n_way": 5, "shots": 1}`.
        split: the split that was predicted.
        system: its name in the publication.
        encoder: the pretrained model; None for people.
        scores: in percent, by the names our metrics give them.
        std: in percent, of those measures for which it is known; over what, a remark or the source says.
        source: publication and table.
        data_version: which generation of the data, in words; that the source does not say it, where it does not.
        remarks: what a reader must know to compare.
        other_data: the name of the data where it is not what the benchmark has, such as CoNLL'03 in a table beside it;
            no run stands beside such a score. None: the benchmark's own.
    """

    benchmark: str
    config: str
    data: dict[str, Any]
    split: str
    system: str
    encoder: str | None
    scores: dict[str, float]
    std: dict[str, float]
    source: str
    data_version: str
    remarks: tuple[str, ...]
    other_data: str | None = None
