"""The metrics through `evaluate`: one call, batches, single examples and several processes give the same numbers."""

import importlib
import json

import evaluate
import numpy as np
import pytest

from tests.attacks.forked import Forked


def compute_part(_, folder, shared, process):
    """Run by two processes at once: they take pairs of examples in turn, and so deliver groups in another order."""
    results = {}
    for name, (inputs, options) in json.loads((shared / "data.json").read_text()).items():
        metric = evaluate.load(
            f"{folder}/{name}", num_process=2, process_id=process, experiment_id="two", cache_dir=str(shared)
        )
        for start in range(2 * process, 12, 4):
            metric.add_batch(**{column: values[start : start + 2] for column, values in inputs.items()})
        results[name] = metric.compute(**options)
    (shared / f"results{process}.json").write_text(json.dumps(results))


def test_one_call_equals_the_scoring_function(metric, metric_name, examples):
    inputs, options = examples
    scoring = importlib.import_module(f"hf_fewshot.metrics.{metric_name}.scoring")
    assert metric.compute(**inputs, **options) == scoring.score(**inputs, **options)
    assert metric.name == metric_name


def test_batches_equal_one_call(metric, examples):
    inputs, options = examples
    expected = metric.compute(**inputs, **options)
    for start in (0, 5, 10):
        metric.add_batch(**{column: values[start : start + 5] for column, values in inputs.items()})
    metric.add_batch(predictions=[], references=[])
    assert metric.compute(**options) == expected
    metric.add_batch(**{column: values[:5] for column, values in inputs.items()})
    rest = {column: values[5:] for column, values in inputs.items()}
    assert metric.compute(**rest, **options) == expected


def test_single_examples_equal_one_call(metric, examples):
    inputs, options = examples
    expected = metric.compute(**inputs, **options)
    for prediction, reference, group in zip(*inputs.values(), strict=True):
        metric.add(prediction=prediction, reference=reference, groups=group)
    assert metric.compute(**options) == expected


def test_groups_may_be_left_out(metric, examples):
    inputs, options = examples
    inputs = {column: values for column, values in inputs.items() if column != "groups"}
    options = {name: value for name, value in options.items() if name in ("nota_label", "normalize")}
    expected = metric.compute(**inputs, **options)
    metric.add_batch(**inputs)
    assert metric.compute(**options) == expected
    metric.add(prediction=inputs["predictions"][0], reference=inputs["references"][0])
    metric.compute(**options)


def test_data_may_be_kept_in_memory(metric_name, project, examples):
    inputs, options = examples
    metric = evaluate.load(str(project / "metrics" / metric_name), keep_in_memory=True)
    expected = metric.compute(**inputs, **options)
    metric.add_batch(**inputs)
    assert metric.compute(**options) == expected


def test_a_relative_path_loads_the_metric(metric_name, project, monkeypatch):
    monkeypatch.chdir(project)
    assert evaluate.load(f"metrics/{metric_name}").name == metric_name


def test_two_processes_equal_one_call(project, tmp_path, all_examples):
    (tmp_path / "data.json").write_text(json.dumps(all_examples))
    arguments = (project / "metrics", tmp_path)
    with Forked(compute_part, *arguments, 0) as one, Forked(compute_part, *arguments, 1) as other:
        for process in (one, other):
            process.wait(400)
            assert process.exit_code == 0
    first, second = (json.loads((tmp_path / f"results{process}.json").read_text()) for process in range(2))
    assert second == dict.fromkeys(all_examples)
    for name, (inputs, options) in all_examples.items():
        scoring = importlib.import_module(f"hf_fewshot.metrics.{name}.scoring")
        assert first[name] == scoring.score(**inputs, **options), name


@pytest.fixture
def slot_f1(project):
    return evaluate.load(str(project / "metrics" / "slot_f1"))


