"""Text of strangers, safe to print: names of classes, systems and files come from files of others."""

import unicodedata

# Controls, directional marks and other format characters, half characters, private use, line and paragraph separators.
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Format characters that words are written with: joiners of Indic scripts, Persian and emoji, the soft hyphen.
JOINERS = frozenset("\u200c\u200d\u00ad")


def visible(text: str, keep: str = "\n") -> str:
    """The text with every character that would move, hide or colour other text shown as its escape, never sent.

    Args:
        keep: characters that stay as they are.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one in keep or not _acts(one) else _escape(one) for one in text)


def _acts(character: str) -> bool:
    return (unicodedata.category(character) in INVISIBLE and character not in JOINERS) or _is_none(ord(character))


def _is_none(code: int) -> bool:
    """Whether a code stands for no character, now and ever: XML must not hold it."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
