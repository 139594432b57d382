"""What runs ask for is checked before anything is loaded for them."""

import subprocess
import sys
from dataclasses import replace

import pytest
from transformers import Trainer, TrainingArguments

from hf_fewshot.registry import SYSTEMS, resolve
from hf_fewshot.runs import planning
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.recipe import load_recipe
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.options import system_class

RUN = Run(
    "fewrel",
    "proto",
    data={"sample": True, "n_way": 2, "shots": 1, "nota_rate": 0.5},
    split="validation",
    options={"layers": 4},
    model="encoder",
    training={"max_steps": 5, "learning_rate": 1e-4, "data": {"n_episodes": 3}, "validation": {"seed": 2}},
)
JOINT = Run(
    "fewjoint",
    "sep_proto",
    data={"sample": True, "shots": 3},
    model="encoder",
    training={"pretraining": {"max_steps": 2}},
)


def test_what_can_be_run_is_not_refused(project):
    check_runs([RUN, JOINT])
    paths = sorted((project / "recipes").rglob("*.yaml"))
    assert len(paths) >= 12
    for path in paths:
        check_runs(list(load_recipe(path).runs()))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": {"layers": "abc"}}, "layers='abc', but this option of method 'proto' must be a whole number"),
        ({"options": {"layrs": 4}}, "Unknown option of method 'proto' 'layrs'. Did you mean 'layers'?"),
        ({"training": {"max_steps": "two"}}, "max_steps='two', but this training argument of method 'proto' must be"),
        ({"training": {"max_step": 2}}, "Unknown training argument of method 'proto' 'max_step'. Did you mean 'max_s"),
        ({"training": {"optim": "adamm"}}, "optim='adamm', but"),
        ({"training": {"gradient_accumulation_steps": 0}}, "gradient_accumulation_steps=0, but this .* at least 1."),
        ({"training": {"seed": -1}}, "seed=-1, but a seed must be"),
        ({"training": {"learning_rate": float("inf")}}, "learning_rate=inf, but this training argument .* a number."),
        ({"training": {"output_dir": "x"}}, "output_dir is no training argument of method 'proto': the run decides"),
        ({"training": {"push_to_hub": True}}, "push_to_hub is no training argument"),
        ({"training": {"data": 3}}, "data=3, but this option of training must be a mapping"),
        ({"training": {"data": {"n_episodes": "x"}}}, "n_episodes='x', but this option of fewrel must be"),
        ({"training": {"pretraining": {"max_steps": 2}}}, "Unknown training argument of method 'proto' 'pretraining'"),
        ({"data": {"name": "x"}}, "Unknown option of fewrel 'name'"),
        ({"data": {"cache_dir": "x"}}, "cache_dir='x' is no option of fewrel"),
        ({"data": {"n_way": "two"}}, "n_way='two', but this option of fewrel must be"),
        ({"seed": 10**20}, "seed=100000000000000000000, but a seed must be a whole number from 0 to 4294967295."),
        ({"seed": -1}, "seed=-1, but a seed must be"),
        ({"seed": True}, "seed=True, but a seed must be"),
        ({"config": 5}, "config=5, but this part of a run must be text or none"),
        ({"split": ["test"]}, r"split=\['test'\], but this part of a run must be text"),
        ({"model": {}}, "model={}, but this part of a run must be text or none"),
        ({"split": "validaton"}, "Unknown split of fewrel 'validaton'. Did you mean 'validation'?"),
        ({"split": "test"}, "Unknown split of fewrel 'test'. Known: train, validation."),
        ({"training": 3}, "training=3, but this part of a run must be a mapping or none"),
        ({"training": {"validation": [1]}}, r"validation=\[1\], but this option of training must be a mapping"),
    ],
)
def test_what_cannot_be_run_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        check_runs([replace(RUN, **changes)])


def test_without_examples_only_methods_that_do_without_are_run():
    zero = Run("clues", "in_context", "sst2", {"shots": 0}, model="lm")
    check_runs([zero, replace(zero, method="prompt_tuning"), replace(zero, method="always_empty")])
    spans = replace(zero, method="span_finetuning")
    with pytest.raises(ValueError, match=r"Method 'span_finetuning' learns from examples, but clues has none with"):
        check_runs([spans])
    with pytest.raises(ValueError, match=r"There is nothing to train on: clues has no examples with .*'shots': 0"):
        check_runs([replace(zero, method="prompt_tuning", training={})])
    check_runs([replace(spans, data={"all_rows": True}), replace(spans, data={"shots": 10})])


