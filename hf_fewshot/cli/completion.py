"""What the tab key completes: names of methods, models, recipes and so on, without importing anything heavy."""

import argparse
import os
from collections.abc import Iterable
from typing import Any


def benchmarks(**_: Any) -> Iterable[str]:
    """The benchmarks."""
    from hf_fewshot.registry import BENCHMARKS

    return list(BENCHMARKS)


def methods(**_: Any) -> Iterable[str]:
    """The methods."""
    from hf_fewshot.registry import SYSTEMS

    return list(SYSTEMS)


def methods_and_benchmarks(**_: Any) -> Iterable[str]:
    """Whatever has options."""
    return [*methods(), *benchmarks()]


def configs(**_: Any) -> Iterable[str]:
    """The configurations of the benchmark that the line names, or of all."""
    from hf_fewshot.registry import CONFIGS

    words = os.environ.get("COMP_LINE", "").split()
    named = [own for benchmark, own in CONFIGS.items() if benchmark in words]
    return [config for own in named or CONFIGS.values() for config in own]


def models(prefix: str, **_: Any) -> Iterable[str]:
    """Embedded models, those in the cache of the Hub, and folders that begin like that."""
    from argcomplete.completers import DirectoriesCompleter

    from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS
    from hf_fewshot.files.hub_models import cached_models

    return [*ENCODERS, *CAUSAL_LMS, *cached_models(), *DirectoriesCompleter()(prefix)]


def recipes(prefix: str, **_: Any) -> Iterable[str]:
    """The recipes of the package, and YAML files that begin like that."""
    from argcomplete.completers import FilesCompleter

    from hf_fewshot.runs.recipe_names import recipe_paths

    return [*recipe_paths(), *FilesCompleter(["yaml"])(prefix)]


def completed(action: argparse.Action, completer: Any) -> None:
    """Has an option completed, where argcomplete asks."""
    action.completer = completer  # type: ignore[attr-defined]
