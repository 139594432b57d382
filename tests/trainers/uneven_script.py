"""Trains with every trainer on five rows, which no step of four divides, for tests that need processes of their own.

Arguments: the folder of the models. Writes `tagger-0.pt` and so on: the kind of trainer and the number of the process.
"""

import sys
from pathlib import Path

import torch

from tests.trainers.every_trainer import TRAINERS, make, train


def main() -> None:
    for kind in TRAINERS:
        # Two processes, two accumulated batches of one row: the last step of an epoch has one row for one of them.
        result = train(make(kind, Path(sys.argv[1]), 1, 2))
        torch.save(result, f"{kind}-{result['process'][0]}.pt")
    again = train(make("episodic", Path(sys.argv[1]), 1, 2, gradient_checkpointing=True))
    torch.save(again, f"checkpointed-{again['process'][0]}.pt")


if __name__ == "__main__":
    main()
