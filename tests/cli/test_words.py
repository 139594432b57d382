import argparse

import pytest

from hf_fewshot.cli.main import parser
from hf_fewshot.cli.words import command_words


def said(text: str, *typed: str) -> str:
    return command_words(parser().parse_args(typed))(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "split 'test': n_way=30, but there are only 10 classes. Lower n_way or take another one.",
            "split 'test': --n-way 30, but there are only 10 classes. Lower --n-way or take another one.",
        ),
        ("too few have: x. Lower n_way or shots.", "too few have: x. Lower --n-way or --shots."),
        ("Lower shots, or use others", "Lower --shots, or use others"),
        ("Say of which size, such as n_way and shots.", "Say of which size, such as --n-way and --shots."),
        ("To try things out without the data: sample=True.", "To try things out without the data: --sample."),
        (
            "(1) data_dir=<folder of TACRED from x.org>; (2) HF_FEWSHOT_MIRROR=<folder>",
            "(1) --data-dir <folder of TACRED from x.org>; (2) HF_FEWSHOT_MIRROR=<folder>",
        ),
        ("data_dir='my files' is no folder.", "--data-dir 'my files' is no folder."),
        ("n_way=5 and shots=None: give both", "--n-way 5 and no --shots: give both"),
        ("needs a model. Give model=..., a Hub id", "needs a model. Give --model ..., a Hub id"),
        ("model='bert base' is no folder here", "--model 'bert base' is no folder here"),
        ("data_dir=/tmp/x: nothing", "--data-dir /tmp/x: nothing"),
        # The other episodes of a run are meant by --episodes.
        ('Use one of them, or episodes="sampled".', 'Use one of them, or episodes="sampled".'),
        # Names of runs, paths and what was quoted stay.
        ("few_nerd_inter_n_way=5_shots=1_seed=0: failed", "few_nerd_inter_n_way=5_shots=1_seed=0: failed"),
        ("/data_dir/n_way/x.json: no such file", "/data_dir/n_way/x.json: no such file"),
        ("Did you mean 'n_way'? Got 'n_way=3'.", "Did you mean 'n_way'? Got 'n_way=3'."),
        ("the model says a split of 5 shots and more", "the model says a split of 5 shots and more"),
    ],
)
def test_what_the_library_says_is_said_as_it_is_typed(text, expected):
    assert said(text, "run", "--benchmark", "fewrel", "--method", "proto") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unset it, or give dry_run=True to see what would be uploaded.", "Unset it, or give --dry-run to see what"),
        ("Give overwrite=True to replace them.", "Give --overwrite to replace them."),
        ("Give private=False if everybody may see it.", "Give --public if everybody may see it."),
    ],
)
def test_a_push_that_is_refused_says_what_to_type(text, expected):
    assert said(text, "push", "results", "--repo", "me/x").startswith(expected)


def test_what_stands_in_a_recipe_stays_and_what_to_do_instead_is_typed():
    text = "n_way=30 and shots=5, but there are only 10. Give model=... or sample=True."
    recipe = ("run", "recipe.yaml")
    assert said(text, *recipe) == "n_way=30 and shots=5, but there are only 10. Give model=... or --sample."
    assert said(text, *recipe, "--n-way", "30").startswith("--n-way 30 and shots=5, but there are only 10.")


def test_commands_without_the_option_say_what_python_says():
    assert said("n_way=3 in the header, model='x'", "score", "a.jsonl") == "n_way=3 in the header, model='x'"
    assert command_words(argparse.Namespace())("n_way=3") == "n_way=3"
