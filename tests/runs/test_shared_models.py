"""Runs of one process that leave their model as it is read it once; those that train or tune have their own."""

import pytest
import torch

from hf_fewshot.models import encoder_model
from hf_fewshot.models.kept import last_read
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run
from tests.tiny_models import LETTERS, WORDS, write_bert

SAMPLE = {"sample": True, "n_way": 5, "shots": 1, "n_episodes": 2}
SMALL = {"max_length": 128}


@pytest.fixture
def encoder(tmp_path, monkeypatch):
    """A folder, and how often an encoder is loaded from it."""
    last_read.forget()
    loaded = []
    load = encoder_model.load_model
    monkeypatch.setattr(encoder_model, "load_model", lambda *given, **more: loaded.append(1) or load(*given, **more))
    yield str(write_bert(tmp_path / "encoder", [*WORDS, *LETTERS])), loaded
    last_read.forget()


def run(encoder, method="proto", benchmark="few_nerd", config="inter", data=SAMPLE, **options):
    return Run(benchmark, method, config, data, options={**SMALL, **options}, model=encoder)


def test_frozen_runs_read_their_encoder_once_and_score_as_alone(encoder, tmp_path):
    place, loaded = encoder
    runs = [run(place, method, data={**SAMPLE, "seed": seed}) for method in ("proto", "nnshot") for seed in (0, 1)]
    together = [execute(one, tmp_path / "together", progress=False).numerators for one in runs]
    assert len(loaded) == 1
    alone = []
    for number, one in enumerate(runs):
        last_read.forget()
        alone.append(execute(one, tmp_path / f"alone-{number}", progress=False).numerators)
    assert together == alone
    assert len(loaded) == 5


def test_tuning_between_frozen_runs_changes_nothing_that_they_share(encoder, tmp_path):
    place, loaded = encoder
    joint = {"sample": True, "shots": 1, "episodes": "sampled", "n_episodes": 1}
    frozen = run(place, "joint_proto", "fewjoint", None, joint)
    first = execute(frozen, tmp_path / "first", progress=False)
    shared, _ = last_read.get(place, "words", lambda: pytest.fail("it is kept"))
    before = [weight.clone() for weight in shared.parameters()]
    tuned = run(place, "joint_proto", "fewjoint", None, joint, tuning={"steps": 2, "learning_rate": 0.1})
    execute(tuned, tmp_path / "tuned", progress=False)
    assert len(loaded) == 2
    assert all(torch.equal(one, other) for one, other in zip(before, shared.parameters(), strict=True))
    again = execute(frozen, tmp_path / "again", progress=False)
    assert len(loaded) == 2
    assert again.numerators == first.numerators
