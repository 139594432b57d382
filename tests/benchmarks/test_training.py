"""Every trainer is timed beside a plain loop."""

from hf_fewshot import trainers


def test_no_trainer_is_left_out(project, monkeypatch):
    monkeypatch.syspath_prepend(str(project / "benchmarks"))
    from trainings import TRAININGS

    assert set(TRAININGS) == {name for name in trainers.__all__ if name.endswith(("Trainer", "Pretrainer"))}
