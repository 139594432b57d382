"""The source of methods that are not ours, beside what they gave."""

import subprocess
import sys

from hf_fewshot.cards.own_code import FOLDER, own_code_usage
from hf_fewshot.hub import push_run
from hf_fewshot.hub.own_code import own_code
from hf_fewshot.registry import METHODS, SYSTEMS, register_method
from tests.cards.records import record
from tests.hub.run_folder import write_run

SOURCE = """\
from hf_fewshot.methods.prototypes import Prototypes
from pushed_parts import FACTOR


class Own(Prototypes):
    factor = FACTOR
"""


def test_a_pushed_method_carries_its_source_and_its_snippet_works_elsewhere(tmp_path, monkeypatch):
    place = tmp_path / "mine"
    place.mkdir()
    (place / "pushed_own.py").write_text(SOURCE)
    (place / "pushed_parts.py").write_text("FACTOR = 7\n")
    monkeypatch.syspath_prepend(str(place))
    for names in (METHODS, SYSTEMS):
        monkeypatch.setattr(names, "_known", dict(names._known))
    register_method("pushed_own", "pushed_own:Own", tasks=["tagging"])
    write_run(tmp_path / "results", record(method="pushed_own"))
    plan = push_run(tmp_path / "results", "me/m", dry_run=True)
    assert [path for path in plan.sizes if path.startswith(f"{FOLDER}/")] == [
        "code/pushed_own.py",
        "code/pushed_parts.py",
    ]
    assert "few_nerd" in plan.results[".eval_results/few_nerd.yaml"]
    methods, files, _ = own_code([record(method="pushed_own")])
    downloaded = tmp_path / "downloaded"
    (downloaded / FOLDER).mkdir(parents=True)
    for path, file in files.items():
        (downloaded / FOLDER / path).write_bytes(file.read_bytes())
    snippet = own_code_usage("me/m", methods)
    assert 'snapshot_download("me/m"' in snippet
    fake = f"import huggingface_hub\nhuggingface_hub.snapshot_download = lambda *_, **__: {str(downloaded)!r}\n"
    use = "\nfrom hf_fewshot.registry import method_class\nprint(method_class('pushed_own').factor)"
    done = subprocess.run(
        [sys.executable, "-c", fake + snippet + use], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == "7\n"


def test_a_method_that_nobody_registered_is_named_and_its_source_left_out():
    methods, files, left_out = own_code([record(method="of_somebody"), record()])
    assert (methods, files) == ([], {})
    assert left_out == {"source of of_somebody": "unknown here: --import the module that registers it"}
