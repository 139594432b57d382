import pytest

from hf_fewshot.experiments.recipe import RecipeError, load_recipe

RECIPE = """
benchmark: few_nerd
config: inter
model: bert
data: {n_episodes: 10}
settings: [{n_way: 5, shots: 1}, {n_way: 10, shots: 5, split: validation}]
draws: {seed: [7, 8]}
seeds: [0, 1]
systems:
  ProtoBERT: {method: proto, options: {layers: 4}, training: {max_steps: 3}}
  StructShot:
    method: structshot
    model: other
    seeds: [5]
    options: {tau: 0.32}
    overrides: [{setting: {shots: 5}, options: {tau: 0.434}}]
"""


def write(tmp_path, text):
    path = tmp_path / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_settings_systems_draws_and_seeds_are_multiplied(tmp_path):
    runs = list(load_recipe(write(tmp_path, RECIPE)).runs())
    assert len(runs) == 2 * (2 * 2 + 2 * 1)
    first, last = runs[0], runs[-1]
    assert (first.system, first.method, first.model, first.seed) == ("ProtoBERT", "proto", "bert", 0)
    assert first.data == {"n_episodes": 10, "n_way": 5, "shots": 1, "seed": 7}
    assert first.training == {"max_steps": 3}
    assert (last.system, last.model, last.split, last.seed) == ("StructShot", "other", "validation", 5)
    assert last.data == {"n_episodes": 10, "n_way": 10, "shots": 5, "seed": 8}
    assert last.options == {"tau": 0.434}
    assert len({run.name for run in runs}) == len(runs)


def test_all_that_is_wrong_is_named(tmp_path):
    text = """
benchmark: few_nert
sede: 3
draws: {way: [1]}
systems:
  A: {method: prot, optoins: {}}
  B: proto
  C: {options: {}, overrides: [{options: {}}]}
"""
    with pytest.raises(RecipeError) as raised:
        load_recipe(write(tmp_path, text))
    message = str(raised.value)
    for part in (
        "The recipe has an unknown 'sede'. Did you mean 'seeds'?",
        "Unknown benchmark 'few_nert'. Did you mean 'few_nerd'?",
        "Unknown draw 'way'.",
        "System 'A' has an unknown 'optoins'. Did you mean 'options'?",
        "System 'A': Unknown method 'prot'. Did you mean 'proto'?",
        "System 'B' must be a mapping with a method.",
        "System 'C' has no 'method'.",
        "An override of system 'C' must have a setting, and options or training.",
    ):
        assert part in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "is no YAML"),
        ("- a", "must be a mapping with benchmark and systems, but is list"),
        ("benchmark: clues", "The recipe has no 'systems'"),
    ],
)
def test_what_is_no_recipe_is_refused(tmp_path, text, message):
    with pytest.raises(RecipeError, match=message):
        load_recipe(write(tmp_path, text))


def test_the_recipes_of_the_project_can_be_read_and_name_existing_data(project):
    paths = sorted((project / "recipes").rglob("*.yaml"))
    assert len(paths) >= 12
    for path in paths:
        recipe = load_recipe(path)
        assert recipe.title
        assert recipe.source or path.parent.name in ("sample", "laptop")
        runs = list(recipe.runs())
        assert len({run.name for run in runs}) == len(runs)