def test_arguments_for_parameters_that_a_method_has_not_are_refused():
    relations = replace(RUN, method="mnav", options={"mlp": True}, training={"head_l2": 1e-3})
    check_runs([relations, replace(relations, method="threshold", training={"threshold_learning_rate": 1.0})])
    check_runs([replace(JOINT, training={"head_learning_rate": 1e-3})])
    for method, options, training, message in (
        ("proto", {}, {"head_learning_rate": 1.0}, "head_learning_rate=1.0 is for a method's own parameters, but"),
        (
            "proto",
            {},
            {"head_l2": 9.0},
            "head_l2=9.0 is for a method's own parameters, but 'proto' has none with these",
        ),
        ("mnav", {}, {"threshold_learning_rate": 9.0}, "threshold_learning_rate=9.0 is for Threshold's number, which"),
    ):
        with pytest.raises(ValueError, match=message):
            check_runs([replace(RUN, method=method, options=options, training=training)])
    with pytest.raises(ValueError, match="is for Threshold's number, which 'sep_proto' has not"):
        check_runs([replace(JOINT, training={"threshold_learning_rate": 0.2})])


def test_span_heads_are_checked():
    spans = Run("clues", "span_finetuning", "sst2", {"shots": 10, "fold": 2}, model="encoder")
    check_runs([spans, *(replace(spans, options={"head": head}) for head in ("single", "set"))])
    check_runs([replace(spans, options={"head": "set", "several": True, "required": True})])
    with pytest.raises(ValueError, match="head='both', but it must be one of 'single', 'set'"):
        check_runs([replace(spans, options={"head": "both"})])
    with pytest.raises(ValueError, match="required is an option of head='set': the single head gives one answer or"):
        check_runs([replace(spans, options={"head": "single", "required": True})])


def test_a_fold_may_be_validated_on_another_one():
    spans = Run("clues", "span_finetuning", "sst2", {"shots": 10, "fold": 2}, model="encoder")
    check_runs([replace(spans, training={"validation": {"fold": 5}})])
    for validation, message in (
        ({"fold": 2}, "fold=2 is trained on and cannot be the validation set as well"),
        ({"fold": 6}, "fold=6, but it must be one of 1, 2, 3, 4, 5"),
        ({"shots": 10}, r"validation=\{'shots': 10\}, but method 'span_finetuning' is validated on another fold"),
        (5, "validation=5, but this option of training must be a mapping"),
    ):
        with pytest.raises(ValueError, match=message):
            check_runs([replace(spans, training={"validation": validation})])
    with pytest.raises(ValueError, match="fold=1 is trained on and cannot be"):
        check_runs([replace(spans, data={"shots": 10}, training={"validation": {"fold": 1}})])
    with pytest.raises(ValueError, match="fold=5 has no effect with all_rows"):
        check_runs([replace(spans, data={"all_rows": True}, training={"validation": {"fold": 5}})])
    with pytest.raises(ValueError, match="Unknown training argument of method 'text_to_text' 'validation'"):
        check_runs([replace(spans, method="text_to_text", training={"validation": {"fold": 5}})])


def test_a_benchmark_with_folds_is_predicted_on_its_test_rows_and_has_no_validation():
    fold = Run("clues", "always_empty", "sst2", {"sample": True, "shots": 10, "fold": 1})
    check_runs([fold])
    with pytest.raises(ValueError, match="split='train', but clues is evaluated on its test rows: split='test'"):
        check_runs([replace(fold, split="train")])
    with pytest.raises(ValueError, match=r"Unknown split of clues 'validation'\. Known: test, train"):
        check_runs([replace(fold, split="validation")])


def test_a_configuration_without_a_template_is_found_when_planning():
    run = Run("clues", "prompt_tuning", "conll03", {"sample": True, "shots": 10, "fold": 1}, model="bert")
    with pytest.raises(ValueError, match=r"Unknown template 'conll03'\. Known: mnli, "):
        check_runs([run])
    check_runs([replace(run, config="sst2"), replace(run, options={"template": "sst2"})])


