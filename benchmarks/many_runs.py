"""What 60 runs with one frozen encoder take in one process, and the same runs with an encoder read for each.

    python benchmarks/many_runs.py

Few-NERD's sample data: three methods, two configurations, two sizes of episodes, five draws of 20 episodes. The runs
that read anew forget before each what the process has kept. Both ways begin in an empty folder, and give equal scores.
A third round, of the first twelve read once, is profiled, which makes it slower: its table has shares of its time.
"""

import argparse
import cProfile
import itertools
import os
import pstats
import tempfile
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from accelerate import Accelerator
from datasets import disable_progress_bars
from measurement import Measurement, measured, ratio, write

from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.encoding import vectors
from hf_fewshot.models.kept import last_read
from hf_fewshot.models.method_model import MethodModel
from hf_fewshot.runs import execution
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.networks import ready_network
from hf_fewshot.systems.runner import Runner

# Steps of a run, none within another.
STEPS: dict[str, tuple[Callable[..., Any], ...]] = {
    "encoding": (MethodModel.encode,),
    "hashes over weights": (vectors.hash_weights,),
    "comparing vectors": (Runner.predict,),
    "scores, analysis and files": (execution.write_results,),
    "encoder and tokenizer": (ready_network,),
    "reading data": (Data._read,),
}


def runs(draws: int) -> list[Run]:
    sizes = itertools.product(("intra", "inter"), (1, 5), ("proto", "nnshot", "structshot"), range(draws))
    return [
        Run(
            "few_nerd",
            method,
            config,
            {"sample": True, "n_way": 5, "shots": shots, "n_episodes": 20, "seed": seed},
            model="all-MiniLM-L6-v2",
        )
        for config, shots, method, seed in sizes
    ]


def timed(asked: list[Run], anew: bool) -> tuple[list[float], list[float]]:
    """CPU seconds of each run, and the scores."""
    seconds, scores = [], []
    accelerator = Accelerator()
    with tempfile.TemporaryDirectory() as folder:
        for run in asked:
            start = time.process_time()
            if anew:
                last_read.forget()
                vectors._ordered.cache_clear()
            record = execute(run, folder, accelerator=accelerator, progress=False)
            seconds.append(time.process_time() - start)
            scores.append(record.score)
    return seconds, scores


def profiled(asked: list[Run]) -> list[Measurement]:
    """The share of each step in the time of some runs."""
    profile = cProfile.Profile(time.process_time)
    profile.runcall(timed, asked, anew=False)
    stats: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]

    def seconds_in(function: Callable[..., Any]) -> float:
        code = function.__code__  # type: ignore[attr-defined]
        return float(stats[code.co_filename, code.co_firstlineno, code.co_name][3])

    whole = seconds_in(execute)
    found = {step: sum(map(seconds_in, functions)) / whole for step, functions in STEPS.items()}
    found["all else"] = 1 - sum(found.values())
    return [Measurement(step, "share of the time", 100 * share, "%") for step, share in found.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5, help="of episodes; 12 runs each (default: 5)")
    asked = runs(parser.parse_args().draws)
    torch.set_num_threads(1)
    disable_progress_bars()
    transformers.logging.disable_progress_bar()
    timed(asked[:1], anew=True)  # sample data is written, modules are imported
    anew, expected = timed(asked, anew=True)
    kept, scores = timed(asked, anew=False)
    assert scores == expected
    peer = "read for each run"
    write(
        "many_runs",
        [
            measured(f"{len(asked)} runs, {peer}", "CPU of a run", anew, "s"),
            measured(f"{len(asked)} runs, read once", "CPU of a run", kept, "s", {peer: ratio(anew, kept)}),
            Measurement(f"{len(asked)} runs, {peer}", "all together", sum(anew), "s"),
            Measurement(
                f"{len(asked)} runs, read once", "all together", sum(kept), "s", ratios={peer: sum(anew) / sum(kept)}
            ),
        ],
    )
    some = asked[:12]
    write("many_runs_profile", profiled(some), remark=f"{len(some)} runs under cProfile")


if __name__ == "__main__":
    main()
