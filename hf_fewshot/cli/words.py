"""Errors of the library in the words of the command line: `n_way=5` is `--n-way 5` there.

The library says of options what one writes in Python, `name=value`. Where the same is typed, in a command that has the
option, it is said as it is typed. What stands in a recipe stays as it is; what to do instead is typed beside it.
"""

import argparse
import re
import shlex
from collections.abc import Callable

# Options of commands that are called in the library by the same name.
SAME = (
    *("benchmark", "config", "n_way", "shots", "n_episodes", "sample", "data_dir", "test_data"),
    *("split", "method", "model", "task", "dry_run", "overwrite"),
)
# And those that say the contrary of what one writes in Python.
CONTRARY = {"private=False": "public"}
VALUE = r"'[^']*'|\"[^\"]*\"|<[^>]*>|\.\.\.|[\w.+/~:-]*\w|"
# Neither in quotes, paths, names of runs, nor code.
BEFORE, AFTER = r"(?<![\w='\"/.(\[{-])", r"(?![\w=/'\"-]|\.\w)"
# Words of English that can be nothing else there.
FLAG = re.compile(rf"(?P<begun>--[a-z-]+ (?:and|or) |\bLower )(?P<name>\w+){AFTER}")


def command_words(options: argparse.Namespace) -> Callable[[str], str]:
    """What says a text of the library in the words of this command."""
    has = [name for name in SAME if hasattr(options, name)]
    typed = [name for name in has if not getattr(options, "recipes", None) or name in vars(options).get("given", {})]
    if not has:
        return str
    pair = re.compile(rf"{BEFORE}(?P<name>{'|'.join(has)})=(?P<value>{VALUE})")
    # Those that are no words of English.
    alone = re.compile(rf"{BEFORE}(?P<name>{'|'.join(name for name in typed if '_' in name) or '(?!)'}){AFTER}")

    def of_pair(found: re.Match[str]) -> str:
        name, value = found["name"], found["value"]
        return _typed(name, value) if name in typed or value == "True" or value.startswith("<") else found[0]

    def of_flag(found: re.Match[str]) -> str:
        name = _flag(found["name"]) if found["name"] in typed else found["name"]
        return f"{found['begun']}{name}"

    def said(text: str) -> str:
        for written, name in CONTRARY.items():
            text = text.replace(written, _flag(name)) if hasattr(options, name) else text
        text = alone.sub(lambda found: _flag(found["name"]), pair.sub(of_pair, text))
        return FLAG.sub(of_flag, text)

    return said


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _typed(name: str, value: str) -> str:
    """An option and its value as they are typed."""
    if value in ("", "True"):
        return _flag(name)
    if value in ("False", "None"):
        return f"no {_flag(name)}"
    bare = value[1:-1] if value[0] in "'\"" else value
    return f"{_flag(name)} {bare if value[0] in '<.' else shlex.quote(bare)}"
