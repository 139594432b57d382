import pytest

from hf_fewshot.data.benchmark_options import benchmark_options, check_benchmark_options
from hf_fewshot.registry import BENCHMARKS

# What `load_dataset` and builders take beside options of a benchmark.
REACHING = (
    "cache_dir",
    "data_dir",
    "data_files",
    "description",
    "download_config",
    "download_mode",
    "features",
    "keep_in_memory",
    "name",
    "num_proc",
    "path",
    "revision",
    "save_infos",
    "split",
    "storage_options",
    "streaming",
    "token",
    "trust_remote_code",
    "verification_mode",
    "version",
)


def test_options_are_those_of_the_benchmark_alone():
    assert benchmark_options("clues") == {
        "sample": bool,
        "seed": int,
        "n_episodes": int | None,
        "shots": int,
        "fold": int,
        "all_rows": bool,
        "compat": str | None,
    }
    for name in BENCHMARKS:
        assert not set(REACHING) & set(benchmark_options(name))


@pytest.mark.parametrize("name", REACHING)
def test_nothing_else_can_be_chosen(name):
    with pytest.raises(ValueError, match=rf"{name}.*option of fewrel|option of fewrel '{name}'"):
        check_benchmark_options("fewrel", None, {name: "/outside"})


def test_the_remedy_for_places_is_the_command_line():
    message = r"data_dir='/x' is no option of clues, which has sample, .*with --data-dir\."
    with pytest.raises(ValueError, match=message):
        check_benchmark_options("clues", "sst2", {"data_dir": "/x"})


@pytest.mark.parametrize(
    ("benchmark", "config", "options"),
    [
        ("clues", "sst2", {"shots": 30, "fold": 5, "sample": True}),
        ("few_nerd", "inter", {"n_way": 5, "shots": 1, "n_episodes": 500, "seed": 7}),
        ("few_nerd", "supervised", {}),
        ("fewjoint", None, {"shots": 3}),
        ("fewrel", None, {"n_way": 5, "shots": 1, "nota_rate": 0, "domain": "pubmed"}),
        ("fs_tacred", "default", {"n_way": 5, "shots": 5, "test_seed": 160294}),
    ],
)
def test_options_of_the_papers_are_taken(benchmark, config, options):
    check_benchmark_options(benchmark, config, options)


@pytest.mark.parametrize(
    ("benchmark", "config", "options", "message"),
    [
        ("fewrl", None, {}, r"Unknown benchmark 'fewrl'\. Did you mean 'fewrel'\?"),
        ("few_nerd", None, {}, r"few_nerd has several configurations; choose one: .* Known: inter, intra, supervised"),
        ("few_nerd", "intre", {}, r"Unknown configuration of few_nerd 'intre'\. Did you mean 'intra'\?"),
        ("fewrel", None, {"n_shots": 1}, r"Unknown option of fewrel 'n_shots'\. Did you mean 'shots'\?"),
        ("fewrel", None, {"n_way": 5, "shots": "1"}, r"shots='1', but this option of fewrel must be a whole number"),
        ("fewjoint", None, {"shots": True}, r"shots=True, but this option of fewjoint must be a whole number"),
        ("fewrel", None, {"n_way": 5}, "n_way=5 and shots=None: give both"),
        ("fewrel", None, {"n_way": 5, "shots": 1, "seed": 10**20}, "The largest is 4294967295"),
        ("fewrel", None, {"n_way": 5, "shots": 1, "seed": -1}, "seed must be a whole number of at least 0, but is -1"),
        ("fewrel", None, {"n_way": 5, "shots": 1, "n_episodes": 10**12}, "take about 909 TB of memory"),
        ("fs_tacred", None, {"n_way": 5, "shots": 1, "n_query": 10**9}, "take about 2 PB of memory"),
        ("few_nerd", "inter", {"n_way": 10**9, "shots": 1}, "of memory, and this machine has"),
        ("few_nerd", "inter", {"n_way": 5, "shots": 1, "n_query": 0}, "n_query must be a whole number of at least 1"),
        ("clues", "sst2", {"fold": 7}, "fold=7, but it must be one of 1, 2, 3, 4, 5"),
        ("fewjoint", None, {"fold": 1}, "fold=1 has no effect without data_dir"),
    ],
)
def test_what_is_unknown_of_another_type_too_large_or_contradictory_is_refused(benchmark, config, options, message):
    with pytest.raises(ValueError, match=message):
        check_benchmark_options(benchmark, config, options)


def test_some_options_make_sense_with_a_data_dir():
    check_benchmark_options("fewjoint", None, {"fold": 1}, data_dir="snips")
