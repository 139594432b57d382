"""Predictions of episodes on disk: one JSON object per line, written as they come."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hf_fewshot.files.disk_space import disk_full_explained


class PredictionFile:
    """`{"index": episode, "ids": [query ids], "predictions": [a class, or a list of tags, per query]}` per line.

    The first line names the run (episodes, method, weights); another run's file is an error, not overwritten. A
    line cut off by an interruption is dropped, and its episode predicted again.
    """

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        self.path = path
        self.run = run

    def read(self) -> dict[int, list[Any]]:
        """What is already predicted, by episode."""
        return {row["index"]: row["predictions"] for row in self.read_rows()}

    def read_rows(self) -> list[dict[str, Any]]:
        """All lines but the first."""
        if not self.path.exists():
            return []
        lines = self.path.read_bytes().split(b"\n")
        try:
            complete = [json.loads(line) for line in lines[:-1] if line]
        except ValueError as error:
            raise ValueError(f"{self.path} is damaged: {error}. Delete it or give another output folder.") from error
        if complete and complete[0] != self.run:
            raise ValueError(
                f"{self.path} holds the predictions of another run, {complete[0]}, not of {self.run}. "
                "Give another output folder."
            )
        if lines[-1]:
            # Cutting is one step: processes that read at the same time, or are stopped here, lose nothing.
            os.truncate(self.path, sum(len(line) + 1 for line in lines[:-1]))
        return complete[1:]

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Adds the predictions of some episodes."""
        with disk_full_explained(self.path.parent, self.path.name):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new = not self.path.exists() or not self.path.stat().st_size
            with self.path.open("a", encoding="utf-8") as file:
                if new:
                    file.write(json.dumps(self.run, ensure_ascii=False) + "\n")
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
