"""Names that were typed, checked before anything heavy is imported: a mistyped one is said at once."""

import argparse

from hf_fewshot.cli.options import import_module
from hf_fewshot.method_names import method_named
from hf_fewshot.registry import BENCHMARKS, CONFIGS, SYSTEMS, unknown

OWN = "One of your own is there with --import MODULE (docs/own_method.md)."


def check_names(options: argparse.Namespace) -> None:
    """Refuses names of benchmarks, configurations, methods and models that are none; methods get the name we give.

    A module that registers things of one's own is imported first.
    """
    import_module(options)
    benchmark, method = getattr(options, "benchmark", None), getattr(options, "method", None)
    if method is not None:
        options.method = method_named(method)
        if options.method not in SYSTEMS:
            error = unknown("method", method, SYSTEMS)
            raise ValueError(f"{error} {OWN}")
    if benchmark is not None:
        if benchmark not in BENCHMARKS:
            raise unknown("benchmark", benchmark, BENCHMARKS)
        config = getattr(options, "config", None)
        if config is not None and benchmark in CONFIGS and config not in CONFIGS[benchmark]:
            raise unknown(f"configuration of {benchmark}", config, CONFIGS[benchmark])
    if isinstance(getattr(options, "model", None), str) and _is_loaded_here(options):
        from hf_fewshot.model_names import check_model_name

        check_model_name(options.model)


def _is_loaded_here(options: argparse.Namespace) -> bool:
    """Whether the model is surely one of this machine or of the Hub, not of an endpoint or of a system of others."""
    if getattr(options, "recipes", None):
        return False
    method = getattr(options, "method", None)
    if method is None:
        return True
    pairs = [name for name, _ in getattr(options, "method_option", ())]
    ours = SYSTEMS[method].reference.partition(".")[0] == __name__.partition(".")[0]
    return ours and bool(SYSTEMS[method].needs) and not {*SYSTEMS[method].reached_by}.intersection(pairs)
