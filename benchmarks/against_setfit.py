"""Our learner against SetFit on BANKING77: accuracy and CPU time, same rows, same encoder, one thread.

    pip install -c constraints.txt -e ".[embedded,peers]"
    python benchmarks/against_setfit.py --data BANKING77 --output results/against_setfit.jsonl

Each draw takes 15 intents and so many training rows of each; all test rows of these intents are asked. A cell is one
system on one draw. Finished cells are kept in the output file, so that the same command goes on; `--systems` and
`--shots` choose some. SetFit has its defaults, but takes at most 400 steps: at 8 shots it would take 840, and over
ten minutes. CPU time is that of fitting, without imports and without loading the encoder.
"""

import argparse
import csv
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from measurement import Measurement, write
from scipy import stats

from hf_fewshot import FewShotLearner
from hf_fewshot.embedded import embedded_encoder

ENCODER = "all-MiniLM-L6-v2"
N_INTENTS = 15
# With more texts SetFit does not end within ten minutes.
MOST_TEXTS, MOST_STEPS = 75, 400
Rows = list[tuple[str, str]]
Predict = Callable[[list[str]], list[str]]


class Draw(NamedTuple):
    """Training rows and all test rows of some intents."""

    train: Rows
    test: Rows


def read(file: Path) -> Rows:
    with file.open(encoding="utf-8", newline="") as opened:
        return [(row["text"], row["category"]) for row in csv.DictReader(opened)]


def drawn(train: Rows, test: Rows, shots: int, seed: int) -> Draw:
    """The intents are those of the seed; with more shots, rows are added to those of fewer."""
    rng = np.random.default_rng(seed)
    intents = rng.choice(sorted({label for _, label in train}), N_INTENTS, replace=False).tolist()
    chosen = []
    for intent in intents:
        own = [row for row in train if row[1] == intent]
        chosen += [own[number] for number in rng.permutation(len(own))[:shots]]
    return Draw(chosen, [row for row in test if row[1] in set(intents)])


def ours(**options: object) -> Callable[[Rows], Callable[[], Predict]]:
    def prepare(rows: Rows) -> Callable[[], Predict]:
        learner = FewShotLearner.from_encoder(ENCODER, **options)
        return lambda: learner.fit(rows).predict

    return prepare


def setfit(tuned: bool) -> Callable[[Rows], Callable[[], Predict]]:
    def prepare(rows: Rows) -> Callable[[], Predict]:
        from datasets import Dataset
        from setfit import SetFitModel, Trainer, TrainingArguments

        model = SetFitModel.from_pretrained(str(embedded_encoder(ENCODER)), device="cpu")
        texts, labels = (list(column) for column in zip(*rows, strict=True))

        def fit() -> Predict:
            if tuned:
                folder = str(Path(tempfile.gettempdir()) / "setfit")  # nothing is saved there
                data = Dataset.from_dict({"text": texts, "label": labels})
                few = {} if len(set(texts)) <= MOST_TEXTS else {"max_steps": MOST_STEPS}
                arguments = TrainingArguments(output_dir=folder, report_to="none", save_strategy="no", **few)
                Trainer(model=model, args=arguments, train_dataset=data).train()
            else:
                model.fit(texts, labels, num_epochs=1)
            return lambda queries: list(model.predict(queries))

        return fit

    return prepare


PEERS = ("SetFit, tuned", "SetFit, frozen")
SYSTEMS = {
    "SetFit, frozen": setfit(tuned=False),
    "SetFit, tuned": setfit(tuned=True),
    "ours, prototypes": ours(head="prototypes"),
    "ours, quick head": ours(head="logistic"),
    "ours, tuned": ours(head="tuned"),
    "ours, quick head, without names of intents": ours(head="logistic", label_names=False),
    "ours, tuned, without names of intents": ours(head="tuned", label_names=False),
}


def measure(name: str, draw: Draw) -> dict[str, object]:
    fit = SYSTEMS[name](draw.train)
    start = time.process_time()
    predict = fit()
    fitted = time.process_time()
    found = predict([text for text, _ in draw.test])
    end = time.process_time()
    right = [bool(answer == label) for answer, (_, label) in zip(found, draw.test, strict=True)]
    return {"right": sum(right), "rows": len(right), "fit": fitted - start, "predict": end - fitted}


def measurements(cells: list[dict]) -> list[Measurement]:
    """Means over draws with 95 % t-intervals, paired differences to SetFit, and CPU time."""
    found = []
    for shots in sorted({cell["shots"] for cell in cells}):
        by_system = {
            name: {c["seed"]: c for c in cells if c["shots"] == shots and c["system"] == name} for name in SYSTEMS
        }
        for name, own in by_system.items():
            if not own:
                continue
            row = f"{shots} shot{'s' if shots > 1 else ''}: {name}"
            found.append(mean(row, "accuracy", [share(cell) for cell in own.values()]))
            for peer in PEERS:
                shared = sorted(own.keys() & by_system[peer].keys())
                if name != peer and shared:
                    differences = [share(own[seed]) - share(by_system[peer][seed]) for seed in shared]
                    found.append(mean(row, f"minus {peer}", differences))
            seconds = float(np.mean([cell["fit"] for cell in own.values()]))
            tuned = [cell["fit"] for cell in by_system[PEERS[0]].values()]
            found.append(Measurement(row, "CPU s to fit", round(seconds, 1)))
            if tuned:
                found.append(Measurement(row, f"of {PEERS[0]}", round(seconds / float(np.mean(tuned)), 3)))
    return found


def share(cell: dict) -> float:
    return 100 * cell["right"] / cell["rows"]


def mean(row: str, what: str, values: list[float]) -> Measurement:
    """With a t-interval where there are several."""
    found = float(np.mean(values))
    if len(values) < 2:
        return Measurement(row, what, round(found, 1))
    half = stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values))
    return Measurement(row, what, round(found, 1), "", round(found - half, 1), round(found + half, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with train.csv and test.csv of BANKING77")
    parser.add_argument("--output", type=Path, help="file of finished cells; without it, all are made")
    parser.add_argument("--shots", type=int, nargs="+", default=[1, 5, 8])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4], help="of the draws")
    parser.add_argument("--table", default="against_setfit_all", help="of docs/performance.md that is written")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    lines: list[str] = []
    if options.output is not None:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        lines = options.output.read_text().splitlines() if options.output.exists() else []
    cells = [json.loads(line) for line in lines]
    done = {(cell["system"], cell["shots"], cell["seed"]) for cell in cells}
    train, test = (read(options.data / f"{part}.csv") for part in ("train", "test"))
    for shots in options.shots:
        for seed in options.seeds:
            draw = drawn(train, test, shots, seed)
            for name in options.systems:
                if (name, shots, seed) in done:
                    continue
                cell = {"system": name, "shots": shots, "seed": seed, **measure(name, draw)}
                if options.output is not None:
                    with options.output.open("a") as file:
                        file.write(json.dumps(cell) + "\n")
                cells.append(cell)
                print(cell, flush=True)
    chosen = [cell for cell in cells if cell["shots"] in options.shots and cell["seed"] in options.seeds]
    remark = f"means over {len(options.seeds)} draws, in brackets 95 % t-intervals"
    write(options.table, measurements(chosen), remark=remark)


if __name__ == "__main__":
    main()
