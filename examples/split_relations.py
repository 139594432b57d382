"""Splits the validation relations of FewRel into some to train on and some to test with, as a data folder of its own.

    python examples/split_relations.py FewRel results/FewRel-9-7 --train 9
    hf-fewshot run recipes/laptop/fewrel_split.yaml --data-dir results/FewRel-9-7

For when the training file is not at hand, or too large. Which relation goes where depends on nothing but their names.
"""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np


def split(source: Path, output: Path, n_train: int) -> None:
    """Writes data/train_wiki.json and data/val_wiki.json below `output`."""
    relations = json.loads((source / "data/val_wiki.json").read_text(encoding="utf-8"))
    if not 0 < n_train < len(relations):
        raise SystemExit(
            f"--train {n_train}, but {source} has {len(relations)} relations: give 1 to {len(relations) - 1}."
        )
    names = np.random.default_rng(0).permutation(sorted(relations)).tolist()
    (output / "data").mkdir(parents=True, exist_ok=True)
    for file, chosen in (("train_wiki.json", names[:n_train]), ("val_wiki.json", names[n_train:])):
        part = {name: instances for name, instances in relations.items() if name in set(chosen)}
        (output / "data" / file).write_text(json.dumps(part, ensure_ascii=False), encoding="utf-8")
        print(f"{file}: {', '.join(sorted(chosen))}")
    shutil.copy(source / "data/pid2name.json", output / "data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder with data/val_wiki.json")
    parser.add_argument("output", type=Path, help="the new folder")
    parser.add_argument("--train", type=int, default=9, help="number of relations to train on")
    options = parser.parse_args()
    split(options.source, options.output, options.train)


if __name__ == "__main__":
    main()
