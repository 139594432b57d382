"""Tables of names that plugins add to, and which of them was meant."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from difflib import get_close_matches
from typing import Generic, TypeVar

from hf_fewshot.plugins import load_plugins

T = TypeVar("T")


class Names(MutableMapping[str, T], Generic[T]):
    """What names stand for. Those of plugins are there as soon as somebody asks for them, or for all names."""

    def __init__(self, own: Mapping[str, T]) -> None:
        self._known = dict(own)

    def __getitem__(self, name: str) -> T:
        if name not in self._known:
            load_plugins()
        return self._known[name]

    def __setitem__(self, name: str, meaning: T) -> None:
        self._known[name] = meaning

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        load_plugins()
        return iter(self._known)

    def __len__(self) -> int:
        load_plugins()
        return len(self._known)


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that was meant, however it is capitalised, if one is near."""
    by_case = {one.casefold(): one for one in known}
    close = get_close_matches(name.casefold(), by_case, n=1, cutoff=cutoff)
    return by_case[close[0]] if close else None