def test_wrong_batches_are_refused_before_they_are_stored(slot_f1):
    with pytest.raises(ValueError, match="1 predictions for 2 references"):
        slot_f1.add_batch(predictions=[["O"]], references=[["O"], ["O"]])
    with pytest.raises(ValueError, match=r"predictions\[0\] has 1 tags, references\[0\] has 2"):
        slot_f1.add_batch(predictions=[["O"]], references=[["O", "O"]])
    with pytest.raises(TypeError, match=r"Labels must be strings or class ids .* got float 0.5"):
        slot_f1.add_batch(predictions=[[0.5]], references=[[0]])
    with pytest.raises(ValueError, match="2 groups for 1 examples"):
        slot_f1.add_batch(predictions=[["O"]], references=[["O"]], groups=["a", "b"])
    with pytest.raises(TypeError, match="references must be a list with one entry per example, got NoneType"):
        slot_f1.add_batch(predictions=[["O"]])
    assert len(slot_f1) == 0


def test_strings_and_class_ids_cannot_be_mixed_over_batches(slot_f1):
    slot_f1.add_batch(predictions=[["O"]], references=[["O"]])
    with pytest.raises(TypeError, match="This batch and the ones before it mix strings and class ids"):
        slot_f1.add_batch(predictions=[[0]], references=[[0]])


def test_an_empty_first_sentence_does_not_turn_class_ids_into_strings(slot_f1):
    slot_f1.add_batch(predictions=[[], [1, 0]], references=[[], [1, 0]])
    assert slot_f1.compute(label_names=["O", "B-x"])["n_references"] == 1


def test_arrays_and_tensors_may_be_added(project, slot_f1):
    torch = pytest.importorskip("torch")
    for tags in (np.array([[0, 1], [1, 0]]), torch.tensor([[0, 1], [1, 0]]), [np.array([0, 1]), np.array([1, 0])]):
        slot_f1.add_batch(predictions=tags, references=tags, groups=np.array([7, 8]))
        results = slot_f1.compute(label_names=["O", "B-x"], per_group=True)
        assert (results["n_references"], results["per_group/8/f1"]) == (2, 1.0)
    nota_f1 = evaluate.load(str(project / "metrics" / "nota_f1"))
    nota_f1.add_batch(predictions=torch.tensor([0, 1]), references=np.array([0, 5]))
    assert nota_f1.compute(nota_label=5)["precision"] == 0.5


def test_groups_in_some_batches_only_are_refused(slot_f1):
    slot_f1.add_batch(predictions=[["O"]], references=[["O"]], groups=["a"])
    slot_f1.add_batch(predictions=[["O"]], references=[["O"]])
    with pytest.raises(ValueError, match=r"1 of 2 examples have no group. Give groups in all batches or in none"):
        slot_f1.compute()


def test_groups_without_their_examples_are_refused(slot_f1):
    slot_f1.add_batch(predictions=[["O"]], references=[["O"]])
    with pytest.raises(ValueError, match=r"groups came without their examples. Give them to add_batch"):
        slot_f1.compute(groups=["a"])


def test_a_second_half_without_references_is_refused(slot_f1):
    slot_f1.add_batch(predictions=[["O"]], references=[["O"]])
    with pytest.raises(TypeError, match="references must be a list with one entry per example, got NoneType"):
        slot_f1.compute(predictions=[["O"]])


def test_an_unknown_option_is_an_error(slot_f1):
    with pytest.raises(TypeError, match="unexpected keyword argument 'averag'"):
        slot_f1.compute(predictions=[["O"]], references=[["O"]], averag="episode")


def test_metrics_can_be_combined(project):
    metrics = [evaluate.load(str(project / "metrics" / name)) for name in ("slot_f1", "entity_f1")]
    combined = evaluate.combine(metrics)
    # S-x keeps the tags from being BIO, which entity_f1 would refuse without being told.
    inputs = {"predictions": [["B-x", "O", "S-x"]], "references": [["B-x", "O", "S-x"]]}
    assert combined.compute(**inputs)["slot_f1_f1"] == 1.0
    combined.add_batch(**inputs, groups=["a"])
    assert combined.compute()["entity_f1_f1"] == 1.0
