"""The data of a run."""

from typing import Any

from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.training_plan import Training


def data_of(run: Run, source: dict[str, Any] | None = None) -> Data:
    """What a run reads.

    Args:
        source: where raw files are, such as `{"data_dir": folder}`; it is no part of the run.
    """
    training = run.training or Training()
    return Data(
        run.benchmark,
        run.config,
        run.data,
        run.split,
        run.seed,
        training_data=training.data,
        validation_data=training.validation or {},
        source=source or {},
    )
