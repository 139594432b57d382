"""Time and memory of a whole run with many episodes: drawn, predicted, scored, analysed, written.

    python benchmarks/many_episodes.py [--episodes 10000 100000 1000000] [--method always_none]

Few-Shot TACRED's sample data, 5-way 1-shot with three queries. Each size has a process of its own: CPU time of the
run, and the peak of resident memory, of which libraries take the part that is there before.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from measurement import Measurement, write


def measure(n_episodes: int, method: str) -> dict[str, float]:
    import torch
    from datasets import disable_progress_bars

    from hf_fewshot.runs.execution import execute
    from hf_fewshot.runs.run import Run

    torch.set_num_threads(1)
    disable_progress_bars()
    data = {"sample": True, "n_way": 5, "shots": 1, "episodes": "sampled"}
    with tempfile.TemporaryDirectory() as folder:
        # Sample data is written, modules are imported.
        execute(Run("fs_tacred", method, data={**data, "n_episodes": 10}), folder, progress=False)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.process_time()
        execute(Run("fs_tacred", method, data={**data, "n_episodes": n_episodes}), folder, progress=False)
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "before": before / 1024, "peak": peak / 1024}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--method", default="always_none", help="that needs no model (default: always_none)")
    parser.add_argument("--here", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(measure(options.here, options.method)))
        return
    found, seconds = [], []
    for number in options.episodes:
        command = [sys.executable, __file__, "--here", str(number), "--method", options.method]
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        one = json.loads(output.splitlines()[-1])
        name = f"{number:,} episodes"
        seconds.append(one["seconds"])
        found += [
            Measurement(name, "CPU", one["seconds"], "s"),
            Measurement(name, "peak memory", one["peak"], "MB"),
            Measurement(name, "of it before", one["before"], "MB"),
        ]
    if len(seconds) > 1:
        slope = float(np.polyfit(np.log(options.episodes), np.log(seconds), 1)[0])
        found.append(Measurement("exponent of time", "CPU", round(slope, 3)))
    write("many_episodes", found)


if __name__ == "__main__":
    main()
