"""The recipes of CLUES: against the settings of the paper and its code, and run on sample data with tiny models."""

import json
from dataclasses import replace

import pytest

from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.recipe import load_recipe
from hf_fewshot.systems.options import read_options
from tests.tiny_models import write_llama

# Mukherjee et al. 2021 and the authors' code, written down apart from the recipes.
MODELS = {
    "BERT-base": "bert-base-uncased",
    "BERT-large": "bert-large-uncased",
    "RoBERTa-large": "roberta-large",
    "DeBERTa-large": "microsoft/deberta-large",
}
FINE_TUNING = {"learning_rate": 5e-5, "num_train_epochs": 3, "per_device_train_batch_size": 16}
PROMPTS = {"learning_rate": 1e-5, "num_train_epochs": 20, "per_device_train_batch_size": 8, "max_length": 512}
HEAD = {"head": "single", "max_length": 384, "stride": 180, "max_answer_tokens": 20}
CLASSIFICATION, OTHERS = ("sst2", "mnli"), ("conll03", "wikiann", "squad", "record")
OUR_HEAD = "Span fine-tuning, our set head"
DRAWS = [{"shots": shots, "fold": fold} for shots in (10, 20, 30) for fold in (1, 2, 3, 4, 5)]


def expected_rows(config, prompts):
    """Method, model, options and training of every row of Table 5 or 6."""
    rows = {f"{name} FT": ("span_finetuning", model, HEAD, FINE_TUNING) for name, model in MODELS.items()}
    rows["T5-large FT"] = ("text_to_text", "t5-large", {}, FINE_TUNING | {"adamax": True})
    for name, model in MODELS.items() if prompts else ():
        shown = {"n_draws": {"sst2": 16, "mnli": 4}[config]}
        rows[f"{name} PT"] = ("prompt_tuning", model, {}, PROMPTS | shown)
        rows[f"{name} PT, no demonstrations"] = ("prompt_tuning", model, {}, PROMPTS | {"demonstrations": False})
    return rows


@pytest.mark.parametrize(
    ("recipe", "configs", "data", "in_context"),
    [
        ("clues_classification", CLASSIFICATION, DRAWS, True),
        ("clues_spans", OTHERS, DRAWS, False),
        ("clues_all_classification", CLASSIFICATION, [{"all_rows": True}], False),
        ("clues_all_spans", OTHERS, [{"all_rows": True}], False),
    ],
)
def test_the_rows_of_tables_5_and_6_have_the_settings_of_the_authors(recipe, configs, data, in_context, project):
    found = {}
    for run in load_recipe(project / "recipes" / f"{recipe}.yaml").runs():
        found[run.config, json.dumps(run.data, sort_keys=True), run.system] = (
            run.method,
            run.model,
            run.options,
            run.written["training"],
        )
    expected = {}
    for config in configs:
        rows = expected_rows(config, prompts=configs == CLASSIFICATION)
        if in_context:
            rows["In context"] = ("in_context", "HuggingFaceTB/SmolLM2-1.7B-Instruct", {}, None)
        for own in data:
            expected |= {(config, json.dumps(own, sort_keys=True), name): row for name, row in rows.items()}
    assert found == expected


def test_the_experiment_on_validation_trains_on_four_folds_and_chooses_by_the_fifth(project):
    runs = list(load_recipe(project / "recipes/clues_validation.yaml").runs())
    plain, chosen = (
        [run for run in runs if (run.training.validation is not None) is validated] for validated in (False, True)
    )
    assert {run.config for run in chosen} == {*CLASSIFICATION, *OTHERS}
    for own in (plain, chosen):
        assert [run.data for run in own if run.config == "sst2"] == [{"shots": 10, "fold": f} for f in (1, 2, 3, 4)]
    assert {run.model for run in runs} == {"bert-base-uncased"}
    assert all(run.options == HEAD for run in runs)
    assert all(run.training.written == FINE_TUNING for run in plain)
    assert all(run.training.written == FINE_TUNING | {"validation": {"fold": 5}} for run in chosen)


def test_both_heads_learn_alike_from_the_same_examples(project):
    runs = [run for path in (project / "recipes/laptop").glob("clues_*.yaml") for run in load_recipe(path).runs()]
    ours = {run.name: run for run in runs if run.system == OUR_HEAD}
    assert ours["clues_conll03_shots=10_fold=1_Span-fine-tuning-our-set-head_seed=0_492c5cf419"].data == {
        "shots": 10,
        "fold": 1,
    }
    assert len(ours) == 90
    classic = [run for run in runs if run.system == "Span fine-tuning, classic head"]
    assert [run.training for run in classic] == [run.training for run in ours.values()]
    assert [(run.config, run.data) for run in classic] == [(run.config, run.data) for run in ours.values()]


def test_the_head_of_ours_is_named_so_in_every_recipe(project):
    runs = [run for path in (project / "recipes").rglob("*.yaml") for run in load_recipe(path).runs()]
    heads = {
        (run.system == OUR_HEAD, read_options(run.method, run.options).head)
        for run in runs
        if run.method == "span_finetuning"
    }
    assert heads == {(True, "set"), (False, "single")}


def first_of_each_kind(path):
    """Of runs that differ in model, fold and numbers only, the first."""
    kinds = {}
    for run in load_recipe(path).runs():
        kinds.setdefault((run.config, run.method, *sorted(run.options), *sorted(run.written["training"] or {})), run)
    # Every way to train is tried out on one task of the recipe; every template without examples.
    by_method = {}
    for (config, *rest), run in kinds.items():
        by_method.setdefault((config if run.training is None else "", *rest), run)
    return list(by_method.values())


@pytest.mark.parametrize(
    ("recipe", "n_kinds"),
    [
        ("clues_classification", 6),
        ("clues_spans", 2),
        ("clues_all_classification", 4),
        ("clues_all_spans", 2),
        ("clues_validation", 2),
        ("clues_zero_classification", 6),
        ("clues_zero_spans", 4),
    ],
)
def test_every_recipe_runs_on_sample_data(recipe, n_kinds, project, tmp_path, span_bert, masked_roberta, t5):
    tiny = {
        "span_finetuning": (span_bert, {"max_length": 100, "stride": 50}, {"max_steps": 1}),
        "prompt_tuning": (masked_roberta, {}, {"max_steps": 1, "max_length": 120}),
        "text_to_text": (t5, {}, {"max_steps": 1, "max_target_length": 128}),
        "in_context": (write_llama(tmp_path / "lm"), {}, None),
    }
    runs = first_of_each_kind(project / "recipes" / f"{recipe}.yaml")
    assert len(runs) == n_kinds
    for run in runs:
        model, options, training = tiny[run.method]
        given = None if run.training is None else {**run.training.written, **training}
        if given is not None and "n_draws" in given:
            given["n_draws"] = 1
        small = replace(
            run,
            data={**run.data, "sample": True},
            model=str(model),
            options={**run.options, **options},
            training=given,
        )
        record = execute(small, tmp_path / "results", progress=False)
        assert record.run == small
        assert 0 <= record.score <= 1
