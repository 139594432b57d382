"""Bad options and bad files get an error of their own, which names them, and leave nothing behind."""

import re

import pytest

from hf_fewshot.files.raw_files import RawFileError
from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.registry import BENCHMARKS

# With files of their authors; what is wrong with those of one's own is in tests/labelled and test_own_data.
OF_PAPERS = [name for name in BENCHMARKS if not name.startswith("own_")]


@pytest.mark.parametrize("name", OF_PAPERS)
def test_the_good_files_load(name, raw, load):
    raw(name)
    assert all(rows.num_rows for rows in load(name).values())


# Options


@pytest.mark.parametrize(
    ("name", "config", "message"),
    [
        ("clues", "sst", r"Unknown configuration of clues 'sst'\. Did you mean 'sst2'\?"),
        ("few_nerd", "itner", r"Unknown configuration of few_nerd 'itner'\. Did you mean 'inter'\?"),
        ("fewjoint", "episode", r"Unknown configuration of fewjoint 'episode'\. Did you mean 'episodes'\?"),
        ("fewrel", "wiki", r"Unknown configuration of fewrel 'wiki'\. Known: default\."),
        ("fs_tacred", "tacred", r"Unknown configuration of fs_tacred 'tacred'\. Known: default\."),
    ],
)
def test_an_unknown_configuration_is_refused_with_a_suggestion(name, config, message, raw, load, cached):
    raw(name)
    with pytest.raises(ValueError, match=message):
        load(name, config)
    assert cached() == []


@pytest.mark.parametrize("name", OF_PAPERS)
@pytest.mark.parametrize(("option", "meant"), [("shot", "shots"), ("datadir", "data_dir"), ("data_files", "data_dir")])
def test_an_unknown_keyword_is_refused_with_a_suggestion(option, meant, name, raw, load, cached, good, tmp_path):
    raw(name)
    file = tmp_path / "raw" / good[name][0]
    with pytest.raises(ValueError, match=rf"Unknown option of {name} '{option}'\. Did you mean '{meant}'\?"):
        load(name, **{option: str(file)})
    assert cached() == []


@pytest.mark.parametrize("name", OF_PAPERS)
def test_sample_data_and_data_dir_exclude_each_other(name, raw, load, cached):
    raw(name)
    with pytest.raises(ValueError, match=r"sample=True and data_dir='.*raw' exclude each other\. Give one\."):
        load(name, sample=True)
    assert cached() == []


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("clues", {"shots": 15}, "shots=15, but it must be one of 0, 10, 20, 30"),
        ("clues", {"shots": "10"}, "shots='10', but it must be one of 0, 10, 20, 30"),
        ("clues", {"fold": True}, "fold=True, but it must be one of 1, 2, 3, 4, 5"),
        ("fewjoint", {"shots": 2}, "shots=2 was not released for FewJoint 1.1; released: 1, 3, 5, 10"),
        ("fewjoint", {"n_query": 5}, "n_query=5 was not released for FewJoint 1.1; released: 4, 8, 16"),
        ("fewjoint", {"data_version": "1.2"}, "data_version='1.2', but it must be one of '1.1', '1.0'"),
        (
            "few_nerd",
            {"n_way": 7, "shots": 1, "episodes": "released", "data_dir": None},
            "n_way=7, shots=1 was not released for Few-NERD; released: 5-way 1-shot, 5-way 5-shot, 10-way",
        ),
        ("few_nerd", {"n_way": 0, "shots": 1}, "n_way must be a whole number of at least 1, but is 0"),
        ("few_nerd", {"n_way": 2.0, "shots": 1}, "n_way must be a whole number of at least 1, but is 2.0"),
        ("few_nerd", {"n_way": 1, "shots": 1, "n_episodes": 0}, "n_episodes must be a whole number of at least 1"),
        ("fewrel", {"n_way": 1, "shots": True}, "shots must be a whole number of at least 1, but is True"),
        ("fewrel", {"n_way": 1, "shots": 1, "n_episodes": -1}, "n_episodes must be a whole number of at least 1"),
        ("fs_tacred", {"n_way": 1, "shots": 1, "test_seed": 7}, "test_seed=7, but it must be one of 160290"),
    ],
)
def test_values_that_were_not_released_or_mean_nothing_are_refused(name, options, message, raw, load, cached):
    raw(name)
    with pytest.raises(ValueError, match=message):
        load(name, **options)
    assert cached() == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("few_nerd", "n_way=12, but there are only 2 types. Lower n_way or use another split"),
        ("fewrel", "n_way=12, but there are only 1 classes. Lower n_way or use another split"),
        ("fs_tacred", "n_way=12, but there are only 1 classes beside none-of-the-above"),
    ],
)
def test_more_classes_than_there_are_is_an_error_with_both_numbers(name, message, raw, load, cached):
    raw(name)
    with pytest.raises(ValueError, match=message):
        load(name, n_way=12, shots=1)
    # The examples were prepared and are good; there are no rows of episodes.
    load(name)
    assert cached().count("dataset_info.json") == 1


