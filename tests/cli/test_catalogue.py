import json
import subprocess
import sys

import pytest

from hf_fewshot.cli import main
from hf_fewshot.registry import BENCHMARKS, METRICS, SYSTEMS


def test_list_names_everything(capsys):
    assert main(["list"]) == 0
    output = capsys.readouterr().out
    for name in (*BENCHMARKS, *SYSTEMS, *METRICS.values()):
        assert f"\n{name} " in output


def test_list_as_json(capsys):
    assert main(["list", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["benchmarks"]["few_nerd"] == {
        "task": "tagging",
        "configs": ["inter", "intra", "supervised"],
        "needs": "downloads",
        "about": "66 entity types; N-way K~2K-shot episodes",
    }
    assert content["benchmarks"]["fs_tacred"]["needs"] == "your copy of TACRED (--data-dir)"
    assert content["metrics"]["s1"] == "The score of CLUES: F1 of two sets of answers, averaged over instances."
    assert content["metrics"]["slot_f1"].endswith(" that are right in span and type. Also: conlleval.")
    assert set(content["metrics"]) == {"entity_f1", "joint_accuracy", "nota_f1", "s1", "slot_f1"}
    assert content["recipes"]["laptop/fewjoint"] == {
        "title": "FewJoint, data 1.1, with a small encoder",
        "runs": 60,
        "trained": 60,
        "takes": "hours on two cores",
    }
    zero_shot = content["recipes"]["clues_zero_spans"]
    assert (zero_shot["runs"], zero_shot["trained"], zero_shot["takes"]) == (4, 0, "minutes on a GPU")
    assert content["recipes"]["few_nerd_supervised"]["takes"] == "hours on a GPU"
    assert content["recipes"]["few_nerd_inter"]["takes"] == "hours to days on a GPU"
    assert content["methods"]["in_context"]["tasks"] == ["joint", "tagging", "relation", "classification", "spans"]


def test_list_says_what_the_data_of_a_benchmark_takes(capsys):
    assert main(["list", "few_nerd"]) == 0
    first, second, *lines = capsys.readouterr().out.splitlines()
    assert first == "few_nerd: 66 entity types; N-way K~2K-shot episodes. For tagging. Needs: downloads."
    assert second == "Configurations: inter, intra, supervised."
    assert any(line.split()[:3] == ["n_way", "null", "number"] for line in lines)
    assert main(["list", "few_nerd", "--json"]) == 0
    options = {one["name"]: one["default"] for one in json.loads(capsys.readouterr().out)["options"]}
    assert options["scheme"] == "io"
    assert "data_dir" not in options


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "--json"],
        ["show", "fewrel", "--sample"],
        ["sample", "fewjoint", "--sample", "--shots", "1", "--output", "episodes.jsonl"],
    ],
)
def test_looking_at_benchmarks_takes_no_torch(arguments, tmp_path):
    code = (
        f"import sys; from hf_fewshot.cli import main; main({arguments}); "
        "print([m for m in ('torch', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.endswith("[]\n")


def test_the_doctor_finds_versions_and_models(capsys):
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["versions"]["datasets"].startswith("5.")
    assert found["embedded models"]["all-MiniLM-L6-v2"] == "installed"
    assert found["reachable"]["Hugging Face Hub"].startswith("not asked, HF_HUB_OFFLINE is set")
    assert main(["doctor"]) == 0
    assert "embedded models" in capsys.readouterr().out
