"""Whole numbers in a pickle of strangers, read without unpickling: nothing of it is run."""

import pickletools
from pathlib import Path

from hf_fewshot.files.raw_files import RawFileError

NUMBERS = {"INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4"}
# What lists of numbers are made of, and the name that such a list may stand under.
HARMLESS = {
    "PROTO", "FRAME", "STOP", "MARK", "LIST", "EMPTY_LIST", "APPEND", "APPENDS", "MEMOIZE", "PUT", "BINPUT",
    "LONG_BINPUT", "EMPTY_DICT", "DICT", "SETITEM", "SETITEMS", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE",
}  # fmt: skip


def pickled_numbers(path: Path) -> list[int]:
    """The numbers of a pickled list, in their order; a pickle that has anything else in it is an error."""
    found: list[int] = []
    try:
        for code, argument, _ in pickletools.genops(path.read_bytes()):
            if code.name in NUMBERS and type(argument) is int:
                found.append(argument)
            elif code.name not in HARMLESS:
                raise RawFileError(path, None, "a pickled list of whole numbers", f"the instruction {code.name}")
    except RawFileError:
        raise
    except Exception as error:  # pickletools meets damage with errors of any kind
        raise RawFileError(path, None, "a pickled list of whole numbers", f"damage ({error})") from error
    return found
