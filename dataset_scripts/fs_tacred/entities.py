"""Instances whose entities are names, and as many others (Sabo et al., 2021, Section 7.1).

TACRED's entities are also pronouns, titles, dates and numbers. What is a name is read off its column `stanford_ner`.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from hf_fewshot.files.raw_files import RawFileError, require_keys, shown

COLUMN = "stanford_ner"
NAMES = ("PERSON", "ORGANIZATION", "LOCATION", "MISC")


def has_names(path: Any, place: str, item: Any) -> bool:
    """Whether every word of both entities is tagged as part of a name."""
    require_keys(path, place, item, COLUMN)
    tags = item[COLUMN]
    if not isinstance(tags, list) or len(tags) != len(item["token"]):
        raise RawFileError(path, place, f"{COLUMN} as a tag for each of {len(item['token'])} tokens", shown(tags))
    spans = [tags[item[f"{side}_start"] : item[f"{side}_end"] + 1] for side in ("subj", "obj")]
    return all(tag in NAMES for span in spans for tag in span)


def matched(relations: Sequence[str], named: Sequence[bool]) -> list[int]:
    """Rows, drawn from all, that have each relation as often as the rows with names have it; always the same ones."""
    wanted = Counter(relation for relation, is_named in zip(relations, named, strict=True) if is_named)
    kept = []
    for number in np.random.default_rng(0).permutation(len(relations)).tolist():
        if wanted[relations[number]] > 0:
            wanted[relations[number]] -= 1
            kept.append(number)
    return sorted(kept)
