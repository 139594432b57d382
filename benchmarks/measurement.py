"""Measurements as data: taken in turns, with their spread, and kept as JSON from which docs/performance.md is made."""

import datetime
import importlib.metadata
import json
import math
import os
import platform
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

LOAD = round(os.getloadavg()[0], 1)
# Tests write elsewhere.
RESULTS = Path(os.environ.get("BENCH_RESULTS") or Path(__file__).resolve().parent / "results")
PACKAGES = ("hf_fewshot", "numpy", "torch", "transformers", "datasets", "seqeval", "lm-eval", "setfit")


@dataclass(frozen=True)
class Measurement:
    """One number: a cell of a table.

    Args:
        name: of the row.
        what: of the column.
        unit: of the value.
        low: the end of the spread, None where it was measured once.
        high: the other end.
        repeats: how often it was measured.
        ratios: by peer of the same run, how many times better this is.
    """

    name: str
    what: str
    value: float
    unit: str = ""
    low: float | None = None
    high: float | None = None
    repeats: int = 1
    ratios: Mapping[str, float] = field(default_factory=dict)


def measured(
    name: str, what: str, values: Sequence[float], unit: str = "", ratios: Mapping[str, float] | None = None
) -> Measurement:
    """The median of several values, with the lowest and the highest."""
    several = len(values) > 1
    low, high = (min(values), max(values)) if several else (None, None)
    return Measurement(name, what, statistics.median(values), unit, low, high, len(values), ratios or {})


def ratio(theirs: Sequence[float], ours: Sequence[float]) -> float:
    """How many times longer the peer takes: the median over turns, in each of which both saw the same machine."""
    return statistics.median(one / other for one, other in zip(theirs, ours, strict=True))


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The slope of a line through the points in a log-log plot: the values grow like sizes ** e."""
    slope, _ = statistics.linear_regression([math.log(size) for size in sizes], [math.log(one) for one in values])
    return slope


def in_turns(
    functions: Mapping[str, Callable[[], Any]], repeats: int, clock: Callable[[], float] = time.process_time
) -> dict[str, list[float]]:
    """The seconds of each function in each of several turns: a slow moment of the machine hits all of them.

    CPU seconds of this process unless another clock is given: other work on the machine counts little.
    """
    taken: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            start = clock()
            function()
            taken[name].append(clock() - start)
    return taken


def machine() -> dict[str, Any]:
    """Where this runs, and how busy it was when it began."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.is_file() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {"cpu": model or platform.machine(), "cores": os.cpu_count(), "load": LOAD}


def versions() -> dict[str, str]:
    """Python, and those of the packages that are installed."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def write(table: str, measurements: Sequence[Measurement], *, remark: str = "") -> Path:
    """Keeps what one command has measured for a table of docs/performance.md."""
    # Where folders are is nobody else's business.
    given = [Path(one).name if Path(one).is_absolute() else one for one in sys.argv[1:]]
    content = {
        "table": table,
        "command": shlex.join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *given]),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "remark": remark,
        "measurements": [asdict(one) for one in measurements],
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{table}.json"
    # Who ends a benchmark that takes too long leaves the numbers of before.
    whole = path.with_suffix(".part")
    whole.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    whole.replace(path)
    print(f"wrote {path}", flush=True)
    return path
