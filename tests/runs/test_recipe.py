import re
import sys

import pytest

from hf_fewshot.runs.recipe import RecipeError, load_recipe
from hf_fewshot.systems.training_plan import Training

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
    assert first.training == Training({"max_steps": 3})
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


SMALL = """\
benchmark: fewrel
data: {n_way: 2, shots: 1}
settings: [{nota_rate: 0.2}, {nota_rate: 0.5}]
draws: {seed: [0, 1]}
seeds: [0]
systems:
  One: {method: one_class}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "is no YAML"),
        ("- a", "must be a mapping with benchmark and systems, but is list"),
        ("", "must be a mapping with benchmark and systems, but is NoneType"),
        ("benchmark: clues", "The recipe has no 'systems'"),
        (SMALL + "  One: {method: always_none}", r"the key 'One' comes twice in one mapping \(line 8, column 3\)"),
        (SMALL + "seeds: [1]", r"the key 'seeds' comes twice in one mapping \(line 8, column 1\)"),
    ],
)
def test_what_is_no_recipe_is_refused(tmp_path, text, message):
    with pytest.raises(RecipeError, match=message):
        load_recipe(write(tmp_path, text))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds: [0]", "seeds:", "The recipe: seeds=None, but this part of it must be a list of whole numbers. Give"),
        ("seeds: [0]", "seeds: 3", "The recipe: seeds=3, but this part of it must be a list of whole numbers."),
        ("seeds: [0]", "seeds: [true]", r"The recipe: seeds=\[True\], but"),
        ("seeds: [0]", "seeds: []", "seeds is an empty list: nothing would run. Give a value, or leave it out."),
        ("seeds: [0]", "seeds: [4, 4]", "seeds has 4 twice. Leave one out."),
        ("seed: [0, 1]", "seed: 3", "this part of it must be a mapping, each value a list of whole numbers."),
        ("seed: [0, 1]", "seed: []", "draws: seed is an empty list"),
        ("{seed: [0, 1]}", "[seed]", r"The recipe: draws=\['seed'\], but"),
        ("{nota_rate: 0.5}", "{nota_rate: 0.2}", 'settings has {"nota_rate": 0.2} twice'),
        ("{nota_rate: 0.5}", "nota_rate", "must be a list of a mapping"),
        ("{n_way: 2, shots: 1}", "", "The recipe: data=None, but this part of it must be a mapping."),
        ("fewrel", "[fewrel]", r"The recipe: benchmark=\['fewrel'\], but this part of it must be text."),
        ("  One: {method: one_class}", "  {}", "systems must be a mapping from names to methods, with at least one"),
        ("  One: {method: one_class}", "", "systems must be a mapping from names to methods, with at least one"),
        ("one_class", "[one_class]", r"System 'One': method=\['one_class'\], but this part of it must be text."),
        ("one_class", "proto, options: 7", "System 'One': options=7, but this part of it must be a mapping."),
        ("one_class", "proto, training: [1]", r"System 'One': training=\[1\], but .* must be a mapping or none."),
        ("one_class", "proto, seeds: [1, 1]", "System 'One': seeds has 1 twice."),
        ("one_class", "proto, overrides: 3", "System 'One': overrides=3, but this part of it must be a list of a map"),
        ("one_class", "proto, overrides: [{setting: 3}]", "An override of system 'One': setting=3, but"),
        ("one_class", "proto, training: {report_to: wandb}", "--training report_to=..."),
    ],
)
def test_parts_of_another_type_are_refused(tmp_path, old, new, message):
    with pytest.raises(RecipeError, match=message):
        load_recipe(write(tmp_path, SMALL.replace(old, new)))


def test_numbers_with_an_exponent_are_numbers(tmp_path):
    text = SMALL.replace("one_class", "proto, training: {learning_rate: 1e-4}")
    (run, *_) = load_recipe(write(tmp_path, text)).runs()
    assert run.training == Training({"learning_rate": 0.0001})


def test_a_short_recipe_for_endless_work_is_refused(tmp_path):
    seeds = list(range(1000))
    text = SMALL.replace("seeds: [0]", f"seeds: {seeds}").replace("seed: [0, 1]", f"seed: {seeds}")
    with pytest.raises(RecipeError, match="asks for 2,000,000 runs, more than 100,000"):
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


def test_an_override_sees_all_that_is_known_of_a_setting(tmp_path):
    text = SMALL.replace(
        "one_class", "proto, overrides: [{setting: {shots: 1, nota_rate: 0.5}, options: {layers: 2}}]"
    )
    runs = list(load_recipe(write(tmp_path, text)).runs())
    assert {(run.data["nota_rate"], run.options.get("layers")) for run in runs} == {(0.2, None), (0.5, 2)}
    of_split = SMALL.replace("one_class", "proto, overrides: [{setting: {split: test}, training: {max_steps: 1}}]")
    assert all(run.training == Training({"max_steps": 1}) for run in load_recipe(write(tmp_path, of_split)).runs())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "one_class",
            "proto, overrides: [{setting: {shots: 5}, options: {layers: 2}}]",
            "for {'shots': 5}, which no setting",
        ),
        (
            "one_class",
            "proto, overrides: [{setting: {seed: 0}, options: {layers: 2}}]",
            "for {'seed': 0}, which no setting",
        ),
        ("one_class", "proto, overrides: [{setting: {shots: 1}}]", "has neither options nor training."),
        (
            "one_class",
            "one_class, model: bert",
            "Method 'one_class' needs no model, but got model='bert'. Leave it out.",
        ),
        ("{nota_rate: 0.5}", "{nota_rate: 0.5, seed: 3}", "seed is drawn, and said in data or settings as well."),
        (
            "{n_way: 2, shots: 1}",
            "{n_way: 2, shots: 1, seed: 3}",
            "seed is drawn, and said in data or settings as well.",
        ),
    ],
)
def test_what_would_have_no_effect_is_refused(tmp_path, old, new, message):
    with pytest.raises(RecipeError, match=re.escape(message)):
        load_recipe(write(tmp_path, SMALL.replace(old, new)))


def test_what_is_wrong_with_one_system_leaves_the_others(tmp_path):
    text = SMALL + "  Two: {method: on_class}\n  Three: {methods: one_class}\n"
    with pytest.raises(RecipeError, match="Unknown method 'on_class'") as raised:
        load_recipe(write(tmp_path, text))
    assert list(raised.value.rest.systems) == ["One"]
    assert [problem.partition("recipe.yaml: ")[2] for problem in raised.value.problems] == [
        "System 'Two': Unknown method 'on_class'. Did you mean 'one_class'?",
        "System 'Three' has an unknown 'methods'. Did you mean 'method'?",
        "System 'Three' has no 'method'.",
    ]
    with pytest.raises(RecipeError, match="Unknown benchmark 'fewrell'") as raised:
        load_recipe(write(tmp_path, text.replace("fewrel", "fewrell")))
    assert raised.value.rest is None


SHARED = """
benchmark: fewrel
training: {max_steps: 3, learning_rate: 1e-4, data: {n_episodes: 8}}
systems:
  Frozen: {method: proto}
  As all: {method: proto, training: {}}
  Its own: {method: proto, training: {max_steps: 5}}
