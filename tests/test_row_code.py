"""Rows are kept under a hash of the code that they depend on, and of nothing else."""

import time
from pathlib import Path

import pytest

from hf_fewshot.files.imports import imported_modules
from hf_fewshot.registry import BENCHMARKS, resolve
from hf_fewshot.row_code import code_hash, row_modules


@pytest.fixture
def hash_after_editing(project, monkeypatch):
    """A function: the hash of a benchmark if a file of the project had one line more."""
    original = Path.read_bytes

    def edited(benchmark, file):
        assert (project / file).is_file()
        with monkeypatch.context() as patched:
            read = lambda path: original(path) + (b"\nx = 1\n" if path == project / file else b"")  # noqa: E731
            patched.setattr(Path, "read_bytes", read)
            code_hash.cache_clear()
            return code_hash(benchmark)

    yield edited
    code_hash.cache_clear()


@pytest.mark.parametrize(
    ("benchmark", "file"),
    [
        ("clues", "dataset_scripts/clues/clues.py"),
        ("clues", "dataset_scripts/clues/sample.py"),
        ("clues", "dataset_scripts/clues/sample_mnli.yaml"),
        ("clues", "dataset_scripts/clues/checksums.txt"),
        ("clues", "hf_fewshot/data/builder.py"),
        ("clues", "hf_fewshot/data/benchmark_config.py"),
        ("clues", "hf_fewshot/data/grammar.py"),
        ("clues", "hf_fewshot/files/raw_files.py"),
        ("clues", "hf_fewshot/files/strict_json.py"),
        ("clues", "hf_fewshot/files/sources.py"),
        ("clues", "hf_fewshot/tasks/spans.py"),
        ("clues", "hf_fewshot/tasks/schemas.py"),
        ("few_nerd", "dataset_scripts/few_nerd/files.py"),
        ("few_nerd", "hf_fewshot/episodes/n_way_k2k.py"),
        ("few_nerd", "hf_fewshot/tasks/tagging.py"),
        ("fewjoint", "hf_fewshot/episodes/minimum_including.py"),
        ("fs_tacred", "hf_fewshot/episodes/tacred_replay.py"),
        ("fs_tacred", "hf_fewshot/tasks/relation.py"),
    ],
)
def test_what_rows_depend_on_is_in_the_hash(benchmark, file, hash_after_editing):
    before = code_hash(benchmark)
    assert hash_after_editing(benchmark, file) != before


@pytest.mark.parametrize(
    ("benchmark", "file"),
    [
        ("clues", "dataset_scripts/clues/README.md"),
        ("clues", "dataset_scripts/clues/published.yaml"),
        ("clues", "dataset_scripts/clues/own_folds.py"),
        ("clues", "dataset_scripts/clues/aggregate.py"),
        ("clues", "dataset_scripts/fewrel/fewrel.py"),
        ("clues", "hf_fewshot/__init__.py"),
        ("clues", "hf_fewshot/registry.py"),
        ("clues", "hf_fewshot/data/benchmark_data.py"),
        ("clues", "hf_fewshot/episodes/n_way_k2k.py"),
        ("clues", "hf_fewshot/tasks/relation.py"),
        ("fewrel", "hf_fewshot/cli/main.py"),
        ("fewrel", "hf_fewshot/methods/prototypes.py"),
        ("fewrel", "hf_fewshot/models/few_shot_model.py"),
        ("fewrel", "hf_fewshot/systems/episodic.py"),
        ("fewrel", "hf_fewshot/data/class_split.py"),
        ("fewrel", "metrics/nota_f1/scoring.py"),
    ],
)
def test_what_rows_do_not_depend_on_is_not_in_the_hash(benchmark, file, hash_after_editing):
    before = code_hash(benchmark)
    assert hash_after_editing(benchmark, file) == before


def test_every_benchmark_has_a_hash_of_its_own():
    assert len({code_hash(name) for name in ("clues", "few_nerd", "fewjoint", "fewrel", "fs_tacred")}) == 5
    with pytest.raises(ValueError, match=r"Unknown benchmark 'clue'\. Did you mean 'clues'\?"):
        code_hash("clue")


def test_rows_depend_on_no_model_and_no_command():
    for name in BENCHMARKS:
        rooms = {module.split(".")[1] for module in row_modules(name)}
        assert rooms <= {"data", "dataset_scripts", "episodes", "files", "labelled", "tasks", "text"}


def test_the_hash_is_quick():
    """About 10 ms; every `load_dataset` waits for it."""
    resolve(BENCHMARKS["few_nerd"])
    taken = []
    for _ in range(5):
        code_hash.cache_clear()
        start = time.process_time()
        code_hash("few_nerd")
        taken.append(time.process_time() - start)
    assert min(taken) < 0.05


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a.b, c as d\n", ["a.b", "c"]),
        ("def f():\n    from a import (\n        b,  # one\n        c,\n    )\n", ["a", "a.b", "a.c"]),
        ("from . import x\nfrom ..up import y\n", ["p.q", "p.q.x", "p.up", "p.up.y"]),
        ("x = 1; import a\n", ["a"]),
        ("try: import a\nexcept ImportError: from b import c\n", ["a", "b", "b.c"]),
        ("from a import \\\n    b\n", ["a", "a.b"]),
        ('"""Words.\n\nimport is a word here, and no statement.\n"""\nimport a\n', ["a"]),
        ("from a import (b,  # (sic)\n    c)\n", ["a", "a.b", "a.c"]),
        ("def broken(:\n", []),
    ],
)
def test_imports_are_read_from_the_source(source, expected, tmp_path):
    file = tmp_path / "module.py"
    file.write_text(source)
    assert sorted(imported_modules("p.q.module", file)) == sorted(expected)
