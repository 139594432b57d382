"""Several settings of a benchmark in one folder and one repository."""

import json
import re
import shutil

import pyarrow.parquet
import pytest
import yaml
from datasets import load_dataset
from huggingface_hub import DatasetCard

from hf_fewshot.cards.setting_name import setting_name
from hf_fewshot.cli.main import main
from hf_fewshot.hub import HubError, export_benchmark, push_folder
from hf_fewshot.hub.configurations import beside_others
from hf_fewshot.hub.settings import export_settings, published_settings, recipe_settings
from tests.hub.client import last_line

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    """Folders with one and with three shots, and one with both."""
    folder = tmp_path_factory.mktemp("exports")
    for shots in (1, 3):
        export_benchmark("fewjoint", None, folder / f"{shots}-shot", shots=shots, sample=True)
        export_benchmark("fewjoint", None, folder / "both", shots=shots, sample=True)
    return folder


@pytest.fixture
def copied(exports, tmp_path):
    """Copies of them that may be changed."""
    return shutil.copytree(exports, tmp_path / "exports")


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_takes_one_setting_after_the_other_and_card_and_leaderboard_have_all(exports):
    both = contents(exports / "both")
    for one in (contents(exports / "1-shot"), contents(exports / "3-shot")):
        # A setting is the same bytes, whatever is beside it.
        assert {path: both[path] for path in one if path.startswith("data/")} == {
            path: content for path, content in one.items() if path.startswith("data/")
        }
    card = DatasetCard.load(exports / "both" / "README.md")
    assert [one["config_name"] for one in card.data.configs] == ["1-shot", "3-shot"]
    assert card.text.count("load_dataset(") == 3
    tasks = yaml.safe_load(both["eval.yaml"])["tasks"]
    assert tasks == [
        {"id": "1-shot-test", "config": "1-shot", "split": "test"},
        {"id": "3-shot-test", "config": "3-shot", "split": "test"},
    ]


def test_each_setting_of_a_folder_is_loaded_by_its_name(exports):
    for shots in (1, 3):
        rows = load_dataset(str(exports / "both"), f"{shots}-shot", split="test")
        assert rows[:] == load_dataset("fewjoint", shots=shots, sample=True, split="test")[:]


def test_two_exports_and_pushes_end_in_one_repository_that_gives_both(hub, client, exports):
    push = "from hf_fewshot.hub import push_folder; push_folder({!r}, 'me/fewjoint-sample')"
    for shots in (1, 3):
        client(push.format(str(exports / f"{shots}-shot")))
    files = hub.storage.files("datasets/me/fewjoint-sample")
    both = contents(exports / "both")
    assert set(files) == {*both, ".gitattributes", ".hf_fewshot.json"}
    for path in both:
        assert hub.storage.content("datasets/me/fewjoint-sample", path) == both[path], path
    done = client(
        "import sys; sys.modules['hf_fewshot'] = None\n"
        "import json, datasets\n"
        "rows = [datasets.load_dataset('me/fewjoint-sample', f'{n}-shot', split='test')[:] for n in (1, 3)]\n"
        "print(json.dumps(rows))"
    )
    expected = [load_dataset("fewjoint", shots=shots, sample=True, split="test")[:] for shots in (1, 3)]
    assert last_line(done) == expected


def test_a_setting_of_a_repository_is_replaced_by_a_later_export_of_it_and_the_others_stay(online, copied):
    push_folder(copied / "both", "me/d")
    path = copied / "3-shot/data/3-shot/train-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes() + b"x")
    done = push_folder(copied / "3-shot", "me/d")
    assert done.removed == ()
    assert online.storage.content("datasets/me/d", "data/3-shot/train-00000-of-00001.parquet").endswith(b"x")
    assert "data/1-shot/train-00000-of-00001.parquet" in online.storage.files("datasets/me/d")
    # What stays is still ours: the next push may remove or replace it.
    manifest = json.loads(online.storage.content("datasets/me/d", ".hf_fewshot.json"))
    assert "data/1-shot/train-00000-of-00001.parquet" in manifest["files"]


def test_a_push_of_all_settings_does_not_keep_files_that_are_in_none(online, copied):
    (copied / "both" / "notes.txt").write_text("x")
    push_folder(copied / "both", "me/d")
    (copied / "both" / "notes.txt").unlink()
    assert push_folder(copied / "both", "me/d").removed == ("notes.txt",)


