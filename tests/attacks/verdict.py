"""How an attack ended, and whether it may end so."""

import re
from dataclasses import dataclass
from enum import StrEnum

MEMORY_LIMIT = 1 << 30  # bytes that an input of a few kilobytes may take on top
# Sent to a terminal, these clear it, name its window, ring or turn text around.
ACTING = re.compile("\x1b\\[2J|\x1b\\]0;|\x07|\x9b|\u202e|\x00")
# What ends a command: of ours, or of argparse for one of our commands; a bar may stand before it.
MESSAGE = re.compile(r"hf-fewshot[a-z ]*: (error: )?\S[\s\S]{9,}")
PLACE = re.compile(r"[^/]+\.py\W+line \d+, in \w+")
# Words of Python and of libraries that begin a message: nobody has said which file or option they are about.
BARE = re.compile(
    r"hf-fewshot: (Expecting |Extra data|Invalid (control|\\)|Unexpected UTF|'[\w-]+' codec can't|not enough values"
    r"|too many values|invalid literal|could not convert|list index|'?\w+'? object|unhashable"
    r"|Error while deserializing|data did not match|expected `|lone leading|EOF while|math domain|cannot convert float"
    r"|zip\(\) argument|'[^']*' is not in list)"
)
BUG = re.compile(r"Traceback \(most recent call last\)|this is a bug", re.IGNORECASE)


class End(StrEnum):
    """The ends of an attack; the first two are right."""

    FINE = "fine"
    SENTENCE = "sentence"
    TRACEBACK = "traceback"
    HANG = "hang"
    WRONG_NUMBER = "wrong number"
    ESCAPE = "escape"  # of control characters, markup, secrets or files from where they belong
    MEMORY = "memory"


RIGHT = (End.FINE, End.SENTENCE)


@dataclass(frozen=True)
class Call:
    """A command that has ended: its exit code, what it wrote, what it raised, whether it took too long or too much."""

    command: str
    code: int | None
    output: str = ""
    errors: str = ""
    raised: str = ""
    timed_out: bool = False
    peak: int = 0


@dataclass(frozen=True)
class Verdict:
    """The end of an attack and what was seen of it."""

    end: End
    detail: str = ""
    peak: int = 0

    @property
    def gist(self) -> str:
        """What it has in common with others of the same cause: an error's place, else its first line; no numbers."""
        first = self.detail.strip().partition("\n")[0]
        place = PLACE.search(first)
        return re.sub(r"(/[\w. -]+)+/|\d+", "_", place.group() if place else first)[:160]

    @property
    def is_right(self) -> bool:
        return self.end in RIGHT


def judge(call: Call) -> Verdict:
    """Exit code 0, or exit code 1 or 2 with a message: all else is an end that no input may lead to."""
    said = f"{call.command}\n{call.errors}{call.output}"[:4000]
    written = call.output + call.errors
    if call.timed_out:
        return Verdict(End.HANG, said, call.peak)
    if call.peak > MEMORY_LIMIT:
        return Verdict(End.MEMORY, f"{call.peak >> 20} MB on top\n{said}", call.peak)
    if call.raised or BUG.search(written) or call.code not in (0, 1, 2):
        return Verdict(End.TRACEBACK, f"{call.raised or f'exit code {call.code}'}\n{said}", call.peak)
    found = ACTING.search(written)
    if found:
        return Verdict(End.ESCAPE, f"{found.group()!r} was printed\n{said}", call.peak)
    if call.code == 0:
        return Verdict(End.FINE, said, call.peak)
    if not MESSAGE.search(call.errors):
        return Verdict(End.TRACEBACK, f"exit code {call.code} without a message\n{said}", call.peak)
    if bare := BARE.search(call.errors):
        return Verdict(End.TRACEBACK, f"says nothing to a user: {bare.group()}\n{said}", call.peak)
    return Verdict(End.SENTENCE, said, call.peak)


def worst(*verdicts: Verdict) -> Verdict:
    """Of several, the first that is not right, else the first; with the largest peak."""
    chosen = next((verdict for verdict in verdicts if not verdict.is_right), verdicts[0])
    return Verdict(chosen.end, chosen.detail, max(verdict.peak for verdict in verdicts))