# Raw files


@pytest.mark.parametrize("name", OF_PAPERS)
def test_an_empty_folder_is_an_error_that_names_the_files(name, load, tmp_path):
    (tmp_path / "raw").mkdir()
    with pytest.raises(RawFilesNotFoundError, match=rf"{name} needs data/.*: data_dir='.*raw' holds none of them"):
        load(name)


@pytest.mark.parametrize("name", OF_PAPERS)
def test_a_data_dir_that_is_no_folder_is_named(name, load):
    with pytest.raises(RawFilesNotFoundError, match=r"data_dir='.*raw' is no folder\. Expected the folder of"):
        load(name)


@pytest.mark.parametrize("name", OF_PAPERS)
def test_a_split_without_raw_files_is_left_out(name, raw, load, good):
    raw(name, **{good[name][0]: None})
    data = load(name)
    left_out = "validation" if name == "fewrel" else "test"
    assert left_out not in data
    assert "train" in data


# name: (bytes that make a good file bad, what is said of it)
SPOILED = {
    "empty": (lambda good: b"", ": expected rows of data, got an empty file"),
    "blank": (lambda good: b"\n \r\n\n", ": expected rows of data, got an empty file"),
    "of another encoding": (
        lambda good: ("\n" + good).encode("gb18030" if "天" in good else "latin-1"),
        ", line 2: expected UTF-8 text, got the bytes b'",
    ),
    "UTF-16": (lambda good: good.encode("utf-16"), r", line 1: expected UTF-8 text, got the bytes b'\\xff\\xfe"),
    # Within the last row, or the last token of tagged text.
    "truncated": (
        lambda good: good[: good.rindex("\t") - 1 if "\t" in good else -12].encode(),
        r", line \d: expected (JSON|a JSON object|token<TAB>label), got ",
    ),
}


@pytest.mark.parametrize("kind", SPOILED)
@pytest.mark.parametrize("name", OF_PAPERS)
def test_a_bad_file_is_named_leaves_no_rows_and_a_good_one_loads_after_it(kind, name, raw, load, cached, good):
    spoil, message = SPOILED[kind]
    path, content = good[name]
    raw(name, **{path: spoil(content)})
    # The other splits are good, and the first of them is written before this file is read.
    with pytest.raises(RawFileError, match=re.escape(f"/raw/{path}") + message):
        load(name)
    assert cached() == []
    raw(name)
    assert all(rows.num_rows for rows in load(name).values())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("few_nerd", {"n_way": 1, "shots": 1}),
        ("fewrel", {"n_way": 1, "shots": 1}),
        ("fs_tacred", {"n_way": 1, "shots": 1}),
        ("fewjoint", {"episodes": "sampled"}),
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
def test_a_bad_file_below_sampled_episodes_is_named_as_well(streaming, name, options, raw, load, cached, good):
    path, _ = good[name]
    raw(name, **{path: b"\xff\n"})

    def read():
        for rows in load(name, **options, n_episodes=1, streaming=streaming).values():
            list(rows)

    with pytest.raises(RawFileError, match=rf"{re.escape(path)}, line 1: expected UTF-8 text"):
        read()
    assert cached() == []


def test_the_message_is_not_hidden_behind_that_of_another_error(raw, load):
    raw("clues", **{"SST-2/sst_test.jsonl": b"\xff\n"})
    with pytest.raises(RawFileError, match="expected UTF-8 text") as caught:
        load("clues")
    # What is shown above the error is its own cause only.
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)
    assert caught.value.__suppress_context__
