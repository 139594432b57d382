import pytest

from hf_fewshot.runs.recipe_names import recipe_cost, recipe_file, recipe_paths


def test_all_recipes_of_the_project_are_part_of_the_package(project):
    paths = recipe_paths()
    folder = project / "recipes"
    assert {path.resolve() for path in paths.values()} == {path.resolve() for path in folder.rglob("*.yaml")}
    assert paths["few_nerd_inter"] == folder / "few_nerd_inter.yaml"
    assert paths["fewjoint_1.1"] == folder / "fewjoint_1.1.yaml"
    assert paths["laptop/fewjoint"] == folder / "laptop" / "fewjoint.yaml"


@pytest.mark.parametrize("asked", ["sample/clues", "sample/clues.yaml"])
def test_a_recipe_is_found_by_its_name_in_any_folder(asked, project, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert recipe_file(asked) == project / "recipes" / "sample" / "clues.yaml"


def test_a_file_comes_before_a_recipe_of_the_package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "few_nerd_inter"
    own.mkdir()  # a folder of results is no recipe
    assert recipe_file("few_nerd_inter").name == "few_nerd_inter.yaml"
    own.rmdir()
    own.write_text("benchmark: fewrel")
    assert recipe_file("few_nerd_inter").samefile(own)


@pytest.mark.parametrize("asked", ["few_nerd_intr", "recipes/few_nerd_intr.yaml"])
def test_a_typing_error_is_answered_with_a_name(asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=rf"no file {asked}, and no recipe of this name. Did you mean 'few_nerd_int"):
        recipe_file(asked)


@pytest.mark.parametrize(
    ("name", "n_trained", "cost"),
    [
        ("fewrel_2", 200, "hours to days on a GPU"),
        ("few_nerd_errors", 15, "hours on a GPU"),
        ("clues_zero_spans", 0, "minutes on a GPU"),
        ("laptop/few_tk", 3, "hours on two cores"),
        ("sample/fewrel", 1, "minutes on two cores"),
    ],
)
def test_a_recipe_says_what_it_takes(name, n_trained, cost):
    assert name in recipe_paths()
    assert recipe_cost(name, n_trained) == cost
