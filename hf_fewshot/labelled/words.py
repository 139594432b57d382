"""A text as words with their places, punctuation apart."""

import unicodedata
from functools import cache

# Scripts without spaces between words whose characters are words of their own, as tokenizers have it.
ALONE = (("\u3040", "\u30ff"), ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"), ("𠀀", "𯿿"))
ZERO_WIDTH_SPACE = "\u200b"

_LETTER, _SINGLE, _MARK, _NONE = range(4)


def split_words(text: str) -> list[tuple[int, int]]:
    """The words of a text as (first character, character after the last).

    A word is a run of letters and digits, a Chinese or Japanese character, or any other single character that is
    neither white space nor a control character. What only changes a character (an accent, a joiner) belongs to it.
    """
    spans: list[tuple[int, int]] = []
    in_run = False
    for position, character in enumerate(text):
        kind = _kind(character)
        touches = bool(spans) and spans[-1][1] == position
        if touches and (kind == _MARK or (kind == _LETTER and in_run)):
            spans[-1] = (spans[-1][0], position + 1)
        elif kind in (_LETTER, _SINGLE):
            spans.append((position, position + 1))
            in_run = kind == _LETTER
    return spans


@cache
def _kind(character: str) -> int:
    if character.isspace() or character == ZERO_WIDTH_SPACE:
        return _NONE
    category = unicodedata.category(character)
    if category.startswith("M") or category == "Cf":
        return _MARK
    if category in ("Cc", "Cs"):
        return _NONE
    is_run = character.isalnum() and not any(first <= character <= last for first, last in ALONE)
    return _LETTER if is_run else _SINGLE
