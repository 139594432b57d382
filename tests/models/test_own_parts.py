"""Models and methods from outside: subclasses work as ours do, and a method begins with data if it says how."""

import pytest
import torch
from accelerate import Accelerator

import hf_fewshot
from hf_fewshot.entries import MethodEntry
from hf_fewshot.methods.joint_prototypes import JointPrototypes
from hf_fewshot.methods.prototypes import Prototypes
from hf_fewshot.methods.training_data import TrainingData
from hf_fewshot.models.encoder_model import EncoderModel
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.registry import METHODS, method_class, resolve
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments
from tests.models.own_parts import Centred, LoudModel, OfLoudModels
from tests.predicted import predict_episodes
from tests.small_episodes import TEXTS


@pytest.fixture
def centred(monkeypatch):
    """The name of a method of one's own that begins with data."""
    monkeypatch.setitem(METHODS, "centred", MethodEntry("tests.models.own_parts:Centred", ("classification",)))
    return "centred"


def predict(model, tokenizer, episodes, **options):
    options |= {"accelerator": Accelerator(cpu=True), "progress": False}
    return predict_episodes(model, tokenizer, episodes, **options)


def test_the_models_stand_beside_each_other():
    kinds = (FewShotModel, JointModel, SpanModel)
    assert all(issubclass(kind, EncoderModel) for kind in kinds)
    assert [(a, b) for a in kinds for b in kinds if a is not b and issubclass(a, b)] == []


def test_a_subclass_of_a_model_predicts_and_is_saved_and_loaded(bert, tagging_episodes, tmp_path):
    model, tokenizer = LoudModel.from_encoder(bert, "proto")
    plain, _ = FewShotModel.from_encoder(bert, "proto")
    # Lengths do not matter to which prototype is nearest.
    expected = predict(plain, tokenizer, tagging_episodes)
    assert predict(model, tokenizer, tagging_episodes) == expected
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again = LoudModel.from_pretrained(tmp_path)
    assert type(again) is LoudModel
    assert predict(again, load_tokenizer(tmp_path), tagging_episodes, output_dir=tmp_path / "out") == expected
    pipeline = hf_fewshot.pipeline("few-shot-ner", again, load_tokenizer(tmp_path))
    support = [{"tokens": ["anna", "lives", "in", "paris"], "tags": ["person", "O", "O", "place"]}]
    assert pipeline(support, ["anna"]) == [[{"type": "person", "text": "anna", "start": 0, "end": 1}]]


def test_a_subclass_refuses_what_its_kind_refuses(bert):
    with pytest.raises(ValueError, match=r"'joint_proto' needs a JointModel: use JointModel.from_encoder"):
        LoudModel.from_encoder(bert, "joint_proto")


def test_a_method_names_its_model():
    assert resolve(Prototypes.model) is FewShotModel
    assert resolve(JointPrototypes.model) is JointModel
    assert resolve(OfLoudModels.model) is LoudModel


def test_methods_that_begin_with_data_say_so_by_saying_how():
    begin = {name: method_class(name).begins_with_data() for name in METHODS}
    assert {name for name, with_data in begin.items() if with_data} == {"structshot", "mnav"}
    assert Centred.begins_with_data()


def test_a_method_of_ones_own_begins_with_what_it_asks_for(bert, text_episodes, centred, tmp_path):
    model, tokenizer = FewShotModel.from_encoder(bert, centred)
    arguments = EpisodicTrainingArguments(str(tmp_path / "trained"), use_cpu=True, report_to="none", seed=3)
    EpisodicTrainer(model, arguments, processing_class=tokenizer, train_dataset=text_episodes)
    data = TrainingData(text_episodes.examples, model, tokenizer, 3, Accelerator(cpu=True))
    own = data.drawn(4)
    assert model.method.names == own["label"][:]
    assert model.method.centre.abs().sum() > 0
    torch.testing.assert_close(model.method.centre, data.vectors(own).mean(0))
    model.save_pretrained(tmp_path / "saved")
    again = FewShotModel.from_pretrained(tmp_path / "saved")
    assert torch.equal(again.method.centre, model.method.centre)
    assert predict(again, tokenizer, text_episodes) == predict(model, tokenizer, text_episodes)
    other, _ = FewShotModel.from_encoder(bert, centred)
    arguments.init_from_data = False
    EpisodicTrainer(other, arguments, processing_class=tokenizer, train_dataset=text_episodes)
    assert other.method.centre.abs().sum() == 0


def test_what_is_drawn_depends_on_the_seed_alone(bert, text_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "proto", representation="mean")
    drawn = [TrainingData(text_episodes.examples, model, tokenizer, seed).drawn(3)["id"][:] for seed in (0, 0, 1, 2)]
    assert drawn[0] == drawn[1]
    assert len({tuple(ids) for ids in drawn}) > 1
    assert all(ids == sorted(ids) and len(ids) == 3 for ids in drawn)
    everything = TrainingData(text_episodes.examples, model, tokenizer, 0).drawn(100)
    assert everything["id"][:] == [row["id"] for row in TEXTS]