"""


def test_trained_systems_share_the_training_of_the_recipe(tmp_path):
    frozen, as_all, own = load_recipe(write(tmp_path, SHARED)).runs()
    assert frozen.training is None
    assert as_all.training == Training({"max_steps": 3, "learning_rate": 0.0001}, data={"n_episodes": 8})
    assert own.training == Training({"max_steps": 5, "learning_rate": 0.0001}, data={"n_episodes": 8})


def test_a_training_that_no_system_has_is_refused(tmp_path):
    text = "benchmark: fewrel\ntraining: {max_steps: 3}\nsystems: {A: {method: proto}}\n"
    with pytest.raises(RecipeError, match="training is for no system: none has one of its own"):
        load_recipe(write(tmp_path, text))
    text = "benchmark: fewrel\ntraining: {report_to: wandb}\nsystems: {A: {method: proto, training: {}}}\n"
    with pytest.raises(RecipeError, match="The recipe: training has 'report_to', but a recipe sends nothing"):
        load_recipe(write(tmp_path, text))


def test_a_recipe_names_code_but_does_not_run_it(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_things_of_a_recipe.py").write_text("raise RuntimeError('it ran')")
    path = write(tmp_path, "import: own_things_of_a_recipe\nbenchmark: fewrel\nsystems: {A: {method: proto}}\n")
    with pytest.raises(RecipeError, match=r"import: own_things_of_a_recipe\. Look at it, and if you trust it, add"):
        load_recipe(path)
    monkeypatch.setitem(sys.modules, "own_things_of_a_recipe", sys)
    assert load_recipe(path).n_runs == 1
