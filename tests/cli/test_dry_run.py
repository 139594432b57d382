"""What `hf-fewshot run --dry-run` does about mistakes, and about what is not at hand."""

import shutil

import pytest
from datasets import load_dataset

from hf_fewshot.cli import main
from hf_fewshot.data.samples import sample_folder
from hf_fewshot.files.sources import Repository
from tests.cli.sound_recipes import BASELINE, FOLDS, RELATIONS, SOUND, TYPES


@pytest.mark.parametrize(
    ("name", "n_runs"), [("RELATIONS", 16), ("FOLDS", 10), ("JOINT", 2), ("TYPES", 1), ("TAGGER", 1)]
)
def test_nothing_is_wrong_with_a_sound_recipe(planned, tmp_path, name, n_runs):
    code, printed = planned(SOUND[name])
    assert (code, f"{n_runs} runs, {n_runs} missing" in printed) == (0, True), printed
    assert "checked" not in printed
    assert [path.name for path in tmp_path.iterdir()] == ["recipe.yaml"]


def test_arguments_for_other_machines_are_no_mistake(planned):
    code, printed = planned(RELATIONS.replace("max_steps: 3", "bf16: true, tf32: true, torch_compile: true"))
    assert code == 0, printed


def test_all_mistakes_are_named_at_once(planned):
    text = RELATIONS.replace("n_way: 3", "n_way: 30").replace("{layers: 2}", "{layrs: 2, max_length: x}")
    text = text.replace("max_steps: 3, data: {n_episodes: 4}", "max_step: 3, seeed: 1, data: {n_episode: 4}")
    text += """\
  B: {method: prot}
  C: {method: proto, model: all-minilm-l6-v2, overrides: [{setting: {n_way: 5}, options: {}}]}
  D: {method: mnav, training: {max_steps: 1, data: {n_way: 25}}}
"""
    code, printed = planned(text)
    assert code == 2
    assert printed.splitlines() == [
        "hf-fewshot: Not all can be run:",
        "  recipe.yaml: System 'B': Unknown method 'prot'. Did you mean 'proto'?",
        "  recipe.yaml: An override of system 'C' is for {'n_way': 5}, which no setting has. Correct it.",
        "  System 'A': Unknown option of method 'proto' 'layrs'. Did you mean 'layers'? max_length='x', but this "
        "option of method 'proto' must be a whole number or none.",
        "  System 'A': Unknown training argument of method 'proto' 'max_step'. Did you mean 'max_steps'? Unknown "
        "training argument of method 'proto' 'seeed'. Did you mean 'seed'? Unknown option of fewrel 'n_episode'. Did "
        "you mean 'n_episodes'?",
        "  System 'C': Unknown model 'all-minilm-l6-v2'. Did you mean 'all-MiniLM-L6-v2'?",
        "  fewrel/default, split 'validation': n_way=30, but there are only 10 classes. Lower n_way or use another "
        "split.",
        "  System 'D': fewrel/default, split 'train': n_way=25, but there are only 24 classes. Lower n_way or use "
        "another split.",
    ]


def test_mistakes_of_several_recipes_are_named_together(planned, tmp_path):
    (tmp_path / "other.yaml").write_text("benchmark: fewrel\nsystems: 3\n")
    (tmp_path / "third.yaml").write_text("benchmark: few_nert\nsystems: {A: {method: no_entity}}\n")
    code, printed = planned(RELATIONS.replace("n_way: 3", "n_way: 30"), "other.yaml", "third.yaml")
    assert code == 2
    assert "other.yaml: systems must be a mapping from names to methods" in printed
    assert "third.yaml: Unknown benchmark 'few_nert'. Did you mean 'few_nerd'?" in printed
    assert "n_way=30, but there are only 10 classes" in printed


def test_a_module_that_is_not_there_is_named(planned):
    code, printed = planned(RELATIONS, "--import", "no_such_module")
    assert (code, printed) == (2, "hf-fewshot: No module named 'no_such_module'\n")


def test_a_task_index_beyond_the_runs_is_named(planned):
    assert planned(RELATIONS, "--task-index", 16) == (2, "hf-fewshot: --task-index 16, but there are runs 0 to 15.\n")


def test_only_the_chosen_run_is_tried_out(planned):
    text = RELATIONS.replace("data: {n_episodes: 4}", "data: {n_way: 30}")
    code, printed = planned(text, "--task-index", 4)
    assert (code, "None_seed=0" in printed) == (0, True)
    assert planned(text, "--task-index", 0)[0] == 2


