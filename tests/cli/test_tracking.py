"""`run --track`: what is refused, and which runs a tracker shows together."""

import pytest
from transformers import TrainerCallback
from transformers.integrations.integration_utils import INTEGRATION_TO_CALLBACK

from hf_fewshot.cli import main
from hf_fewshot.tracking import trackers

ONE = [
    "--benchmark",
    "fewrel",
    "--split",
    "validation",
    "--n-way",
    "3",
    "--shots",
    "1",
    "--n-episodes",
    "2",
    "--sample",
]
RECIPE = (
    "{benchmark: fewrel, split: validation, data: {sample: true, n_way: 3, shots: 1, n_episodes: EPISODES}, SYSTEMS}"
)
SYSTEMS = "systems: {Frequent: {method: one_class}}"


@pytest.fixture
def groups(monkeypatch):
    """The groups of the runs that were told to the tracker "recorder"."""
    found = []

    class Recorder(TrainerCallback):
        def on_train_begin(self, args, state, control, **_):
            found.append(args.group)

    monkeypatch.setitem(INTEGRATION_TO_CALLBACK, "recorder", Recorder)
    return found


def test_a_recipe_is_a_group(groups, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, episodes in (("first", "2"), ("second", "3")):
        (tmp_path / f"{name}.yaml").write_text(RECIPE.replace("EPISODES", episodes).replace("SYSTEMS", SYSTEMS))
    assert main(["run", "first.yaml", "second.yaml", "--track", "recorder"]) == 0
    assert groups == ["first", "second"]
    assert main(["run", "first.yaml", "second.yaml", "--track", "recorder"]) == 0
    assert groups == ["first", "second"]


def test_without_a_recipe_the_benchmark_is_the_group(groups, tmp_path, capsys):
    arguments = ["run", *ONE, "--method", "one_class", "--output", str(tmp_path), "--track", "recorder"]
    assert main(arguments) == 0
    assert groups == ["fewrel"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--track", "wanbd"], "Unknown tracker 'wanbd'. Did you mean 'wandb'?"),
        (["--track", "comet_ml"], "Tracking with comet_ml needs a package that is not here: pip install comet-ml."),
        (["--track", "wanbd", "--dry-run"], "Unknown tracker 'wanbd'. Did you mean 'wandb'?"),
        (["--track", "trackio", "--episodes", "0:1"], "--track and --episodes exclude each other"),
        (["--track", "trackio", "--launcher", "jobs", "--repo", "me/results"], "--track and --launcher jobs exclude"),
    ],
)
def test_what_cannot_be_tracked_is_refused_before_anything_runs(words, message, tmp_path, capsys):
    assert main(["run", *ONE, "--method", "one_class", "--output", str(tmp_path / "results"), *words]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_a_tracker_that_is_missing_is_named_with_what_installs_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("transformers.integrations.integration_utils.is_trackio_available", lambda: False)
    assert main(["run", *ONE, "--method", "one_class", "--output", str(tmp_path), "--track", "trackio"]) == 2
    assert "needs a package that is not here: pip install 'hf_fewshot[track]'." in capsys.readouterr().err


def test_every_package_to_install_is_that_of_a_tracker():
    assert trackers.PACKAGES.keys() <= INTEGRATION_TO_CALLBACK.keys()
