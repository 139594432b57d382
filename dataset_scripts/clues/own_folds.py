"""Folds in the manner of CLUES from one's own rows, in the authors' files, which `load_dataset` reads."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hf_fewshot.dataset_scripts.clues.clues import FOLDS, SHOTS, TASKS, Clues, Task, read_row
from hf_fewshot.episodes.options import require_seed, require_whole
from hf_fewshot.files.raw_files import require_unique
from hf_fewshot.files.whole_folder import whole_folder

N_TEST = 200
Row = dict[str, Any]
Example = list[Row]  # the rows of one context that go together


def write_folds(
    config: str, rows: Iterable[Mapping[str, Any]], folder: str | Path, *, n_test: int = N_TEST, seed: int = 0
) -> Path:
    """Draws test rows and five folds of 10, 20 and 30 shots from rows, writes them, and returns the `data_dir`.

    As in CLUES, the 10 shots of a fold are among its 20, and those among its 30. No context is in two parts: neither
    in two folds nor in a fold and the test rows. Where every context is asked all questions (entities), k shots are k
    contexts with all their questions; else k rows, one of each context. What is no test row is the training data of
    `all_rows=True`. The files are a function of rows and seed, and appear when all of them are whole.

    Args:
        config: the task of CLUES whose form the rows have, such as "sst2".
        rows: with `id`, `context`, `question`, `answer` and the other fields of the task, as in the authors' files.
        folder: where the files go, in the authors' layout; it must not hold those of the task.
        n_test: how many examples are test rows.
    """
    config = Clues.config_name(config)
    require_whole(n_test=n_test)
    require_seed(seed)
    task = TASKS[config]
    target = Path(folder) / "data" / "JSON" / "CLUES-JSON" / task.folder
    if target.exists():
        raise FileExistsError(f"{target} is there already. Choose another folder, or remove it.")
    examples = _examples(config, task, [dict(row) for row in rows])
    n_train = max(SHOTS) * len(FOLDS)
    if len(examples) < n_test + n_train:
        raise ValueError(
            f"Expected at least {n_test + n_train} different contexts, {n_test} for the test rows and {n_train} for "
            f"{len(FOLDS)} folds of {max(SHOTS)}, got {len(examples)}. Give more rows, or lower n_test."
        )
    random = np.random.default_rng(seed)
    drawn = [examples[number] for number in random.permutation(len(examples))]
    if not task.asks_all:
        # Of a context with several questions one is asked.
        drawn = [[example[int(random.integers(len(example)))]] for example in drawn]
    files = {"test": drawn[:n_test], "train": drawn[n_test:]}
    for number, fold in enumerate(FOLDS):
        own = files["train"][number * max(SHOTS) : (number + 1) * max(SHOTS)]
        files |= {f"train_{shots}_{fold}": own[:shots] for shots in SHOTS}
    with whole_folder(target, f"the folds of {config}") as unfinished:
        for name, members in files.items():
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for example in members for row in example)
            (unfinished / f"{task.prefix}_{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")
    return Path(folder)


def _examples(config: str, task: Task, rows: Sequence[Row]) -> list[Example]:
    """The rows by their contexts, in the order of the first of each; rows that could not be read back are refused."""
    where = Path(f"rows of {config}")
    read = [read_row(where, number, row, task) for number, row in enumerate(rows, start=1)]
    require_unique(where, [row["id"] for row in read], list(range(1, len(read) + 1)))
    by_context: dict[tuple[str, ...], Example] = {}
    asked: dict[tuple[str, ...], list[str]] = {}
    for row, own in zip(rows, read, strict=True):
        context = tuple(own["context"])
        by_context.setdefault(context, []).append(row)
        asked.setdefault(context, []).append(own["question"])
    if task.asks_all:
        questions = sorted({question for own in asked.values() for question in own})
        for context, own in asked.items():
            if sorted(own) != questions:
                raise ValueError(
                    f"Every context of {config} is asked all questions once: {questions}. {context[0][:80]!r} is "
                    f"asked {own}."
                )
    return list(by_context.values())
