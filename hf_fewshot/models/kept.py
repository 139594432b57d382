"""The model that was read last, shared by the runs of this process that leave it as it is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import try_to_load_from_cache
from torch import nn


class LastRead:
    """One model with its tokenizer: with another one in between it would be read again, so memory holds one at a time.

    Its weights take no gradients: who trains or tunes reads a model of its own.
    """

    def __init__(self) -> None:
        self._key: Any = None
        self._value: Any = None

    def get(self, place: str | Path, options: Any, read: Callable[[], tuple[nn.Module, Any]]) -> tuple[Any, Any]:
        """What `read` gives, read anew only if place, files or options are others than before."""
        files = _files(place)
        key = (str(place), files, options)
        if self._key is not None and self._key == key:
            return self._value
        self.forget()
        before = torch.get_rng_state()
        model, tokenizer = read()
        # Where weights are missing they are drawn: every run must have those of its own seed.
        if files and torch.equal(before, torch.get_rng_state()):
            self._key, self._value = key, (model.requires_grad_(False), tokenizer)
        return model, tokenizer

    def forget(self) -> None:
        """Lets go of the model, before another takes memory."""
        self._key = self._value = None


def _files(place: str | Path) -> Any:
    """What tells whether files are still the same: names, sizes and times, or a commit of the Hub; empty: nothing."""
    folder = Path(place)
    if folder.is_dir():
        stats = {str(path): path.stat() for path in sorted(folder.rglob("*")) if path.is_file()}
        return tuple((path, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for path, one in stats.items())
    try:
        config = try_to_load_from_cache(str(place), "config.json")
    except ValueError:  # no name that the Hub could have
        return ""
    return config if isinstance(config, str) else ""


last_read = LastRead()
