"""Predictions for FewRel's hidden test set, in the form of its evaluation.

The input is a JSON list of `{"meta_train": [[instances of a class], ...], "meta_test": instance}`, whose relations are
not told; the submission is the list of the numbers of the predicted classes, -1 for none of the above.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hf_fewshot.dataset_scripts.fewrel.fewrel import read_instance
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.episode_table import EpisodeTable
from hf_fewshot.files.raw_files import RawFileError, read_json, require_keys, shown
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.tasks.labels import NOTA
from hf_fewshot.tasks.schemas import example_features, table_of

NONE = -1


def read_test_input(path: str | Path) -> EpisodeSet:
    """The questions of a test input file as episodes of one query; the classes of each are called 0, 1, ..."""
    path = Path(path)
    rows: dict[str, dict[str, Any]] = {}
    number: dict[str, int] = {}

    def row_of(place: str, name: str, item: Any) -> int:
        # Sentences come again in other episodes: they are kept, and later encoded, once for each class.
        key = f"{name} {json.dumps(item, sort_keys=True)}"
        if key not in number:
            number[key] = len(number)
            rows[key] = read_instance(path, place, f"{path.stem}-{number[key]}", name, item)
        return number[key]

    episodes = EpisodeTable()
    for position, item in enumerate(read_json(path, list), start=1):
        place = f"question {position}"
        require_keys(path, place, item, "meta_train", "meta_test")
        classes = item["meta_train"]
        if not isinstance(classes, list) or not all(isinstance(own, list) and own for own in classes) or not classes:
            raise RawFileError(path, place, "meta_train as lists of instances, one for each class", shown(classes))
        support = [row_of(place, str(number), one) for number, own in enumerate(classes) for one in own]
        # What its relation is nobody says; it stands for none of the classes until it is predicted.
        query = row_of(place, NOTA, item["meta_test"])
        names = tuple(str(number) for number in range(len(classes)))
        episodes.append(Episode(names, tuple(support), (query,)))
    table = table_of(rows.values(), example_features("relation"))
    return EpisodeSet("relation", table, episodes, len(episodes), None, {"episodes": "given"})


def write_submission(path: str | Path, predictions: Sequence[Sequence[str]]) -> None:
    """The predictions for the episodes of `read_test_input`, in their order, as a submission."""
    numbers = [NONE if own == NOTA else int(own) for (own,) in predictions]
    with whole_file(Path(path)) as unfinished:
        unfinished.write_text(json.dumps(numbers), encoding="utf-8")
