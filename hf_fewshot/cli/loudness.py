"""How much a command says beside its results."""

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# What libraries that are not loaded yet read when they are.
SILENT = {
    "TQDM_DISABLE": "1",
    "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}


def add_loudness(command: argparse.ArgumentParser) -> None:
    """Whether more or less is said than usual."""
    # They may stand before or after the command's name, so neither has a default that would undo the other.
    flag = {"action": "store_true", "default": argparse.SUPPRESS}
    more_or_less = command.add_mutually_exclusive_group()
    more_or_less.add_argument("-v", "--verbose", help="say what is done, step by step", **flag)  # type: ignore[arg-type]
    more_or_less.add_argument("-q", "--quiet", help="no bars, hints and warnings", **flag)  # type: ignore[arg-type]


@contextmanager
def loudness(options: argparse.Namespace) -> Iterator[None]:
    """In it loggers and bars say as much as is asked for."""
    if options.quiet and options.verbose:
        raise ValueError("--quiet and --verbose exclude each other. Give one.")
    ours = logging.getLogger("hf_fewshot")
    level, told = ours.level, logging.StreamHandler(sys.stderr)
    told.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    if options.quiet:
        os.environ |= SILENT
        ours.setLevel(logging.ERROR)
    elif options.verbose:
        ours.addHandler(told)
        ours.setLevel(logging.INFO)
    try:
        yield
    finally:
        ours.removeHandler(told)
        ours.setLevel(level)
