import subprocess
import sys

import pytest

from hf_fewshot.cli import main

HEAVY = ("datasets", "torch", "transformers", "accelerate", "numpy")
TYPOS = (
    (
        ["run", "--benchmark", "few_nerdd", "--method", "proto"],
        "Unknown benchmark 'few_nerdd'. Did you mean 'few_nerd'?",
    ),
    (
        ["run", "--benchmark", "few_nerd", "--config", "interr", "--method", "proto"],
        "Unknown configuration of few_nerd 'interr'. Did you mean 'inter'?",
    ),
    (
        ["run", "--benchmark", "few_nerd", "--config", "inter", "--method", "nnshott"],
        "Unknown method 'nnshott'. Did you mean 'nnshot'? One of your own is there with --import MODULE "
        "(docs/own_method.md).",
    ),
    (
        ["run", "--benchmark", "few_nerd", "--config", "inter", "--method", "nnshot", "--model", "all-minilm-v2"],
        "Unknown model 'all-minilm-v2'. Did you mean 'all-MiniLM-L6-v2'?",
    ),
    (
        ["run", "--benchmark", "fewrel", "--method", "proto", "--model", "./nowhere"],
        "--model ./nowhere is no folder that is there. Give the folder of a model, with its config.json.",
    ),
    (["list", "structshott"], "Unknown method or benchmark 'structshott'. Did you mean 'structshot'? One of your own"),
    (["list", "fewner"], "Unknown method or benchmark 'fewner'. Did you mean 'few_nerd'?"),
    (["show", "fewnerd"], "Unknown benchmark 'fewnerd'. Did you mean 'few_nerd'?"),
    (["--quiet", "reprot", "results"], "Unknown command 'reprot'. Did you mean 'report'?"),
    (["show", "clues", "--config", "sst"], "Unknown configuration of clues 'sst'. Did you mean 'sst2'?"),
    (["show"], "Show what? Name one of clues,"),
)
CODE = """
import sys
from hf_fewshot.cli import main
for typed in {typed!r}:
    code = main(typed)
    print(code, [name for name in {heavy!r} if name in sys.modules])
"""


def test_typos_are_found_before_anything_heavy_is_imported():
    code = CODE.format(typed=[typed for typed, _ in TYPOS], heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["2 []"] * len(TYPOS), done.stderr
    for (_, message), line in zip(TYPOS, done.stderr.splitlines(), strict=True):
        assert line.startswith(f"hf-fewshot: {message}")


def test_a_method_is_known_by_the_name_in_its_paper(capsys):
    assert main(["list", "ProtoBERT"]) == 0
    assert capsys.readouterr().out.startswith("proto: prototypes: the mean of each class (ProtoBERT).")


def test_the_model_of_an_endpoint_is_nobody_s_here(capsys):
    typed = ["run", "--benchmark", "fewrel", "--sample", "--n-way", "2", "--shots", "1", "--split", "validation"]
    typed += ["--method", "in_context", "--model", "all-MiniLM-L6", "--dry-run"]
    assert main([*typed, "--method-option", "endpoint=http://localhost:9/v1"]) == 0
    assert "1 runs, 1 missing" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["all-MiniLM-L6", "./nowhere"])
def test_the_encoder_of_demonstrations_is_looked_at_when_planning(name, capsys):
    typed = ["run", "--benchmark", "fewrel", "--sample", "--n-way", "2", "--shots", "1", "--split", "validation"]
    typed += ["--method", "in_context", "--model", "SmolLM2-135M-Instruct", "--method-option", f"encoder={name}"]
    typed += ["--method-option", "demonstrations=nearest", "--method-option", "n_demonstrations=1", "--dry-run"]
    assert main(typed) == 2
    assert "encoder" in capsys.readouterr().err
