"""In-context learning against lm-evaluation-harness: equal choices, and the ratio of CPU time, one thread.

    pip install -c constraints.txt -e ".[embedded,lm-eval]"
    python benchmarks/against_lm_eval.py --data-dir <CLUES> [--timed 20] [--model <causal LM>]

Fold 1 of CLUES' SST-2: all queries after the same 30 demonstrations, two labels each. The harness runs the task that
`hf-fewshot export --lm-eval` writes, with the very same model object; both sides are timed from texts to predictions,
without imports and without loading the model. The harness computes each prompt from its beginning, both labels from
one pass; here what all prompts begin with is computed once. With `--timed` the harness gets some of the queries, and
what all of them would take is worked out.
"""

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
from datasets import disable_progress_bars
from lm_eval import __version__, simple_evaluate
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager
from measurement import in_turns, measured, ratio, write

import hf_fewshot
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.embedded import model_place
from hf_fewshot.harness.lm_eval_export import export_lm_eval

FOLD = {"shots": 30, "fold": 1}


class Heard(hf_fewshot.CausalLM):
    """Remembers the scores of the labels."""

    scores: list[list[float]]

    def answer(self, request: Any) -> Any:
        answers = super().answer(request)
        self.scores = [*getattr(self, "scores", []), *(answer.scores for answer in answers)]
        return answers


def harness(lm: hf_fewshot.CausalLM, task: str, folder: Path, n_queries: int, batch_size: int) -> list[dict[str, Any]]:
    """What the harness keeps of each query, in their order."""
    found = simple_evaluate(
        HFLM(pretrained=lm.model, tokenizer=lm.tokenizer, backend="causal", batch_size=batch_size),
        tasks=[task],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        limit=n_queries,
        bootstrap_iters=0,
    )
    assert found is not None
    return sorted(found["samples"][task], key=lambda sample: sample["doc_id"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="SmolLM2-135M-Instruct", help="embedded name, Hub id or folder")
    parser.add_argument("--data-dir", help="the authors' files of CLUES; without it, sample data of our own")
    parser.add_argument("--timed", type=int, help="how many of the queries the harness is asked; default: all")
    parser.add_argument("--repeats", type=int, default=1, help="turns (default: 1)")
    parser.add_argument("--batch-size", type=int, default=1, help="of the harness (its default: 1)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    disable_progress_bars()
    source = {"data_dir": options.data_dir} if options.data_dir else {}
    fold = FOLD if source else {**FOLD, "sample": True}
    data = Data("clues", "sst2", fold, source=source)
    (episode,) = data.episodes
    n = len(episode.query)
    timed_queries = min(options.timed or n, n)
    lm = Heard.from_pretrained(model_place(options.model))
    lm.prepare(torch.device("cpu"))
    system = hf_fewshot.InContextSystem(lm, "clues_sst2")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "task"
        task = export_lm_eval("clues", "sst2", folder, source=source, **fold)
        samples: list[dict[str, Any]] = []

        def ask_harness() -> None:
            samples[:] = harness(lm, task, folder, timed_queries, options.batch_size)

        def ask_here() -> None:
            lm.scores = []
            hf_fewshot.predict(system, data.episodes, progress=False)

        taken = in_turns({"here": ask_here, "there": ask_harness}, options.repeats)
    here = taken["here"]
    there = [seconds * n / timed_queries for seconds in taken["there"]]
    ours = np.array(lm.scores[:timed_queries])
    likelihoods = np.array([[choice[0][0] for choice in sample["resps"]] for sample in samples], dtype=float)
    compared = likelihoods - np.logaddexp.reduce(likelihoods, axis=1, keepdims=True)
    equal = int((ours.argmax(1) == compared.argmax(1)).sum())
    peer = "lm-evaluation-harness"
    print(f"{ratio(there, here):.1f} x {peer} {__version__}")
    some = f"the harness was asked {timed_queries} of {n} queries; " if timed_queries < n else ""
    write(
        "against_lm_eval",
        [
            measured(peer, "CPU", there, "s"),
            measured("here", "CPU", here, "s", {peer: ratio(there, here)}),
            measured(peer, "a query", [seconds / n for seconds in there], "s"),
            measured("here", "a query", [seconds / n for seconds in here], "s"),
        ],
        remark=f"{some}{equal} of {timed_queries} choices equal; log-likelihoods of labels differ by at most "
        f"{np.abs(ours - compared).max():.1e}",
    )


if __name__ == "__main__":
    main()
