"""Predictions of episodes on disk: one JSON object per line, written as they come."""

import json
import os
from collections.abc import Iterable, Iterator
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

    def read_rows(self) -> Iterator[dict[str, Any]]:
        """All lines but the first, one at a time."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            first, size = True, 0
            for line in file:
                if not line.endswith(b"\n"):
                    # Cutting is one step: processes that read at the same time, or are stopped here, lose nothing.
                    os.truncate(self.path, size)
                    break
                size += len(line)
                if line == b"\n":
                    continue
                row = self._read(line)
                if not first:
                    yield row
                elif row != self.run:
                    raise ValueError(
                        f"{self.path} holds the predictions of another run, {row}, not of {self.run}. "
                        "Give another output folder."
                    )
                first = False

    def _read(self, line: bytes) -> Any:
        try:
            return json.loads(line)
        except ValueError as error:
            raise ValueError(f"{self.path} is damaged: {error}. Delete it or give another output folder.") from error

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Adds the predictions of some episodes."""
        with disk_full_explained(self.path.parent, self.path.name):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new = not self.path.exists() or not self.path.stat().st_size
            with self.path.open("a", encoding="utf-8") as file:
                if new:
                    file.write(json.dumps(self.run, ensure_ascii=False) + "\n")
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
