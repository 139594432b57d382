"""How much two texts share of their rare words: BM25."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

# The usual values of Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework", section 3.
K1, B = 1.2, 0.75
# Words; a character of a script without white space is one by itself.
_TERM = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff]+"
)


def terms(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return _TERM.findall(text.casefold())


class BM25:
    """Scores of some texts, given as words, for any query.

    A word counts ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative, where n of N texts have it.
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.n_texts = len(texts)
        sizes = [len(text) for text in texts]
        mean = sum(sizes) / max(1, len(sizes)) or 1.0
        counts = [Counter(text) for text in texts]
        n_with = Counter(word for own in counts for word in own)
        self._weights: dict[str, list[tuple[int, float]]] = {}
        for number, own in enumerate(counts):
            for word, count in own.items():
                rarity = math.log(1 + (self.n_texts - n_with[word] + 0.5) / (n_with[word] + 0.5))
                share = count * (K1 + 1) / (count + K1 * (1 - B + B * sizes[number] / mean))
                self._weights.setdefault(word, []).append((number, rarity * share))

    def scores(self, query: Iterable[str]) -> np.ndarray:
        """The score of each text (texts,); each word of the query counts as often as it stands there."""
        found = np.zeros(self.n_texts)
        for word in query:
            for number, weight in self._weights.get(word, ()):
                found[number] += weight
        return found
