import json
import subprocess
import sys

from hf_fewshot import catalogue
from hf_fewshot.cli import main
from hf_fewshot.registry import BENCHMARKS, METRICS, SYSTEMS, resolve


def test_the_catalogue_says_what_is_there():
    assert set(catalogue.BENCHMARKS) == set(BENCHMARKS)
    assert set(catalogue.METRICS) == set(METRICS.values())
    for name, entry in catalogue.BENCHMARKS.items():
        builder = resolve(BENCHMARKS[name])
        assert entry.task == builder.TASK
        assert set(entry.configs) == {config.name for config in builder.BUILDER_CONFIGS}


def test_list_names_everything(capsys):
    assert main(["list"]) == 0
    output = capsys.readouterr().out
    for name in (*catalogue.BENCHMARKS, *SYSTEMS, *catalogue.METRICS):
        assert f"\n{name} " in output


def test_list_as_json(capsys):
    assert main(["list", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["benchmarks"]["few_nerd"]["configs"] == ["inter", "intra", "supervised"]
    assert content["methods"]["in_context"]["tasks"] == ["joint", "tagging", "relation", "classification", "spans"]


def test_list_loads_no_heavy_library():
    code = (
        "import sys; from hf_fewshot.cli import main; main(['list', '--json']); "
        "print([m for m in ('datasets', 'torch', 'numpy', 'transformers') if m in sys.modules], file=sys.stderr)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr == "[]\n"


def test_the_doctor_finds_versions_and_models(capsys):
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["versions"]["datasets"].startswith("5.")
    assert found["embedded models"]["all-MiniLM-L6-v2"] == "installed"
    assert found["reachable"]["Hugging Face Hub"].startswith("not asked, HF_HUB_OFFLINE is set")
    assert main(["doctor"]) == 0
    assert "embedded models" in capsys.readouterr().out
