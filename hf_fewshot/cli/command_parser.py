"""Parsers of command lines."""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible


class Once(argparse.Action):
    """Takes a value; another one beside it is refused, for the last would win silently.

    What was typed is kept in `given` of the namespace, by its name.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if option_string is not None:
            given = vars(namespace).setdefault("given", {})
            before = given.setdefault(self.dest, values)
            if before is not values and before != values:
                raise argparse.ArgumentError(
                    self, f"given twice, as {_typed(before)} and {_typed(values)}; give it once"
                )
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """Takes each option once, and quotes what was typed without sending its control characters to the terminal."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.register("action", None, Once)
        self.register("action", "store", Once)

    def error(self, message: str) -> NoReturn:
        super().error(visible(redacted(message)))


def _typed(value: Any) -> str:
    many = isinstance(value, Sequence) and not isinstance(value, str)
    return " ".join(map(str, value)) if many else str(value)
