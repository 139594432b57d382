"""Results of folds on disk: one JSON file per fold, so that an interrupted run goes on where it stopped."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hf_fewshot.whole_file import whole_file


@dataclass(frozen=True)
class FoldResult:
    """The score of one fold, those of the trivial baselines, and the predictions by the ids of test rows."""

    task: str
    shots: int
    fold: int
    s1: float
    baselines: dict[str, float]
    predictions: dict[str, list[str]]


class ResultFolder:
    """Results of one run; `run` says what it is (model, settings), and results of another run are refused."""

    def __init__(self, path: str | Path, run: dict[str, Any]) -> None:
        self.path = Path(path)
        self.run = json.loads(json.dumps(run))

    def file(self, task: str, shots: int, fold: int) -> Path:
        """Where the result of a fold is kept."""
        return self.path / f"{task}_{shots}_{fold}.json"

    def read(self, task: str, shots: int, fold: int) -> FoldResult | None:
        """The result of a fold, or None where it is still to be made."""
        file = self.file(task, shots, fold)
        if not file.exists():
            return None
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            run, result = content["run"], FoldResult(**content["result"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{file} is no result of a fold ({error!r}). Delete it or give another folder."
            ) from error
        if run != self.run:
            raise ValueError(f"{file} is the result of another run, {run}, not of {self.run}. Give another folder.")
        return result

    def write(self, result: FoldResult) -> None:
        """Keeps a result; the file appears when it is whole."""
        file = self.file(result.task, result.shots, result.fold)
        content = {"run": self.run, "result": dataclasses.asdict(result)}
        with whole_file(file) as unfinished:
            unfinished.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