def test_a_card_with_words_of_ones_own_stays_unless_it_must_name_others(online, copied):
    card = copied / "3-shot" / "README.md"
    card.write_text(card.read_text() + "\nMine.\n")
    push_folder(copied / "3-shot", "me/d")
    assert online.storage.content("datasets/me/d", "README.md").endswith(b"\nMine.\n")
    push_folder(copied / "1-shot", "me/e")
    message = r"README\.md is not as `export` has written it, and me/e has configurations that .* name too: 1-shot\."
    with pytest.raises(ValueError, match=message):
        push_folder(copied / "3-shot", "me/e")


def test_another_benchmark_does_not_go_into_the_repository_or_the_folder(online, copied, tmp_path):
    push_folder(copied / "1-shot", "me/d")
    export_benchmark("clues", "sst2", tmp_path / "clues", sample=True)
    message = r"^(FewJoint|CLUES) \(sample data of hf_fewshot\) does not belong beside .*Give each benchmark a place"
    with pytest.raises(ValueError, match=message):
        push_folder(tmp_path / "clues", "me/d")
    with pytest.raises(ValueError, match=r"^CLUES \(sample data of hf_fewshot\) does not belong beside FewJoint"):
        export_benchmark("clues", "sst2", copied / "both", sample=True)
    assert not (copied / "both" / "data" / "sst2-10-shot").exists()


def test_a_repository_that_changes_while_it_is_looked_at_is_not_written_to(online, copied, monkeypatch):
    push_folder(copied / "1-shot", "me/d")

    def looked_at(upload, folder, api):
        found = beside_others(upload, folder, api)
        online.storage.put("datasets/me/d", "x", "y")
        return found

    monkeypatch.setattr("hf_fewshot.hub.folders.beside_others", looked_at)
    with pytest.raises(HubError, match=r"^me/d was changed by somebody else meanwhile\. Nothing was committed"):
        push_folder(copied / "3-shot", "me/d")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"setting\.json does not describe an exported setting: "),
        ('{"format": "other"}', r"its format is not 'hf_fewshot/setting'"),
        ('{"format": "hf_fewshot/setting", "version": 2}', r"reads version 1 of it, not 2\. Export it again"),
    ],
)
def test_a_description_that_cannot_be_read_is_an_error(content, message, copied):
    (copied / "both/data/1-shot/setting.json").write_text(content)
    with pytest.raises(ValueError, match=message):
        export_benchmark("fewjoint", None, copied / "both", shots=5, sample=True)


def test_a_description_of_another_setting_is_an_error(copied):
    place = copied / "both/data/1-shot/setting.json"
    place.write_text(place.read_text().replace('"shots": 1', '"shots": 5'))
    with pytest.raises(ValueError, match=r"it describes '5-shot', whose folder is another one\. Export it again"):
        export_benchmark("fewjoint", None, copied / "both", shots=5, sample=True)


def test_the_same_export_again_changes_nothing_and_one_of_other_data_is_refused(copied):
    before = contents(copied / "both")
    export_benchmark("fewjoint", None, copied / "both", shots=3, sample=True)
    assert contents(copied / "both") == before
    place = copied / "both/data/3-shot/setting.json"
    place.write_text(re.sub(r'"raw_files": "\w+"', '"raw_files": "other"', place.read_text()))
    with pytest.raises(ValueError, match=r"data/3-shot is there already, of other data or made by other versions\."):
        export_benchmark("fewjoint", None, copied / "both", shots=3, sample=True)


def test_an_export_that_was_interrupted_gets_its_card_from_the_next(copied):
    whole = contents(copied / "both")
    shutil.copy(copied / "1-shot/README.md", copied / "both/README.md")
    (copied / "both/eval.yaml").unlink()
    export_benchmark("fewjoint", None, copied / "both", shots=1, sample=True)
    assert contents(copied / "both") == whole


def test_row_groups_are_small_and_have_a_page_index(tmp_path, monkeypatch):
    monkeypatch.setattr("hf_fewshot.hub.export.GROUP_ROWS", 10)
    out = export_benchmark("clues", "sst2", tmp_path / "out", sample=True)
    (path,) = out.glob("data/*/test-*.parquet")
    metadata = pyarrow.parquet.read_metadata(path)
    sizes = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    assert len(sizes) > 2
    assert set(sizes[:-1]) == {10}
    assert sum(sizes) == metadata.num_rows
    column = metadata.row_group(0).column(0)
    assert (column.has_column_index, column.has_offset_index) == (True, True)


