"""What 60 runs with one frozen encoder take in one process, and the same runs with an encoder read for each.

    python benchmarks/many_runs.py

Few-NERD's sample data: three methods, two configurations, two sizes of episodes, five draws of 20 episodes. The runs
that read anew forget before each what the process has kept. Both ways begin in an empty folder, and give equal scores.
"""

import argparse
import itertools
import tempfile
import time

import torch
import transformers
from accelerate import Accelerator
from datasets import disable_progress_bars
from measurement import Measurement, measured, ratio, write

from hf_fewshot.encoding import vectors
from hf_fewshot.models.kept import last_read
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run


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


def timed(asked: list[Run], anew: bool) -> tuple[list[float], dict[str, float], list[float]]:
    """CPU seconds of each run, seconds of all by step, and the scores."""
    seconds, scores, steps = [], [], {"predict": 0.0, "score": 0.0}
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
            for step in steps:
                steps[step] += record.seconds.get(step, 0.0)
    return seconds, steps, scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5, help="of episodes; 12 runs each (default: 5)")
    asked = runs(parser.parse_args().draws)
    torch.set_num_threads(1)
    disable_progress_bars()
    transformers.logging.disable_progress_bar()
    timed(asked[:1], anew=True)  # sample data is written, modules are imported
    anew, _, expected = timed(asked, anew=True)
    kept, _, scores = timed(asked, anew=False)
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


if __name__ == "__main__":
    main()
