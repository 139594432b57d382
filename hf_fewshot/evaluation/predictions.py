"""Predictions of episodes on disk: one JSON object per line, written as they come."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class PredictionFile:
    """`{"index": episode, "ids": [query ids], "predictions": [a class, or a list of tags, per query]}` per line.

    The first line names the run (episode fingerprint and method); another run's file is an error, not overwritten. A
    line cut off by an interruption is dropped, and its episode predicted again.
    """

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        self.path = path
        self.run = run

    def read(self) -> dict[int, list[Any]]:
        """What is already predicted, by episode."""
        if not self.path.exists():
            return {}
        done: dict[int, list[Any]] = {}
        lines = self.path.read_bytes().split(b"\n")
        complete = [json.loads(line) for line in lines[:-1] if line]
        if complete and complete[0] != self.run:
            raise ValueError(
                f"{self.path} holds the predictions of another run, {complete[0]}, not of {self.run}. "
                "Give another output folder."
            )
        if lines[-1]:
            self.path.write_bytes(b"".join(line + b"\n" for line in lines[:-1] if line))
        for row in complete[1:]:
            done[row["index"]] = row["predictions"]
        return done

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Adds the predictions of some episodes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = not self.path.exists() or not self.path.stat().st_size
        with self.path.open("a", encoding="utf-8") as file:
            if new:
                file.write(json.dumps(self.run, ensure_ascii=False) + "\n")
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
