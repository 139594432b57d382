import shutil

import evaluate
import pytest

from hf_fewshot import registry
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.registration import metric_folder
from hf_fewshot.registry import register_benchmark, register_method, register_metric, register_task


@pytest.fixture
def forgotten(monkeypatch):
    """What is registered is forgotten again."""
    for table in (registry.METHODS, registry.SYSTEMS):
        monkeypatch.setitem(table, "mine", None)
        del table["mine"]


def test_a_method_of_ones_own_is_known_everywhere(forgotten):
    register_method("mine", "hf_fewshot.methods.prototypes:Prototypes", tasks=["tagging"], about="like proto")
    assert registry.METHODS["mine"] == ("hf_fewshot.methods.prototypes:Prototypes", ("tagging",), "like proto")
    assert registry.SYSTEMS["mine"] == (registry.EPISODIC, ("tagging",), "encoder", "like proto", (), False, "seeds")
    register_method("mine", "hf_fewshot.methods.prototypes:Prototypes", tasks=["tagging", "relation"])
    assert registry.SYSTEMS["mine"].tasks == ("tagging", "relation")


@pytest.mark.parametrize(
    ("name", "reference", "tasks", "message"),
    [
        ("mine", "a.B", ["tagging"], r"Expected a class as 'module:Class', got 'a\.B'"),
        ("proto", "a:B", ["tagging"], r"There is a method 'proto' already\. Give yours another name"),
        ("in_context", "a:B", ["tagging"], "There is a method 'in_context' already"),
        ("mine", "a:B", ["taging"], r"Unknown task 'taging'\. Did you mean 'tagging'\?"),
    ],
)
def test_wrong_registrations_are_refused(forgotten, name, reference, tasks, message):
    with pytest.raises(ValueError, match=message):
        register_method(name, reference, tasks=tasks)
    assert "mine" not in registry.METHODS


@pytest.fixture
def unregistered(monkeypatch):
    """Benchmarks, tasks and metrics that are registered are forgotten again."""
    for names in (registry.BENCHMARKS, registry.TASKS, registry.METRICS):
        monkeypatch.setattr(names, "_known", dict(names))


def test_benchmarks_tasks_and_metrics_of_ones_own_are_known(unregistered, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mine.py").write_text("")
    for _ in range(2):  # who registers the same again means the same
        register_benchmark("mine", "package.module:Mine")
        register_task("mine", "module:Mine")
        register_metric("mine", tmp_path / "mine")
    assert registry.BENCHMARKS["mine"] == "package.module:Mine"
    assert registry.TASKS["mine"] == "module:Mine"
    assert metric_folder("mine") == tmp_path / "mine"
    assert metric_folder("s1").parts[-2:] == ("metrics", "s1")


@pytest.mark.parametrize(
    ("register", "arguments", "message"),
    [
        (register_benchmark, ("mine", "package.module"), "Expected a class as 'module:Class', got 'package.module'"),
        (register_benchmark, ("mine", "m:C"), "Expected a builder in a package, 'package.module:Class', got 'm:C'"),
        (register_benchmark, ("clues", "a.b:C"), r"There is a benchmark 'clues' already\. Give yours another name"),
        (register_benchmark, ("../x", "a.b:C"), r"Expected a name of letters, digits and _ .* got '\.\./x'"),
        (register_task, ("spans", "a:B"), "There is a task 'spans' already"),
        (register_metric, ("mine", "nowhere"), r"Expected a folder with the metric in nowhere\.py, got 'nowhere'"),
    ],
)
def test_what_cannot_be_registered_is_refused(unregistered, register, arguments, message):
    with pytest.raises(ValueError, match=message):
        register(*arguments)
    assert "mine" not in registry.BENCHMARKS


def test_what_is_registered_as_a_benchmark_must_be_one(unregistered):
    register_benchmark("mine", "hf_fewshot.dataset_scripts.clues.clues:Clues")
    with pytest.raises(TypeError, match=r"Expected a FewShotBuilder whose NAME is 'mine' at .*clues:Clues"):
        builder_of("mine")


def test_a_metric_of_ones_own_is_loaded_by_evaluate(unregistered, project, tmp_path):
    shutil.copytree(project / "metrics" / "s1", tmp_path / "own_s1")
    (tmp_path / "own_s1" / "s1.py").rename(tmp_path / "own_s1" / "own_s1.py")
    register_metric("own", tmp_path / "own_s1")
    assert evaluate.load("own").compute(predictions=[["a"]], references=[["a"]])["s1"] == 1.0


def test_a_class_that_is_not_there_is_named():
    with pytest.raises(ImportError, match=r"visible:Missing' was registered, but module .* has no 'Missing'"):
        registry.resolve("hf_fewshot.text.visible:Missing")
