"""What is for the log alone is computed when something is logged, and is what the Trainer would compute."""

import pytest
from transformers import Trainer

from tests.trainers.every_trainer import joint, write_models


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("models")
    write_models(made)
    return made


def trained(folder, output, monkeypatch, **options):
    """A trainer without a limit on the norm after four steps in two epochs, and how often it computed the norm."""
    chosen = {"output_dir": str(output), "max_steps": 4, "per_device_train_batch_size": 3, "save_strategy": "no"}
    trainer = joint(folder, chosen | {"max_grad_norm": 0.0, "report_to": "none", "use_cpu": True} | options)
    computed = []
    norm = Trainer._get_grad_norm

    def noted(*arguments, **more):
        computed.append(trainer.state.global_step + 1)
        return norm(*arguments, **more)

    monkeypatch.setattr(Trainer, "_get_grad_norm", noted)
    trainer.train()
    return trainer, computed, [line["grad_norm"] for line in trainer.state.log_history if "grad_norm" in line]


@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ({"logging_steps": 2}, [2, 4]),
        ({"logging_steps": 3, "logging_first_step": True}, [1, 3]),
        ({"logging_strategy": "no"}, []),
    ],
)
def test_norms_are_computed_for_the_steps_that_are_logged(options, steps, folder, tmp_path, monkeypatch):
    _, computed, logged = trained(folder, tmp_path, monkeypatch, **options)
    assert computed == steps
    assert len(logged) == len(steps)
    assert all(norm > 0 for norm in logged)


def test_after_an_epoch_the_norm_of_its_last_step_is_logged(folder, tmp_path, monkeypatch):
    _, every, norms = trained(folder, tmp_path, monkeypatch, logging_steps=1)
    assert every == [1, 2, 3, 4]
    _, computed, logged = trained(folder, tmp_path, monkeypatch, logging_strategy="epoch")
    assert computed == [1, 2, 3, 4]
    assert logged == pytest.approx([norms[1], norms[3]])


def test_where_gradients_are_limited_all_norms_are_computed(folder, tmp_path, monkeypatch):
    _, computed, _ = trained(folder, tmp_path, monkeypatch, logging_steps=4, max_grad_norm=1.0)
    assert computed == [1, 2, 3, 4]


def test_operations_are_counted_as_the_trainer_does(folder, tmp_path, monkeypatch):
    trainer, _, _ = trained(folder, tmp_path, monkeypatch)
    batch = next(iter(trainer.get_train_dataloader()))
    expected = Trainer.floating_point_ops(trainer, batch)
    assert expected > 0
    assert trainer.floating_point_ops(batch) == expected
    assert trainer.floating_point_ops({}) == 0
    assert trainer.state.total_flos > 0
