"""What recipes of entities, intents and slots have beside the settings of papers' tables."""

import pytest

from hf_fewshot.runs.recipe import load_recipe


@pytest.fixture
def runs(project):
    """The runs of a recipe."""
    return lambda name: list(load_recipe(project / "recipes" / f"{name}.yaml").runs())


def test_errors_are_analysed_of_the_runs_of_table_6(runs):
    of_table_6 = {run.name for run in runs("few_nerd_inter") if (run.data["n_way"], run.data["shots"]) == (5, 5)}
    assert {run.name for run in runs("few_nerd_errors")} == of_table_6
    assert len(of_table_6) == 3 * 5


def test_data_with_bio_labels_is_tagged_as_few_nerd_is(runs):
    (of_few_nerd,), (of_bio,) = runs("few_nerd_supervised"), runs("few_nerd_bio")
    assert (of_few_nerd.data, of_bio.data) == ({}, {"scheme": "bio"})
    assert of_few_nerd.training == of_bio.training


def test_the_rows_of_the_readme_of_fewjoint_are_trained_as_its_scripts_say(runs):
    found = [run for run in runs("fewjoint_1.1") if run.system != "Pretrained+Finetune"]
    assert len(found) == 4 * 2 * 3
    for run in found:
        # Of the scripts: shots -> epochs, queries of a training episode.
        epochs, n_query = {1: (4, 16), 5: (8, 8)}[run.data["shots"]]
        arguments = run.training.arguments
        assert (arguments["num_train_epochs"], run.training.data) == (epochs, {"n_query": n_query})
        assert (arguments["learning_rate"], arguments["head_learning_rate"]) == (1e-5, 1e-3)
        assert (arguments["per_device_train_batch_size"], arguments["max_grad_value"]) == (4, 5)
        assert run.options["similarity"] == "dot"
        assert run.options.get("transitions") == ("rules" if run.system == "LD-Proto+TR" else None)
        assert run.options.get("dependency", False) == run.system.startswith("LD-")
