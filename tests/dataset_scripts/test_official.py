"""Which data are surely the benchmark's own, and which are other data in the same files."""

import json
import shutil

import pytest
from datasets import load_dataset_builder

from hf_fewshot.data.samples import sample_folder
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.dataset_scripts.few_nerd.types import FINE_TYPES, INTRA, N_SENTENCES, TYPES, are_all_types
from hf_fewshot.dataset_scripts.fs_tacred import fs_tacred
from hf_fewshot.dataset_scripts.fs_tacred.relations import RELATIONS

EVERY_BENCHMARK = {
    "clues": ("sst2", {}),
    "few_nerd": ("inter", {}),
    "fewjoint": ("episodes", {}),
    "fewrel": ("default", {}),
    "fs_tacred": ("default", {}),
}


def builder(name, config=None, **options):
    return load_dataset_builder(name, config or EVERY_BENCHMARK[name][0], **options)


@pytest.mark.parametrize("name", EVERY_BENCHMARK)
def test_sample_data_is_never_official(name):
    assert not builder(name, sample=True).official()


@pytest.mark.parametrize("name", EVERY_BENCHMARK)
def test_sample_data_given_as_data_dir_is_not_official(name):
    made = builder(name, data_dir=str(sample_folder(name)))
    assert [split for split in made.files if made.official(split)] == []


@pytest.mark.parametrize("name", EVERY_BENCHMARK)
def test_own_data_in_the_same_files_is_not_official(name, raw, tmp_path):
    raw(name)
    assert not builder(name, data_dir=str(tmp_path / "raw")).official()


@pytest.mark.parametrize(
    ("name", "config", "folder", "options", "splits"),
    [
        ("clues", "sst2", "CLUES", {"shots": 30, "fold": 4}, (TRAIN, TEST)),
        ("clues", "record", "CLUES", {}, (TRAIN, TEST)),
        ("fewjoint", "episodes", "FewShotJoint", {"shots": 3}, (VALIDATION, TEST)),
        ("fewjoint", "episodes", "FewShotJoint", {"shots": 1}, (TRAIN, VALIDATION, TEST)),
        ("fewrel", "default", "FewRel", {}, (VALIDATION,)),
        ("fewrel", "default", "FewRel", {"domain": "nyt"}, (VALIDATION,)),
    ],
)
def test_published_files_are_official(name, config, folder, options, splits, shared_data):
    made = builder(name, config, data_dir=str(shared_data / folder), **options)
    assert tuple(made.files) == splits
    assert made.official(*splits)
    assert made.official()


def test_some_of_the_released_episodes_are_a_part_and_so_not_official(shared_data):
    place = str(shared_data / "FewShotJoint")
    assert builder("fewjoint", data_dir=place).official(TEST)
    assert not builder("fewjoint", data_dir=place, n_episodes=2).official(TEST)


def test_other_types_in_few_nerds_files_are_not_official(shared_data):
    sentences = builder("few_nerd", data_dir=str(shared_data / "Few_TK"))
    episodes = builder("few_nerd", data_dir=str(shared_data / "Few_TK"), n_way=5, shots=1)
    assert not sentences.official(TEST)
    assert not episodes.official(TEST)


def test_one_changed_byte_is_other_data(shared_data, tmp_path):
    for name in ("pid2name.json", "val_nyt.json"):
        shutil.copyfile(shared_data / "FewRel/data" / name, tmp_path / name)
    assert builder("fewrel", data_dir=str(tmp_path), domain="nyt").official(VALIDATION)
    with (tmp_path / "val_nyt.json").open("a") as file:
        file.write("\n")
    assert not builder("fewrel", data_dir=str(tmp_path), domain="nyt").official(VALIDATION)


def test_some_of_fewrel_s_relations_are_other_data(shared_data, tmp_path):
    relations = json.loads((shared_data / "FewRel/data/val_nyt.json").read_text(encoding="utf-8"))
    (tmp_path / "val_nyt.json").write_text(json.dumps(dict(list(relations.items())[:16])), encoding="utf-8")
    assert not builder("fewrel", data_dir=str(tmp_path), domain="nyt").official(VALIDATION)


def test_other_names_of_relations_are_other_data(shared_data, tmp_path):
    shutil.copyfile(shared_data / "FewRel/data/val_nyt.json", tmp_path / "val_nyt.json")
    (tmp_path / "pid2name.json").write_text('{"P1": ["mine", ""]}')
    assert not builder("fewrel", data_dir=str(tmp_path), domain="nyt").official(VALIDATION)


def test_few_joint_of_five_shots_is_not_official_as_three(shared_data):
    folder = "data/FewJoint1.1/result/SMP_data_slu_5/smp.spt_s_5.q_s_4.ep_50.cross_id_0"
    assert not builder("fewjoint", data_dir=str(shared_data / "FewShotJoint" / folder), shots=3).official(TEST)


def test_the_paper_s_version_of_few_joint_is_known_by_its_domains_and_counts(shared_data):
    # Of version 1.0 no checksum is known. At three shots both versions have the same counts, at ten they differ.
    folder = shared_data / "FewShotJoint/data/FewJoint1.1/result"
    at = {shots: str(next(folder.glob(f"SMP_data_slu_{shots}/*"))) for shots in (3, 10)}
    assert builder("fewjoint", data_dir=at[3], data_version="1.0", shots=3).official(VALIDATION, TEST)
    assert not builder("fewjoint", data_dir=at[10], data_version="1.0", shots=10).official(TEST)


def test_few_nerd_has_66_types():
    assert len(TYPES) == 66
    assert are_all_types("supervised", TEST, TYPES)
    assert not are_all_types("supervised", TEST, TYPES - {"art-film"})
    assert not are_all_types("supervised", TEST, TYPES - {"art-film"} | {"art-foo"})


