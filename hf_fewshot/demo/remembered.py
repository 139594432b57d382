"""Texts that were encoded are not encoded again."""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from hf_fewshot.learning.example_encoder import ExampleEncoder
from hf_fewshot.learning.features import Features

# How many vectors are kept: 30 MB of a small encoder, 60 MB of a base one.
MOST_VECTORS = 20_000


class RememberedEncoder(ExampleEncoder):
    """Keeps the vectors of the examples it has read last; of words, one for each."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._kept: OrderedDict[str, torch.Tensor] = OrderedDict()
        self._size = 0

    def __call__(self, examples: Sequence[Mapping[str, Any]]) -> Features:
        keys = [_key(example) for example in examples]
        found = {key: self._kept[key] for key in keys if key in self._kept}
        new = {key: dict(example) for key, example in zip(keys, examples, strict=True) if key not in found}
        if new:
            features = self.features(self.read(list(new.values())))
            starts = features.offsets
            found |= {key: features.rows[starts[n] : starts[n + 1]].clone() for n, key in enumerate(new)}
        for key in keys:
            self._keep(key, found[key])
        lengths = [len(found[key]) for key in keys]
        return Features(torch.cat([found[key] for key in keys]), np.concatenate([[0], np.cumsum(lengths)]))

    def _keep(self, key: str, rows: torch.Tensor) -> None:
        if key not in self._kept:
            self._kept[key] = rows
            self._size += len(rows)
        self._kept.move_to_end(key)
        while self._size > MOST_VECTORS:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)


def _key(example: Mapping[str, Any]) -> str:
    """What an encoder reads of an example: its words, and where its entities stand."""
    read = {name: value for name, value in example.items() if name in ("text", "tokens")}
    places = {name: value["mentions"][:1] for name, value in example.items() if isinstance(value, Mapping)}
    return json.dumps([read, places])
