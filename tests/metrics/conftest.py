"""The metric folders, loaded through `evaluate`, and data that each of them can score."""

import evaluate
import pytest

METRICS = ("entity_f1", "joint_accuracy", "nota_f1", "s1", "slot_f1")
GROUPS = ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"]


def _utterances(*rows):
    return [{"intent": intent, "slot_tags": tags.split()} for intent, tags in rows]


# Predictions, references and options; repeated, they make one example for each of GROUPS.
EXAMPLES = {
    "entity_f1": (
        [["art-film", "O"], ["O", "art-film"], ["person-actor"]],
        [["art-film", "O"], ["art-film", "art-film"], ["art-music"]],
        {},
    ),
    "joint_accuracy": (
        _utterances(("a", "O B-x"), ("b", "O"), ("a", "B-x")),
        _utterances(("a", "O B-x"), ("a", "O"), ("a", "O")),
        {},
    ),
    "nota_f1": ([1, 2, 5], [1, 5, 5, 2], {"nota_label": 5}),
    "s1": ([["a", "b"], [], ["c"], ["d", "e"]], [["b", "c", "d"], [], [], ["f", "e"]], {"normalize": "squad"}),
    "slot_f1": (
        [["B-x", "I-x"], ["O", "O"], ["B-y"]],
        [["B-x", "I-x"], ["B-y", "O"], ["B-y"]],
        {"average": "episode"},
    ),
}


@pytest.fixture(scope="session")
def all_examples():
    """For each metric twelve examples of six groups, and options."""
    inputs = {
        name: {
            "predictions": predictions * (12 // len(predictions)),
            "references": references * (12 // len(references)),
            "groups": GROUPS,
        }
        for name, (predictions, references, _) in EXAMPLES.items()
    }
    common = {"confidence_level": 0.9, "n_bootstrap": 50, "seed": 7, "per_group": True}
    return {name: (inputs[name], {**options, **common}) for name, (_, _, options) in EXAMPLES.items()}


@pytest.fixture(params=METRICS)
def metric_name(request):
    """The name of each metric in turn."""
    return request.param


@pytest.fixture
def metric(metric_name, project):
    """Each metric in turn, loaded by path."""
    return evaluate.load(str(project / "metrics" / metric_name))


@pytest.fixture
def examples(metric_name, all_examples):
    """Inputs and options for the metric at hand."""
    return all_examples[metric_name]