def test_row_groups_of_large_rows_hold_few(tmp_path, monkeypatch):
    monkeypatch.setattr("hf_fewshot.hub.export.GROUP_BYTES", 1_000)
    out = export_benchmark("clues", "sst2", tmp_path / "out", sample=True)
    (path,) = out.glob("data/*/test-*.parquet")
    assert pyarrow.parquet.read_metadata(path).row_group(0).num_rows < 20


@pytest.mark.parametrize(
    ("benchmark", "config", "options", "name"),
    [
        ("fewjoint", None, {"shots": 3}, "3-shot"),
        ("fewjoint", "episodes", {"shots": 3, "data_version": "1.1", "episodes": "released"}, "3-shot"),
        ("fewjoint", None, {}, "3-shot"),
        ("fewjoint", "examples", {}, "examples-1-shot"),
        ("few_nerd", "inter", {"shots": 1, "n_way": 5}, "inter-5-way-1-shot"),
        ("few_nerd", "supervised", {}, "supervised"),
        ("clues", "sst2", {"fold": 1, "shots": 20}, "sst2-20-shot-fold-1"),
        ("fewrel", None, {}, "default"),
        ("fewjoint", None, {"shots": 3, "data_version": "1.0"}, "3-shot-data_version-1.0"),
    ],
)
def test_equal_settings_have_equal_names(benchmark, config, options, name):
    assert setting_name(benchmark, config, options, without=()) == name


def test_draws_are_configurations_of_their_own_and_one_task(tmp_path):
    for fold in (1, 2):
        export_benchmark("clues", "sst2", tmp_path / "out", fold=fold, sample=True)
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert [one["config_name"] for one in card.data.configs] == ["sst2-10-shot-fold-1", "sst2-10-shot-fold-2"]
    tasks = yaml.safe_load((tmp_path / "out" / "eval.yaml").read_text())["tasks"]
    assert tasks == [{"id": "sst2-10-shot-test", "config": "sst2-10-shot-fold-1", "split": "test"}]


def test_the_settings_of_a_recipe_are_each_named_once():
    names = [one.name for one in recipe_settings("few_nerd_inter")]
    assert names == [f"inter-{ways}-way-{shots}-shot" for ways in (5, 10) for shots in (1, 5)]


def test_all_settings_with_published_numbers_are_known():
    names = [one.name for one in published_settings("fewjoint")]
    assert names[:3] == ["3-shot-data_version-1.0", "1-shot-data_version-1.0", "5-shot-data_version-1.0"]
    assert names[3:5] == ["1-shot", "5-shot"]
    with pytest.raises(ValueError, match=r"^own_texts has no published numbers\. Name its settings, or give a recipe"):
        published_settings("own_texts")


def test_a_recipe_is_exported_on_the_command_line_and_what_cannot_be_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe.yaml").write_text(
        "benchmark: fewjoint\ndata: {sample: true}\nsettings: [{shots: 1}, {shots: 7}]\n"
        "systems: {a: {method: no_slot}, b: {method: no_slot}}\n"
    )
    assert main(["export", "--recipe", "recipe.yaml", "--output", "out"]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("out is ready: hf-fewshot push out --dataset --repo <user>/<name>")
    assert "1 left out:\n  7-shot: --shots 7 was not released for FewJoint" in said.err
    assert [path.name for path in (tmp_path / "out" / "data").iterdir()] == ["1-shot"]


def test_nothing_to_export_is_an_error(tmp_path):
    settings = published_settings("fewjoint", sample=True, shots=7)
    with pytest.raises(ValueError, match=r"^Nothing could be exported:\n  7-shot-data_version-1\.0: shots=7 was not"):
        export_settings(settings, tmp_path / "out")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fewjoint", "--recipe", "r.yaml"], "--recipe names its benchmark, but fewjoint was given too."),
        (["fewjoint", "--all", "--config", "episodes"], "--config episodes is of one setting."),
        (["fewjoint", "--all", "--lm-eval"], "--lm-eval writes one task"),
    ],
)
def test_options_that_exclude_each_other_are_refused(arguments, message, tmp_path, capsys):
    last = [] if "--lm-eval" in arguments else ["--output"]
    assert main(["export", *arguments, *last, str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
