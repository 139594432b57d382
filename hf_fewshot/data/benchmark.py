"""Benchmarks by name: what there is to know of one, its builder knows."""

from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.registry import BENCHMARKS, resolve, unknown


def builder_of(name: str) -> type[FewShotBuilder]:
    """The builder of a benchmark."""
    if name not in BENCHMARKS:
        raise unknown("benchmark", name, BENCHMARKS)
    builder = resolve(BENCHMARKS[name])
    if not (isinstance(builder, type) and issubclass(builder, FewShotBuilder) and name == builder.NAME):
        raise TypeError(f"Expected a FewShotBuilder whose NAME is {name!r} at {BENCHMARKS[name]!r}, got {builder!r}.")
    return builder
