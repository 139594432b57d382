import subprocess
import sys

import pytest

from hf_fewshot.cli import main
from hf_fewshot.cli.show_command import coloured
from hf_fewshot.registry import BENCHMARKS


def test_show_prints_a_row_of_every_benchmark_from_sample_data(capsys):
    for name in BENCHMARKS:
        assert main(["show", name, "--sample"]) == 0
        assert capsys.readouterr().out.startswith(name)
    assert main(["show", "few_nerd", "--sample"]) == 0
    output = capsys.readouterr().out
    assert output.count("  support (") == 1
    assert "\x1b[" not in output  # no colours where there is no terminal


def test_without_a_name_it_says_what_may_be_shown(capsys):
    assert main(["show"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("hf-fewshot: Show what? Name one of clues, few_nerd, fewjoint, fewrel, fs_tacred, own_")
    assert said.endswith("or give data of your own: --data FILE --task TASK.\n")


def test_options_reach_the_builder(capsys):
    assert main(["show", "fewrel", "--sample", "--n-way", "3", "-o", "domain=pubmed", "--index", "2"]) == 0
    output = capsys.readouterr().out
    assert "fewrel validation: 20 rows" in output
    assert output.splitlines()[1].startswith("episode 2: classes ")
    assert len(output.splitlines()[1].split(",")) == 3


def test_another_configuration_begins_without_the_defaults(capsys):
    assert main(["show", "few_nerd", "--config", "supervised", "--sample"]) == 0
    assert capsys.readouterr().out.startswith("few_nerd/supervised test: 500 rows")


def test_labels_have_colours_of_their_own():
    text = coloured("in [Paris|city] and [Rome|city], [Anna|person]")
    (first, second, third) = text.spans
    assert (text.plain[first.start : first.end], text.plain[third.start : third.end]) == (
        "[Paris|city]",
        "[Anna|person]",
    )
    assert first.style == second.style != third.style


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clues", "--sample", "--index", "99999"], "--index 99999, but split 'test' of clues has"),
        (["clues", "--sample", "--split", "dev"], "--split dev, but clues has the splits train, test"),
        (["fewjoint", "--sample", "-o", "shotz=3"], "Did you mean 'shots'?"),
        (["fewjoint", "--data-dir", "nowhere"], "--data-dir nowhere is no folder"),
    ],
)
def test_a_wrong_request_ends_with_a_message_and_code_2(arguments, message, capsys):
    assert main(["show", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_option_without_a_value_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["show", "clues", "-o", "shots"])
    assert "expected key=value, got 'shots'" in capsys.readouterr().err


def test_help_loads_no_heavy_library():
    """Nor one that reads whether its bars are shown when it is imported: they would come into logs."""
    code = (
        "import sys; from hf_fewshot.cli import parser; parser().format_help(); "
        "print([m for m in ('datasets', 'huggingface_hub', 'torch', 'tqdm', 'numpy', 'rich', 'yaml') "
        "if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
