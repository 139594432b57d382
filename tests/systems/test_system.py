"""Systems as a type: what they take, what they must give."""

import inspect
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hf_fewshot import FewShotModel, JointModel, Method, Run, System, execute
from hf_fewshot.cli import main
from hf_fewshot.entries import SystemEntry
from hf_fewshot.models.span_model import SpanModelConfig
from hf_fewshot.registry import SYSTEMS, TASKS, resolve
from hf_fewshot.runs.predictions import PredictionsError
from hf_fewshot.systems.episodic import EpisodicSystem
from hf_fewshot.systems.fitting import fits, fitting
from hf_fewshot.systems.network_options import JointNetworkOptions, NetworkOptions, network_options
from hf_fewshot.systems.options import described_options, read_options, system_class
from hf_fewshot.systems.spans import SpanOptions
from hf_fewshot.systems.support_tuning import SupportTuning
from hf_fewshot.systems.training_plan import Training

RUN = Run("fewrel", "own", data={"sample": True, "n_way": 2, "shots": 1, "n_episodes": 2}, split="validation")


class Drawn:
    """What there is to know of a run to draw weights for it."""

    training = None
    folder = Path("nowhere")
    options = NetworkOptions()
    data = SimpleNamespace(task="relation")

    def __init__(self, seed, encoder):
        self.seed = seed
        self.model = str(encoder)


class Given(System):
    """Predicts what a test says."""

    given = None

    @classmethod
    def fit(cls, work):
        return cls()

    def predict(self, episodes, setup):
        return self.given


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([["NOTA", "NOTA"]], r"^Method 'own' gave predictions of 1 episodes, but there are 2\.$"),
        ([["NOTA", "NOTA"], ["NOTA"]], r"^Method 'own' gave 1 predictions for the 2 queries of episode 1\.$"),
        ([["NOTA", "nota"], ["NOTA", "NOTA"]], r"^Method 'own', episode 0, id '.*': class 'nota' is none of P"),
    ],
)
def test_what_a_system_of_ones_own_must_not_give(given, message, tmp_path, monkeypatch):
    monkeypatch.setitem(SYSTEMS, "own", SystemEntry(f"{__name__}:Given", ("relation",)))
    monkeypatch.setattr(f"{__name__}.Given.given", given)
    monkeypatch.setattr("hf_fewshot.systems.options.resolve", lambda reference: Given)
    with pytest.raises(PredictionsError, match=message):
        execute(RUN, tmp_path, progress=False)
    assert not (tmp_path / RUN.name / "record.json").exists()


def test_every_option_of_every_system_says_what_it_is():
    options = {name: described_options(system_class(name).options(name)) for name in SYSTEMS}
    assert [(name, option.name) for name, own in options.items() for option in own if not option.help] == []
    found = {option.name: (option.type, option.default) for option in options["structshot"]}
    assert found == {
        "representation": ("text or none", None),
        "layers": ("a whole number", 1),
        "max_length": ("a whole number or none", None),
        "dropout": ("a number", 0.0),
        "similarity": ("text", "l2"),
        "temperature": ("a number", 1.0),
        "tau": ("a number", 0.32),
        "compat": ("text or none", None),
    }


def test_options_have_the_defaults_of_what_they_are_for():
    for model, options in ((FewShotModel, NetworkOptions), (JointModel, JointNetworkOptions)):
        parameters = inspect.signature(model.from_encoder).parameters
        known = {option.name: option.default for option in described_options(options)}
        assert {name: parameters[name].default for name in known if name in parameters} == {
            "representation": None,
            "layers": 1,
            "max_length": None,
            "dropout": 0.0,
        }
    config = SpanModelConfig()
    sizes = ("max_length", "stride", "max_answer_tokens")
    assert (
        [getattr(SpanOptions(), name) for name in sizes] == [getattr(config, name) for name in sizes] == [384, 180, 20]
    )


def test_options_become_what_the_system_calls_them():
    found = read_options("joint_proto", {"tuning": {"steps": 3}, "tapnet": True})
    assert (found.tuning, found.tapnet, found.part) == (SupportTuning(steps=3), True, "joint")


def test_what_one_network_cannot_two_cannot_either():
    with pytest.raises(ValueError, match='dependency=True needs part="joint"'):
        read_options("sep_proto", {"dependency": True})


def test_to_try_options_out_draws_nothing():
    import torch

    torch.manual_seed(1)
    expected = torch.rand(2)
    torch.manual_seed(1)
    read_options("mnav", {"mlp": True})
    assert torch.equal(torch.rand(2), expected)


