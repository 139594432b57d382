"""What a record says of the precision of a run."""

import pytest
from accelerate import Accelerator
from accelerate.state import AcceleratorState

from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.run import Run

DATA = {"sample": True, "n_way": 2, "shots": 1, "n_episodes": 2}
HALF = {"bf16": True, "use_cpu": True, "gradient_checkpointing": True, "gradient_accumulation_steps": 2}
TRAINING = {**HALF, "max_steps": 1, "per_device_train_batch_size": 1, "data": {"n_episodes": 2}}


@pytest.fixture(autouse=True)
def own_accelerator():
    AcceleratorState._reset_state(reset_partial_state=True)
    yield
    AcceleratorState._reset_state(reset_partial_state=True)


@pytest.mark.parametrize(("launched", "trained"), [("no", "bf16"), ("bf16", "no"), ("bf16", "bf16")])
def test_predictions_have_the_precision_of_the_launch_and_training_its_own(launched, trained, encoder, tmp_path):
    training = TRAINING if trained == "bf16" else {**TRAINING, "bf16": False}
    run = Run("fewrel", "threshold", None, DATA, "validation", model=str(encoder), training=training)
    accelerator = Accelerator(cpu=True, mixed_precision=launched)
    record = execute(run, tmp_path, accelerator=accelerator, progress=False)
    assert record.environment["precision"] == launched
    assert record.run.written["training"]["bf16"] is (trained == "bf16")


def test_planning_refuses_fp16_on_a_cpu(encoder):
    training = {"fp16": True, "use_cpu": True, "data": {"n_episodes": 2}}
    with pytest.raises(ValueError, match="fp16=True needs a GPU, but use_cpu=True"):
        check_runs([Run("fewrel", "threshold", None, DATA, "validation", model=str(encoder), training=training)])