def test_types_of_intra_are_those_of_whole_coarse_types():
    kept = {name for name in TYPES if name.partition("-")[0] in ("organization", "location")}
    assert len(kept) == 17
    assert are_all_types("intra", TEST, kept)
    assert not are_all_types("intra", VALIDATION, kept)


def test_types_of_inter_are_some_of_every_coarse_type():
    counts = {
        "art": 2,
        "building": 2,
        "event": 2,
        "location": 2,
        "organization": 2,
        "other": 3,
        "person": 2,
        "product": 2,
    }
    kept = {f"{coarse}-{fine}" for coarse, number in counts.items() for fine in FINE_TYPES[coarse][:number]}
    assert len(kept) == 17
    assert are_all_types("inter", TEST, kept)
    assert not are_all_types("inter", TEST, kept - {"art-film"} | {"person-director"})


def few_nerd_text(folder, types, number, word="Rome"):
    folder.mkdir(parents=True)
    kinds = sorted(types)
    text = "\n".join(f"{word}\t{kinds[row % len(kinds)]}\n" for row in range(number))
    (folder / "test.txt").write_text(text)


@pytest.mark.parametrize(("missing", "official"), [(0, True), (1, False)])
def test_few_nerd_is_known_by_the_number_of_its_sentences(missing, official, tmp_path):
    types = {f"{coarse}-{fine}" for coarse in INTRA[TEST] for fine in FINE_TYPES[coarse]}
    few_nerd_text(tmp_path / "intra", types, N_SENTENCES["intra"][TEST] - missing)
    assert builder("few_nerd", "intra", data_dir=str(tmp_path)).official(TEST) is official


def test_own_types_with_the_names_of_coarse_ones_are_not_few_nerds(tmp_path):
    types = {f"{coarse}-{fine}" for coarse in INTRA[TEST] for fine in FINE_TYPES[coarse]} - {"location-GPE"}
    few_nerd_text(tmp_path / "intra", types | {"location-foo"}, N_SENTENCES["intra"][TEST])
    assert not builder("few_nerd", "intra", data_dir=str(tmp_path)).official(TEST)


@pytest.mark.parametrize(
    ("number", "word", "shots", "official"),
    [(1_000, "rome", 1, True), (999, "rome", 1, False), (1_000, "Rome", 1, False), (1_000, "rome", 2, False)],
)
def test_released_few_nerd_episodes_are_known_by_number_types_and_lower_case(number, word, shots, official, tmp_path):
    types = sorted(f"{coarse}-{fine}" for coarse in INTRA[VALIDATION] for fine in FINE_TYPES[coarse])
    assert len(types) == 14
    folder = tmp_path / "data/episode-data/intra"
    folder.mkdir(parents=True)
    with (folder / f"dev_5_{shots}.jsonl").open("w") as file:
        for episode in range(number):
            drawn = [types[(episode + way) % 14] for way in range(5)]
            part = {"word": [[word]] * 5, "label": [[name] for name in drawn]}
            file.write(json.dumps({"support": part, "query": part, "types": drawn}) + "\n")
    made = builder("few_nerd", "intra", data_dir=str(tmp_path), n_way=5, shots=shots)
    assert made.official(VALIDATION) is official


def tacred(folder, sizes):
    """A test file with so many instances of no_relation, of another split's relation, and of each test relation."""
    item = {"token": ["a", "b"], "subj_start": 0, "subj_end": 0, "obj_start": 1, "obj_end": 1}
    names = [name for name, size in sizes.items() for _ in range(size)]
    rows = [{"id": str(number), **item, "relation": name} for number, name in enumerate(names)]
    (folder / "test.json").write_text(json.dumps(rows))


def test_tacred_is_known_by_the_sizes_of_its_classes(tmp_path, monkeypatch):
    # The published sizes over a thousand or so would take a minute to write: the same check on small ones.
    monkeypatch.setattr(fs_tacred, "N_INSTANCES", {TEST: (58, 57, 55)})
    monkeypatch.setattr(fs_tacred, "TEST_SIZES", (3, *range(1, 11)))
    sizes = {"no_relation": 1, "per:title": 2, **{name: size for size, name in enumerate(RELATIONS[TEST], start=1)}}
    tacred(tmp_path, sizes)
    assert builder("fs_tacred", data_dir=str(tmp_path)).official(TEST)
    tacred(tmp_path, {**sizes, "per:origin": 6, "per:siblings": 10})
    assert not builder("fs_tacred", data_dir=str(tmp_path)).official(TEST)
    tacred(tmp_path, {**sizes, "no_relation": 2, "per:title": 1})
    assert not builder("fs_tacred", data_dir=str(tmp_path)).official(TEST)


def test_another_split_of_tacreds_relations_is_other_data(tmp_path, monkeypatch):
    monkeypatch.setattr(fs_tacred, "N_INSTANCES", {TEST: (10, 10, 10)})
    monkeypatch.setattr(fs_tacred, "TEST_SIZES", (1,) * 10)
    tacred(tmp_path, dict.fromkeys(RELATIONS[TEST], 1))
    own = {"train": ["a"], "dev": ["b"], "test": list(RELATIONS[TEST][:9])}
    (tmp_path / "categories_split.json").write_text(json.dumps(own))
    assert not builder("fs_tacred", data_dir=str(tmp_path)).official(TEST)


def test_an_unknown_split_is_named(shared_data):
    made = builder("clues", "sst2", data_dir=str(shared_data / "CLUES"))
    with pytest.raises(ValueError, match=r"Unknown split of clues/sst2 'tset'\. Did you mean 'test'\?"):
        made.official("tset")
