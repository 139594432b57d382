import pytest

import hf_fewshot
from hf_fewshot.cli import main


@pytest.mark.parametrize("typed", [[], ["-v"]])
def test_no_command_is_a_question_for_help(typed, capsys):
    assert main(typed) == 0
    assert "hf-fewshot list                                   what there is" in capsys.readouterr().out


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"hf_fewshot {hf_fewshot.__version__}\n"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["--n-way", "3", "--n-way", "4"], "argument --n-way: given twice, as 3 and 4; give it once"),
        (["--seeds", "0", "1", "--seeds", "2"], "argument --seeds: given twice, as 0 1 and 2; give it once"),
    ],
)
def test_an_option_is_given_once(typed, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run", "--benchmark", "few_nerd", "--method", "proto", *typed])
    assert message in capsys.readouterr().err


def test_the_same_twice_is_no_contradiction(capsys):
    assert main(["show", "clues", "--config", "sst", "--config", "sst"]) == 2
    assert "Unknown configuration of clues 'sst'" in capsys.readouterr().err


def test_two_ways_to_say_one_option_must_agree(capsys):
    assert main(["show", "fewrel", "--sample", "--n-way", "3", "-o", "n_way=4"]) == 2
    assert "--n-way is given twice, as 3 and 4. Give it once." in capsys.readouterr().err
