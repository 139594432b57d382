"""Time and memory of a whole run with many episodes: drawn, predicted, scored, analysed, written.

    python benchmarks/many_episodes.py [--episodes 10000 100000 1000000]

Few-Shot TACRED's sample data, 5-way 1-shot with three queries; `always_none` needs no model, `proto` has a tiny
encoder. Each size has a process of its own: CPU time of the run, and the peak of resident memory, of which libraries
take the part that is there before. Sizes take turns, a million and more but one; the exponent e says that
time grows like the number ** e.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from string import ascii_lowercase

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from datasets import disable_progress_bars
from measurement import Measurement, exponent, measured, write
from transformers import BertConfig, BertModel, BertTokenizerFast

from hf_fewshot.registry import BASELINE, SYSTEMS
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run

ONCE = 1_000_000
BASELINES = {name for name, entry in SYSTEMS.items() if entry.reference == BASELINE}


def tiny_encoder(folder: Path) -> str:
    """A BERT of one layer that knows the words of nothing: what it computes does not matter here."""
    torch.manual_seed(0)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *ascii_lowercase]))
    BertTokenizerFast(vocab=str(vocabulary)).save_pretrained(folder)
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=31, **sizes)).save_pretrained(folder)
    return str(folder)


def measure(n_episodes: int, method: str) -> dict[str, float]:
    torch.set_num_threads(1)
    disable_progress_bars()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    data = {"sample": True, "n_way": 5, "shots": 1, "episodes": "sampled"}
    with tempfile.TemporaryDirectory() as place:
        results, model = Path(place) / "results", Path(place) / "model"
        model.mkdir()
        encoder = None if method in BASELINES else tiny_encoder(model)

        def execute_run(number: int) -> None:
            run = Run("fs_tacred", method, data={**data, "n_episodes": number}, model=encoder)
            execute(run, results, progress=False)

        execute_run(10)  # sample data is written, modules are imported
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.process_time()
        execute_run(n_episodes)
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "before": before / 1024, "peak": peak / 1024}


def measured_in_turns(method: str, sizes: list[int], repeats: int) -> list[Measurement]:
    """CPU time and memory of each size, and the exponent of each turn."""
    taken: dict[int, list[dict[str, float]]] = {size: [] for size in sizes}
    for turn in range(repeats):
        for size, own in taken.items():
            if turn and size >= ONCE:
                continue
            command = [sys.executable, __file__, "--here", str(size), "--methods", method]
            output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
            own.append(json.loads(output.splitlines()[-1]))
            print(f"{method}, {size:,}: {own[-1]['seconds']:.1f} s, {own[-1]['peak']:,.0f} MB", flush=True)
    found = []
    for size, own in taken.items():
        name = f"{method}, {size:,} episodes"
        for what, key, unit in (
            ("CPU", "seconds", "s"),
            ("peak memory", "peak", "MB"),
            ("of it before", "before", "MB"),
        ):
            found.append(measured(name, what, [one[key] for one in own], unit))
    if len(sizes) > 1:
        slopes = []
        for turn in range(repeats):
            own_sizes = [size for size in sizes if len(taken[size]) > turn]
            slopes.append(exponent(own_sizes, [taken[size][turn]["seconds"] for size in own_sizes]))
        found.append(measured(f"{method}, exponent of time", "CPU", slopes))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--methods", nargs="+", default=["always_none", "proto"], help="(default: always_none proto)")
    parser.add_argument("--most", type=int, default=100_000, help="episodes of those with a model (default: 100,000)")
    parser.add_argument("--repeats", type=int, default=2, help="turns (default: 2)")
    parser.add_argument("--here", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(measure(options.here, options.methods[0])))
        return
    found = []
    for method in options.methods:
        sizes = [size for size in options.episodes if method in BASELINES or size <= options.most]
        found += measured_in_turns(method, sizes, options.repeats)
    write("many_episodes", found)


if __name__ == "__main__":
    main()
