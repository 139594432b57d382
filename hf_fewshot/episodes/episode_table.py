"""Many episodes in little memory."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

# Of this process, so that a table can be copied and sent to others.
_KEEPING = Lock()


@dataclass(frozen=True, repr=False)
class Episode:
    """Class names and the row numbers of support and query in an examples table.

    Joint episodes name their classes `intent:...` and `slot:...`, and the domain is their `group`.
    """

    classes: tuple[str, ...]
    support: tuple[int, ...]
    query: tuple[int, ...]
    group: str = ""

    def __repr__(self) -> str:
        of_group = f", group {self.group!r}" if self.group else ""
        sizes = f"{len(self.support)} support, {len(self.query)} query"
        return f"Episode({len(self.classes)} classes, {sizes}{of_group})"


class NumberLists:
    """Lists of whole numbers one after the other in one array: four bytes a number, eight a list."""

    def __init__(self) -> None:
        self.values = array("i")
        self.ends = array("q", [0])

    def append(self, numbers: array) -> None:
        self.values.extend(numbers)
        self.ends.append(len(self.values))

    def __getitem__(self, index: int) -> array:
        return self.values[self.ends[index] : self.ends[index + 1]]


class EpisodeTable:
    """Episodes as arrays of numbers: about 80 bytes and four an example, a tenth of what the objects take.

    An `Episode` is made whenever one is asked for by its number, as a sampler makes it.
    """

    def __init__(self, episodes: Iterable[Episode] = ()) -> None:
        self._number: dict[str, int] = {}  # of class names and groups
        self._names: list[str] = []
        self._classes, self._support, self._query = NumberLists(), NumberLists(), NumberLists()
        self._groups = array("i")
        for episode in episodes:
            self.append(episode)

    def append(self, episode: Episode) -> None:
        """Adds an episode at the end; one that holds anything but numbers changes nothing."""
        parts = map(self._code, episode.classes), episode.support, episode.query
        numbers = [array("i", part) for part in parts]
        group = self._code(episode.group)
        for lists, own in zip((self._classes, self._support, self._query), numbers, strict=True):
            lists.append(own)
        self._groups.append(group)

    def keep(self, index: int, episode: Episode) -> None:
        """Adds the episode of a number if it is the next one; several threads may go through the same episodes."""
        with _KEEPING:
            if index == len(self):
                self.append(episode)

    def __len__(self) -> int:
        return len(self._groups)

    def __call__(self, number: int) -> Episode:
        names = self._names
        return Episode(
            tuple([names[code] for code in self._classes[number]]),
            tuple(self._support[number]),
            tuple(self._query[number]),
            names[self._groups[number]],
        )

    def _code(self, name: str) -> int:
        code = self._number.setdefault(name, len(self._names))
        if code == len(self._names):
            self._names.append(name)
        return code
