"""A fold that chooses the model trained on another one."""

import pytest
import torch

from hf_fewshot.data import benchmark_data
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.runs.execution import ChangedError, execute
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of
from hf_fewshot.trainers.span_trainer import SpanTrainer

DATA = {"sample": True, "shots": 10, "fold": 2}
TRAINING = {
    "num_train_epochs": 3,
    "learning_rate": 1e-2,
    "warmup_steps": 0,
    "lr_scheduler_type": "constant",
    "per_device_train_batch_size": 4,
}
OPTIONS = {"max_length": 64, "stride": 32, "head": "single"}


@pytest.fixture
def spans(span_bert):
    def make(**training):
        fields = {"model": str(span_bert), "options": OPTIONS, "training": {**TRAINING, **training}}
        return Run("clues", "span_finetuning", "sst2", DATA, **fields)

    return make


def test_the_model_with_the_best_loss_on_the_other_fold_is_kept(spans, tmp_path, monkeypatch):
    seen, losses = [], iter([3.0, 1.0, 2.0])

    def loss(self, rows):
        seen.append([row["context"] for row in rows])
        return next(losses)

    monkeypatch.setattr(SpanTrainer, "loss", loss)
    run = spans(validation={"fold": 5})
    record = execute(run, tmp_path, progress=False)
    fold = Run("clues", "span_finetuning", "sst2", {**DATA, "fold": 5})
    assert len(seen) == 3
    assert seen[0] == data_of(fold).train_rows()["context"][:]
    # The second of three epochs was the best: the model is that of two epochs.
    execute(spans(num_train_epochs=2), tmp_path, progress=False)
    kept, two = (SpanModel.from_pretrained(tmp_path / one.name / "model") for one in (run, spans(num_train_epochs=2)))
    other = two.state_dict()
    assert all(torch.equal(value, other[name]) for name, value in kept.state_dict().items())
    parts = [(one["part"], one["options"]) for one in record.depends_on["data"]]
    assert parts == [("fold", {}), ("validation fold", {"fold": 5}), ("episodes", {})]
    # It is found again, and what it depends on is the same.
    assert execute(run, tmp_path, progress=False) == record


def test_the_loss_itself_chooses_without_help(spans, tmp_path):
    record = execute(spans(validation={"fold": 5}), tmp_path, progress=False)
    assert record.run.training.validation == {"fold": 5}
    assert record.run.name != spans().name


def test_a_changed_validation_fold_is_noticed(spans, tmp_path, monkeypatch):
    run = spans(validation={"fold": 5})
    execute(run, tmp_path, progress=False)
    real = benchmark_data.Data.files

    def files(self, part, options):
        return "other" if part == "validation fold" else real(self, part, options)

    monkeypatch.setattr(benchmark_data.Data, "files", files)
    monkeypatch.setattr(benchmark_data.Data, "content", lambda self, part, options: "0" * 64)
    with pytest.raises(ChangedError, match=r"validation fold \(was [0-9a-f]{12}, is 000000000000\)"):
        execute(run, tmp_path, progress=False)