def test_arguments_of_a_pretraining_are_checked():
    with pytest.raises(ValueError, match="Unknown training argument of method 'sep_proto' 'max_stps'"):
        check_runs([replace(JOINT, training={"pretraining": {"max_stps": 2}})])


def test_all_problems_of_all_runs_are_named_once():
    runs = [
        replace(RUN, system=system, seed=seed, options={"layers": "abc"}, data={"shotz": 1})
        for system in ("A", "B")
        for seed in (0, 1, -1)
    ]
    with pytest.raises(ValueError, match="Not all can be run") as raised:
        check_runs(runs)
    head, data, first, seed, second = str(raised.value).splitlines()
    assert head == "Not all can be run:"
    assert data == "  Unknown option of fewrel 'shotz'. Did you mean 'shots'?"
    assert first.startswith("  System 'A': layers='abc', but this option of method 'proto' must be a whole number")
    assert seed == "  seed=-1, but a seed must be a whole number from 0 to 4294967295."
    assert second == first.replace("'A'", "'B'")


def test_a_run_whose_parts_have_other_types_is_checked_no_further():
    with pytest.raises(ValueError, match=r"^data=3, but this part of a run must be a mapping\.$"):
        check_runs([replace(RUN, data=3), replace(RUN, data=3, seed=1)])


def test_runs_that_have_most_in_common_are_checked_once(monkeypatch):
    seen = []

    def check(*data, data_dir):
        seen.append(data)

    monkeypatch.setattr(planning, "check_benchmark_options", check)
    check_runs([replace(RUN, seed=seed, training=None) for seed in range(300)])
    assert seen == [("fewrel", None, RUN.data)]


def test_every_system_that_is_trained_names_a_trainer_and_its_arguments():
    trained = {name: system_class(name).trained_by(name) for name in SYSTEMS}
    assert {name for name, by in trained.items() if by is None} == {
        *("in_context", "people", "always_none", "one_class", "no_entity", "no_slot", "seen_words"),
        *("always_empty", "most_frequent", "every_label"),
    }
    for by in filter(None, trained.values()):
        assert issubclass(resolve(by.trainer), Trainer)
        assert issubclass(resolve(by.arguments), TrainingArguments)
    assert {name for name, by in trained.items() if by and by.pretrainer} == {"joint_proto", "sep_proto"}
    assert resolve(trained["sep_proto"].pretraining_arguments).__name__ == "JointPretrainingArguments"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"method": "no_slot", "options": {}},
            "Method 'no_slot' does not fit fewrel, whose task is relation. These do",
        ),
        ({"model": None}, r"Method 'proto' needs a model\. Give model=\.\.\., a Hub id or a folder"),
        (
            {"method": "one_class", "options": {}},
            "Method 'one_class' is not trained, but got a training",
        ),
        ({"options": {"temperature": -1.0}}, r"temperature must be positive, but is -1\.0"),
        ({"options": {"representation": "words"}}, "representation='words', but fewrel needs 'markers'"),
        ({"options": {"representation": "marker"}}, "Unknown representation 'marker'. Did you mean 'markers'"),
        (
            {"method": "sentence_pair", "options": {"representation": "mean"}},
            "representation='mean', but this method needs 'pair'. Leave it out",
        ),
        (
            {"method": "proto", "options": {}, "data": {"sample": True}, "training": None},
            "Method 'proto' compares queries with a support set, but fewrel/default makes no episodes with these opt",
        ),
        (
            {"method": "in_context", "options": {"format": "joint"}, "training": None},
            "The format is for task 'joint', but fewrel is of task 'relation'",
        ),
        (
            {"method": "in_context", "options": {"endpoint": "http://a", "chat": True}, "training": None},
            "chat=True is for a model of this machine",
        ),
    ],
)
def test_contradictions_are_found_before_anything_is_loaded(changes, message):
    with pytest.raises(ValueError, match=message):
        check_runs([replace(RUN, **changes)])


def test_a_baseline_is_checked_without_torch():
    code = (
        "import sys; from hf_fewshot.runs.planning import check_runs; from hf_fewshot.runs.run import Run; "
        "check_runs([Run('fewrel', 'one_class', data={'n_way': 2, 'shots': 1}, split='validation')]); "
        "print('torch' in sys.modules, 'transformers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
