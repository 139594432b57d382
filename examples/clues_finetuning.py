"""Fine-tunes a span extractor on folds of CLUES and prints S1 beside trivial baselines and human performance.

    python examples/clues_finetuning.py --data-dir CLUES --output results/minilm
    python examples/clues_finetuning.py --sample --tasks sst2 conll03 --shots 10 --folds 1 --output results/try

One setting for all tasks. The result of each fold is written when it is done: the same command goes on where it was
stopped, and prints the table of all that is there.
"""

import argparse
import tempfile
import time
from typing import Any

import transformers
from datasets import disable_progress_bars

from hf_fewshot import embedded_encoder
from hf_fewshot.folds.fold import Fold, run_fold
from hf_fewshot.folds.result import ResultFolder
from hf_fewshot.folds.table import TASKS, clues_table
from hf_fewshot.spans.prediction import answer_counts, predict_answers
from hf_fewshot.spans.span_model import SpanModel
from hf_fewshot.trainers.span_trainer import SpanTrainer, SpanTrainingArguments


def span_finetuning(options: argparse.Namespace) -> Any:
    """A function from training rows to a function from questions to answers."""

    def fit(train: Any) -> Any:
        model, tokenizer = SpanModel.from_encoder(options.model, seed=options.seed, **answer_counts(train))
        with tempfile.TemporaryDirectory() as folder:
            arguments = SpanTrainingArguments(
                folder,
                learning_rate=options.rate,
                num_train_epochs=options.epochs,
                per_device_train_batch_size=options.batch,
                seed=options.seed,
                save_strategy="no",
                logging_strategy="no",
                report_to="none",
                disable_tqdm=True,
                dataloader_pin_memory=False,
            )
            trainer = SpanTrainer(model, arguments, processing_class=tokenizer, train_dataset=train)
            trainer.remove_callback(transformers.PrinterCallback)
            trainer.train()
        return lambda questions: predict_answers(model, tokenizer, questions)

    return fit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", help="folder with the authors' files; else they are downloaded")
    parser.add_argument("--sample", action="store_true", help="the sample data of this project instead")
    parser.add_argument("--compat", choices=["original"], help="MNLI's question as published")
    parser.add_argument("--model", help="an encoder: Hub id or folder; default: all-MiniLM-L6-v2 of a pip package")
    parser.add_argument("--output", required=True, help="folder for the results")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS)
    parser.add_argument("--shots", nargs="+", type=int, default=[10, 20, 30])
    parser.add_argument("--folds", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate (paper: 5e-5)")
    parser.add_argument("--epochs", type=float, default=20, help="passes over the training rows (paper: 3)")
    parser.add_argument("--batch", type=int, default=8, help="windows per step (paper: 16)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    disable_progress_bars()
    name = options.model or "all-MiniLM-L6-v2"
    options.model = options.model or embedded_encoder(name)
    settings = ("rate", "epochs", "batch", "seed", "compat", "sample")
    folder = ResultFolder(options.output, {"model": name, **{key: getattr(options, key) for key in settings}})
    fit = span_finetuning(options)
    results = []
    for task in options.tasks:
        source = {"sample": True} if options.sample else {"data_dir": options.data_dir} if options.data_dir else {}
        if options.compat and task == "mnli":
            source["compat"] = options.compat
        for shots in options.shots:
            for number in options.folds:
                result = folder.read(task, shots, number)
                if result is None:
                    start = time.perf_counter()
                    result = run_fold(Fold(task, shots, number, source), fit)
                    folder.write(result)
                    seconds = time.perf_counter() - start
                    print(
                        f"{task}, {shots} shots, fold {number}: {100 * result.s1:.2f} in {seconds:.0f} s", flush=True
                    )
                results.append(result)
    print(clues_table(results))


if __name__ == "__main__":
    main()