def test_what_is_not_at_hand_is_said_and_nothing_is_fetched(planned, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("hf_fewshot.files.downloads._fetch", pytest.fail)
    monkeypatch.setattr("hf_fewshot.files.hub_models.get_hf_file_metadata", raised(ConnectionError("no route")))
    code, printed = planned(RELATIONS.replace("sample: true, ", "").replace("ENCODER", "no-bert"))
    assert code == 0, printed
    assert "not checked: the data of fewrel/default, which would be downloaded\n" in printed
    assert "not checked: model 'no-bert' is not in the cache, and the Hub cannot be reached (no route)\n" in printed
    code, printed = planned(TYPES.replace("sample: true, ", ""))
    assert (code, printed.count("not checked")) == (0, 1)
    assert "not checked: the data of few_nerd/inter, which would be downloaded\n" in printed


def raised(error):
    """A function that raises an error, whatever it is called with."""

    def function(*arguments, **options):
        raise error

    return function


def test_data_that_cannot_be_downloaded_is_not_checked_until_somebody_says_where_it_is(planned, tmp_path):
    text = RELATIONS.replace("fewrel", "fs_tacred").replace("sample: true, ", "").replace("validation", "test", 1)
    text = text.replace("settings: [{nota_rate: 0.2}, {nota_rate: 0.5}]\n", "").replace("draws: {seed: [0, 1]}\n", "")
    text = text.replace("    overrides: [{setting: {nota_rate: 0.5}, options: {layers: 1}}]\n", "")
    code, printed = planned(text)
    assert (code, printed.count("not checked: fs_tacred needs data/json/")) == (0, 1), printed
    (tmp_path / "empty").mkdir()
    code, printed = planned(text, "--data-dir", "empty")
    assert code == 2
    assert "--data-dir empty holds none of them" in printed
    assert "System" not in printed  # it is no system's fault
    code, printed = planned(text, "--data-dir", "nowhere")
    assert (code, "--data-dir nowhere is no folder. Expected the folder of TACRED" in printed) == (2, True)


def test_a_folder_that_holds_a_part_of_the_data_serves_a_part_of_the_runs(planned, tmp_path):
    sample = sample_folder("fewrel")
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "val_wiki.json").write_bytes((sample / "data" / "val_wiki.json").read_bytes())
    code, printed = planned(RELATIONS.replace("sample: true, ", ""), "--data-dir", "part")
    assert code == 2
    assert printed == "hf-fewshot: System 'A': Unknown split of fewrel/default 'train'. Known: validation.\n"
    text = RELATIONS.replace("sample: true, ", "").replace("  None: {method: always_none}\n", "  B: {method: mnav}\n")
    code, printed = planned(text, "--data-dir", "part")
    # MNAV, as it is here, is not trained, but begins with training examples.
    assert "System 'B': Unknown split \"train\". Should be one of ['validation']." in printed


def test_files_that_were_downloaded_before_are_looked_into(planned, tmp_path, monkeypatch, http_folder):
    shutil.copytree(sample_folder("fewrel"), tmp_path / "mirror" / "FewRel")
    unchecked = Repository("FewRel", "https://example.org", "https://example.org")
    monkeypatch.setattr("hf_fewshot.dataset_scripts.fewrel.fewrel.FewRel.REPOSITORY", unchecked)
    monkeypatch.setattr("datasets.config.DOWNLOADED_DATASETS_PATH", tmp_path / "downloads")
    server = http_folder(tmp_path / "mirror")
    monkeypatch.setenv("HF_FEWSHOT_MIRROR", server.url)
    text = RELATIONS.replace("sample: true, n_way: 3", "n_way: 30")
    code, printed = planned(text)
    assert (code, "not checked: the data of fewrel/default, which would be downloaded" in printed) == (0, True), (
        printed
    )
    assert server.requests == []
    load_dataset("fewrel", split="validation")
    code, printed = planned(text)
    assert (code, "n_way=30, but there are only 10 classes" in printed) == (2, True)


def test_a_run_itself_is_not_rehearsed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("hf_fewshot.runs.rehearsal.rehearse", pytest.fail)
    (tmp_path / "recipe.yaml").write_text(BASELINE)
    assert main(["run", str(tmp_path / "recipe.yaml"), "--output", str(tmp_path / "results")]) == 0
    assert "3-way 1-shot" in capsys.readouterr().out


def test_what_the_command_line_says_comes_before_draws_and_is_seen_by_overrides(planned):
    code, printed = planned(RELATIONS, "-o", "seed=5", "-o", "nota_rate=0.5", "--seeds", 0)
    assert (code, "2 runs, 2 missing" in printed) == (0, True)
    assert "seed" not in FOLDS
    assert "5 runs, 5 missing" in planned(FOLDS, "-o", "fold=2")[1]
    # The override says layers=1 for this rate; with another option it would be found at this one.
    text = RELATIONS.replace("options: {layers: 1}", "options: {layers: 20}")
    code, printed = planned(text, "-o", "nota_rate=0.5")
    assert (code, "layers=20, but the encoder has 2 layers" in printed) == (2, True)
    assert planned(text, "-o", "nota_rate=0.2")[0] == 0