def test_weights_that_an_untrained_method_draws_are_those_of_its_seed(encoder, tmp_path):
    import torch

    runs = [replace(RUN, method="sentence_pair", system="", model=str(encoder), seed=seed) for seed in (0, 0, 1)]
    found = []
    for number, run in enumerate(runs):
        torch.manual_seed(100 + number)
        execute(run, tmp_path / str(number), progress=False)
        torch.testing.assert_close(torch.initial_seed(), 100 + number)
        (path,) = (tmp_path / str(number)).glob("*/predictions.jsonl")
        found.append(path.read_text().splitlines()[1:])
    assert found[0] == found[1]
    weights = [EpisodicSystem.network(Drawn(seed, encoder), "model", "sentence_pair", {}).model for seed in (0, 0, 1)]
    first, again, other = (model.method.verdict.weight for model in weights)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_training_has_parts():
    given = {"max_steps": 5, "data": {"n_way": 3}, "validation": {}, "pretraining": {"max_steps": 1}}
    plan = Training.read(given)
    assert plan == Training({"max_steps": 5}, {"n_way": 3}, {}, {"max_steps": 1})
    assert Training.read({"max_steps": 5}).written == {"max_steps": 5}
    assert plan.written == given
    # With the default arguments of a pretraining it is another training than without one.
    assert Training.read({"pretraining": {}, "data": {}}).written == {"pretraining": {}}


def test_every_system_is_a_class_of_systems_that_fits_a_task():
    for name, entry in SYSTEMS.items():
        assert issubclass(resolve(entry.reference), System), name
        assert any(fits(name, task) for task in TASKS), name


def test_systems_fit_tasks():
    assert fitting("classification") == [
        "proto",
        "nnshot",
        "logistic",
        "tuned",
        "in_context",
        "lm_tuning",
        "people",
        "one_class",
    ]
    assert fitting("joint") == [
        "joint_proto",
        "sep_proto",
        "tuned",
        "in_context",
        "lm_tuning",
        "people",
        "no_slot",
        "seen_words",
    ]


@pytest.mark.parametrize(
    ("method", "given", "message"),
    [
        ("joint_proto", {"pairwise": True, "tuning": {}}, "Tuning on support sets needs pairwise=False"),
        ("joint_proto", {"tuning": {"learning_rate": -1.0}}, r"learning_rate=-1\.0, .* rates must not be negative"),
        ("proto", {"layers": 0}, "layers must be a whole number of at least 1"),
        ("proto", {"dropout": 1.0}, r"dropout=1\.0, but it must be from 0 to below 1"),
        (
            "in_context",
            {"endpoint": "http://a", "calibration": "content_free"},
            "which an endpoint gives with labels=likelihood",
        ),
        ("in_context", {"format": "nosuch"}, "Unknown prompt format 'nosuch'"),
        ("in_context", {"endpoint": "http://a", "concurrency": 0}, "concurrency must be a whole number of at least 1"),
        ("prompt_tuning", {"template": "nosuch"}, "Unknown template 'nosuch'"),
        ("span_finetuning", {"stride": 1000}, "stride=1000, but it must be less than max_length=384"),
    ],
)
def test_options_that_make_no_sense_are_refused(method, given, message):
    with pytest.raises(ValueError, match=message):
        read_options(method, given)


class Wide(Method):
    """A method of one's own that needs wide vectors.

    Args:
        modes: some of them.
    """

    def __init__(self, dim, *, modes: set = {1, 2}):  # noqa: B006
        super().__init__(dim)
        if dim < 32:
            raise ValueError("too narrow")


def test_methods_of_ones_own_are_not_tried_out():
    options = network_options(NetworkOptions, Wide)
    assert options().modes == {1, 2}
    assert described_options(options)[-1].help == "some of them."


def test_what_is_no_system_is_named(monkeypatch):
    monkeypatch.setitem(SYSTEMS, "own", SystemEntry("hf_fewshot.methods.method:Method", ("relation",)))
    with pytest.raises(TypeError, match=r"Expected a System at 'hf_fewshot\.methods\.method:Method', got <class"):
        system_class("own")


def test_list_prints_the_options_of_a_method(capsys):
    assert main(["list", "text_to_text", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["needs"], found["tasks"], found["options"]) == ("T5", ["spans"], [])
    names = [argument["name"] for argument in found["training"]]
    assert {"num_beams", "max_source_length", "learning_rate"} <= set(names)
    assert "output_dir" not in names
    assert main(["list", "joint_proto"]) == 0
    output = capsys.readouterr().out
    assert "joint_proto: prototypes of intents and tags (JointProto). For joint. Needs: encoder." in output
    assert "per_device_train_batch_size  4" in output
    assert main(["list", "no_entity"]) == 0
    assert "It has no options." in capsys.readouterr().out
    assert main(["list", "jointprot"]) == 2
    assert "Unknown method or benchmark 'jointprot'. Did you mean 'joint_proto'?" in capsys.readouterr().err
