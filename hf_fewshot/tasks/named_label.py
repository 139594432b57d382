"""The one label that a sentence of a model names."""

import re
from collections.abc import Mapping

from hf_fewshot.tasks.wrapped_answers import LONGEST, unfenced, whole_words

# Each label is replaced by a character of its own that nobody writes with.
FIRST = 0xE000
MOST_LABELS = 0xF8FF - FIRST
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
_SENTENCE = re.compile(r"[^.!?\u3002\uff01\uff1f\n]*[.!?\u3002\uff01\uff1f\n]?")
_WORD = re.compile(r"[\w'\u2019]+")
# With one of these, a sentence that names a label need not choose it.
_DOUBTS = """
    not no never none neither nor without hardly barely scarcely cannot unable unclear unlike instead opposite wrong
    incorrect than but if unless whether or either could might far
    nicht kein keine weder ob oder pas non ni jamais aucun aucune ou nunca ninguno si o
"""
DOUBTS = frozenset(_DOUBTS.split())
DOUBTING = re.compile("[\u4e0d\u6ca1\u672a\u65e0\u5426]|\u975e(?!\u5e38)")  # in Chinese; \u975e\u5e38 is "very"
# Between words and label stands little, so that a text of strangers takes no long time.
_DECLARED = re.compile(
    r"(?:answer|label|\u7b54\u6848|\u6807\u7b7e)[\s*_\"'`]{0,9}(?:\bis\b|\u662f|\u4e3a)?[\s:\uff1a=*_\"'`\u201c(\[{]{0,9}"
    r"([\ue000-\uf8ff])[\s*_\"'`\u201d)\]}]{0,9}(?=[.!\u3002\n]|$)"
)
_LEADING = re.compile(r"\W*[\ue000-\uf8ff][\s*_\"'`\u201d]*(?:[.,:;!\u3002\uff0c\u2013\u2014\n]|$)")


def named_label(text: str, words: Mapping[str, str]) -> str | None:
    """The label that a text names, where it names only that one, as whole words, and does not doubt it.

    A text that ends with "the answer is ..." may name others before. A sentence with a negation or a question chooses
    no label, unless the text begins with the label ("No, the claim is not true").
    """
    if not words or len(words) > MOST_LABELS:
        return None
    masked = _masked(text, words)
    labels = list(words)
    declared = _declared(masked)
    if declared is not None:
        return labels[ord(declared) - FIRST]
    found = set(_PRIVATE.findall(masked))
    if len(found) != 1:
        return None
    naming = [one for one in _SENTENCE.findall(masked) if _PRIVATE.search(one)]
    if not _LEADING.match(masked) and any(map(_doubts, naming)):
        return None
    return labels[ord(found.pop()) - FIRST]


def _masked(text: str, words: Mapping[str, str]) -> str:
    """The text with a character in place of each label; of labels in labels, the longest."""
    plain = _PRIVATE.sub(" ", unfenced(text[:LONGEST])).strip().casefold()
    folded = [word.strip().casefold() for word in words.values()]
    numbers = {" ".join(word.split()): number for number, word in enumerate(folded)}
    ordered = sorted(numbers, key=len, reverse=True)
    pattern = re.compile("|".join(map(whole_words, ordered)))
    return pattern.sub(lambda found: chr(FIRST + numbers[" ".join(found[0].split())]), plain)


def _declared(masked: str) -> str | None:
    """What the end of the text says to be the answer, and no other part of it says otherwise."""
    found = list(_DECLARED.finditer(masked))
    if len({one[1] for one in found}) != 1 or re.search(r"\w|[\ue000-\uf8ff]", masked[found[-1].end() :]):
        return None
    *_, before, _ = ("", *_SENTENCE.findall(masked[: found[-1].start()]))
    return None if _doubts(before) else found[-1][1]


def _doubts(sentence: str) -> bool:
    words = _WORD.findall(sentence)
    return (
        sentence.endswith(("?", "\uff1f"))
        or any(word in DOUBTS or word.endswith(("n't", "n\u2019t")) for word in words)
        or DOUBTING.search(sentence) is not None
    )
