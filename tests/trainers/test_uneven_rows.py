"""Five rows and steps of four: however many processes share a step, it has the gradient of its rows as one batch."""

import pytest
import torch
from torch.utils.data import SequentialSampler

from hf_fewshot.trainers.dealt_rows import WITHOUT_ROWS, DealtBatches, RowsOrOne
from tests.processes import run_forked
from tests.trainers.every_trainer import TRAINERS, make, train, write_models
from tests.trainers.uneven_script import main


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    write_models(folder)
    return folder


@pytest.fixture(scope="module")
def whole(models, tmp_path_factory):
    """What one process learns from steps that are one batch."""
    folder = tmp_path_factory.mktemp("whole")
    return {kind: train(make(kind, models, 4, output_dir=str(folder))) for kind in TRAINERS}


# What Adamax makes of gradients that are rounding alone is no more than that (see test_answer_processes).
ROUNDING = ("attention.self.key.bias", "output.LayerNorm.bias")


def require_same(found, whole, kind):
    assert len(whole["losses"]) == 4  # two epochs of a full step and one of a single row
    assert found["losses"] == pytest.approx(whole["losses"], rel=1e-3), kind
    assert found["norms"] == pytest.approx(whole["norms"], rel=1e-3), kind
    assert found["mean_loss"] == pytest.approx(whole["mean_loss"], rel=1e-3), kind
    kept = [name for name in whole["weights"] if kind != "spans" or not name.endswith(ROUNDING)]
    weights = [{name: one["weights"][name] for name in kept} for one in (found, whole)]
    torch.testing.assert_close(*weights, rtol=1e-3, atol=2e-5, msg=lambda text: f"{kind}: {text}")
    assert max((whole["weights"][name] - whole["before"][name]).abs().max() for name in kept) > 1e-3, kind


# One start for all trainers: it takes longer than they do.
def test_two_processes_learn_what_one_does(models, whole, tmp_path):
    run_forked(main, models, folder=tmp_path)
    for kind in TRAINERS:
        two = [torch.load(tmp_path / f"{kind}-{rank}.pt") for rank in range(2)]
        assert [result["process"] for result in (whole[kind], *two)] == [(0, 1), (0, 2), (1, 2)]
        torch.testing.assert_close(two[0]["weights"], two[1]["weights"], rtol=0, atol=0)
        require_same(two[0], whole[kind], kind)
    require_same(torch.load(tmp_path / "checkpointed-1.pt"), whole["episodic"], "checkpointed")


@pytest.mark.parametrize("kind", TRAINERS)
def test_accumulated_batches_are_one_batch(models, whole, kind, tmp_path):
    require_same(train(make(kind, models, 1, 4, output_dir=str(tmp_path))), whole[kind], kind)


def test_every_row_is_dealt_out_once():
    dealt = [list(DealtBatches(SequentialSampler(range(7)), 1, False, process, 3)) for process in range(3)]
    assert dealt == [[[0], [3], [6]], [[1], [4], []], [[2], [5], []]]
    assert len(DealtBatches(SequentialSampler(range(7)), 1, False, 2, 3)) == 3
    assert list(DealtBatches(SequentialSampler(range(7)), 2, True, 1, 2)) == [[1, 3]]


def test_a_process_without_a_row_has_one_that_does_not_count():
    collate = RowsOrOne(lambda rows: {"rows": list(rows)}, ["a", "b"])
    assert collate(["b"]) == {"rows": ["b"]}
    assert collate([]) == {"rows": ["a"], WITHOUT_ROWS: True}


def test_one_process_has_one_gpu(models, tmp_path, monkeypatch):
    trainer = make("tagger", models, 2, output_dir=str(tmp_path))
    arguments = trainer.args
    arguments._n_gpu = 3
    assert arguments.train_batch_size == 6
    again = type(trainer)(
        trainer.model, arguments, processing_class=trainer.processing_class, train_dataset=trainer.train_dataset
    )
    assert again.args.n_gpu == 1
    assert again.args.train_batch_size == 2
