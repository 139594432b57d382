import argparse

import pytest

from hf_fewshot.cli.options import add_data, data_options, key_value, module_name


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("shots=3", ("shots", 3)),
        ("nota_rate=1e-1", ("nota_rate", 0.1)),
        ("domain=pubmed", ("domain", "pubmed")),
        ("file=a=b", ("file", "a=b")),
        ("tau=NaN", ("tau", "NaN")),
        ('tuning={"steps": 2}', ("tuning", {"steps": 2})),
    ],
)
def test_values_are_json_where_they_can_be(text, pair):
    assert key_value(text) == pair


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shots", "expected key=value, got 'shots'"),
        ("=3", "expected key=value, got '=3'"),
        ('tuning={"steps": 2, "steps": 3}', "tuning: the key 'steps' comes twice in one object"),
        ("tuning={steps: 2}", "tuning: Expecting property name enclosed in double quotes"),
        (f"tuning={'[' * 5000}", "tuning: it is nested more than 200 deep"),
    ],
)
def test_what_is_no_pair_is_refused(text, message):
    with pytest.raises(argparse.ArgumentTypeError, match=message):
        key_value(text)


def given(*words: str, benchmark: str | None = None) -> dict[str, object]:
    command = argparse.ArgumentParser()
    command.set_defaults(benchmark=benchmark)
    add_data(command)
    return data_options(command.parse_args(words))


def test_options_have_names_of_their_own_or_are_pairs():
    assert given("--shots", "1", "--sample", "-o", "fold=2", "-o", "n_way=null") == {
        "shots": 1,
        "sample": True,
        "fold": 2,
    }


def test_an_option_with_two_values_is_refused():
    assert given("--shots", "1", "-o", "shots=1") == {"shots": 1}
    with pytest.raises(ValueError, match="shots is given twice, as 1 and 2"):
        given("--shots", "1", "-o", "shots=2")
    with pytest.raises(ValueError, match="fold is given twice, as 1 and 2"):
        given("-o", "fold=1", "-o", "fold=2")


@pytest.mark.parametrize(
    ("benchmark", "pair", "message"),
    [
        ("fewrel", "name=x", "Unknown option of fewrel 'name'"),
        ("fewrel", "name=null", "Unknown option of fewrel 'name'"),
        ("fewrel", "cache_dir=x", "Unknown option of fewrel 'cache_dir'"),
        ("fewrel", "fold=1", "Unknown option of fewrel 'fold'"),
        ("fewrel", "nota_rate=x", "nota_rate='x', but this option of fewrel must be a number"),
        (None, "split=x", "Unknown option of the data 'split'"),
    ],
)
def test_what_is_no_option_of_the_benchmark_is_refused(benchmark, pair, message):
    with pytest.raises(ValueError, match=message):
        given("-o", pair, benchmark=benchmark)


@pytest.mark.parametrize("text", ["../own", "own.py.", ".own", "", "a b", "own-method"])
def test_what_is_no_name_of_a_module_is_refused(text):
    assert module_name("package.own_method") == "package.own_method"
    with pytest.raises(argparse.ArgumentTypeError, match="expected the name of a module, such as own_method, got"):
        module_name(text)
