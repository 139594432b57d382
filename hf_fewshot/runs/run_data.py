"""The data of a run."""

from typing import Any

from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.runs.run import Run


def data_of(run: Run, source: dict[str, Any] | None = None) -> Data:
    """What a run reads.

    Args:
        source: where raw files are, such as `{"data_dir": folder}`; it is no part of the run.
    """
    training = run.training or {}
    return Data(
        run.benchmark,
        run.config,
        run.data,
        run.split,
        run.seed,
        training_data=training.get("data", {}),
        validation_data=training.get("validation", {}),
        source=source or {},
    )
