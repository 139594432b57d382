"""Options that several commands share."""

import argparse
import importlib
import sys
from collections.abc import Iterable
from typing import Any

from hf_fewshot.cli.completion import benchmarks, completed, configs
from hf_fewshot.cli.lists import with_lists
from hf_fewshot.cli.own_data import add_own_data, own_options
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.registry import BENCHMARKS


def key_value(text: str) -> tuple[str, Any]:
    """`key=value`; the value is JSON where it can be, else a string."""
    key, separator, value = text.partition("=")
    if not separator or not key:
        raise argparse.ArgumentTypeError(f"expected key=value, got {text!r}")
    try:
        return key, strict_json(value)
    except ValueError as error:
        if value.startswith(("[", "{")):
            raise argparse.ArgumentTypeError(f"{key}: {error}") from error
        return key, value


def positive(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return int(text)


def module_name(text: str) -> str:
    """The name of a module as `import` takes it."""
    if not all(part.isidentifier() for part in text.split(".")):
        raise argparse.ArgumentTypeError(f"expected the name of a module, such as own_method, got {text!r}")
    return text


def add_module(command: argparse.ArgumentParser) -> None:
    """A module of the current folder that brings things of one's own."""
    command.add_argument(
        "--import",
        dest="module",
        type=module_name,
        help="a module that registers methods, systems or benchmarks of your own (docs/own_method.md)",
    )


def import_module(options: argparse.Namespace) -> None:
    """Imports it, if it was named, as `python -m` would: modules of the current folder too."""
    if getattr(options, "module", None) is not None:
        sys.path.insert(0, "")
        importlib.import_module(options.module)


def add_pairs(command: argparse.ArgumentParser, *names: str, help: str) -> None:
    """An option `KEY=VALUE` that can be given several times."""
    command.add_argument(*names, type=key_value, action="append", default=[], metavar="KEY=VALUE", help=help)


def add_source(command: argparse.ArgumentParser) -> None:
    """Where raw files come from."""
    command.add_argument("--sample", action="store_true", help="use the sample data of this project")
    command.add_argument("--data-dir", help="folder with the authors' files; else they are downloaded")


def add_data(command: argparse.ArgumentParser) -> None:
    """Options of the data: those most used, and any other as KEY=VALUE."""
    completed(command.add_argument("--config", help="configuration, such as inter or conll03"), configs)
    command.add_argument("--n-way", type=int, help="classes of an episode")
    command.add_argument("--shots", type=int, help="examples of each class (CLUES: of all)")
    command.add_argument("--n-episodes", type=int, help="how many episodes are sampled")
    add_source(command)
    add_own_data(command)
    add_pairs(command, "-o", "--option", help="any option of load_dataset, such as domain=pubmed or fold=2")


def add_name(command: argparse.ArgumentParser) -> None:
    """Which benchmark; data of one's own is known by its task."""
    named = command.add_argument("benchmark", nargs="?", help="its name (hf-fewshot list), or --data and --task")
    completed(named, benchmarks)


def add_benchmark(command: argparse.ArgumentParser) -> None:
    """Which benchmark, and the options of its data."""
    add_name(command)
    add_data(command)
    command.add_argument("--split", default="test", help="train, validation or test (default: test)")


def data_options(options: argparse.Namespace, benchmark: str | None = None) -> dict[str, Any]:
    """The options of the data that were given; places are not among them.

    Args:
        benchmark: whose data it is, where the command line does not say it.
    """
    given = {"n_way": options.n_way, "shots": options.shots, "n_episodes": options.n_episodes}
    given |= {"sample": options.sample or None}
    named = {name: value for name, value in given.items() if value is not None}
    chosen = once([*named.items(), *options.option])
    chosen |= own_options(options, benchmark or options.benchmark, chosen)
    if options.option:
        chosen = with_lists(chosen, _types(benchmark or options.benchmark))
        _check(options.benchmark, chosen)
    return {name: value for name, value in chosen.items() if value is not None}


def _types(benchmark: str | None) -> dict[str, Any]:
    """The types of the benchmark's options, or of those of all where it is not said."""
    from hf_fewshot.data.benchmark_options import benchmark_options

    names = BENCHMARKS if benchmark is None else [benchmark] if benchmark in BENCHMARKS else []
    return {option: kind for name in names for option, kind in benchmark_options(name).items()}


def _check(benchmark: str | None, chosen: dict[str, Any]) -> None:
    """Refuses what is no option of the benchmark, or of any where it is not said: `datasets` would take some of it."""
    from hf_fewshot.files.option_types import check_types

    if benchmark is not None:
        # null stands for an option that is not given.
        check_types({name: kind | None for name, kind in _types(benchmark).items()}, chosen, f"option of {benchmark}")
    else:
        check_types(dict.fromkeys(_types(None), Any), chosen, "option of the data")


def once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Names and values that were typed; a name with two values is refused, for the last would win silently."""
    given: dict[str, Any] = {}
    for name, value in pairs:
        if given.setdefault(name, value) != value:
            raise ValueError(f"{name} is given twice, as {given[name]!r} and {value!r}. Give it once.")
    return given


def source(options: argparse.Namespace) -> dict[str, Any]:
    """Where raw files are, if it was said."""
    if options.data is not None and options.data_dir is not None:
        raise ValueError(f"--data {options.data} and --data-dir {options.data_dir} exclude each other. Give one.")
    if options.test_data is not None and options.data is None:
        raise ValueError(f"--test-data {options.test_data} needs the data to learn from: --data FILE.")
    found = {"data_dir": options.data or options.data_dir, "test_data": options.test_data}
    return {name: place for name, place in found.items() if place is not None}
