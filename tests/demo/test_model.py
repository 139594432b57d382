"""What can be tried: encoders, trained models of runs, saved learners; what cannot is said."""

import pytest

from hf_fewshot import FewShotModel
from hf_fewshot.demo.model import DemoModel
from hf_fewshot.demo.model_title import model_title
from hf_fewshot.demo.trial import Trial
from hf_fewshot.models.joint_model import JointModel


def saved(folder, kind, encoder, method, **options):
    model, tokenizer = kind.from_encoder(encoder, method, **options)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def test_an_encoder_can_do_every_task_of_the_page(bert):
    model = DemoModel(str(bert))
    assert [task.name for task in model.tasks] == ["classification", "tagging", "joint", "relation"]
    assert (model.what, model.fitted) == ("a pretrained encoder", None)


@pytest.mark.parametrize(
    ("representation", "tasks"),
    [
        ("words", ["tagging", "joint"]),
        ("markers", ["relation"]),
        ("mean", ["classification", "relation"]),
        ("sentence", ["classification"]),
    ],
)
def test_a_trained_model_does_the_tasks_whose_vectors_it_reads(bert, tmp_path, representation, tasks):
    place = saved(tmp_path / "run" / "model", FewShotModel, bert, "nnshot", representation=representation)
    model = DemoModel(place)
    assert ([task.name for task in model.tasks], model.title, model.what) == (tasks, "run", "a trained model")
    learner = model.learner(model.tasks[0], none_of_the_above=False)
    assert learner.model.config.representation == representation


def test_a_trained_model_answers(bert, tmp_path):
    model = DemoModel(saved(tmp_path / "m", FewShotModel, bert, "proto"))
    answer = Trial(model).answer(model.tasks[0], "[anna](person) lives in [paris](place)", "anna works", False)
    assert [(one.text, one.mark.name) for one in answer.entities] == [("anna", "person")]


def test_models_that_compare_in_other_ways_are_refused(bert, tmp_path):
    pairs = saved(tmp_path / "pairs", FewShotModel, bert, "sentence_pair", head="new")
    with pytest.raises(ValueError, match=r"reads 'pair', not vectors of single examples"):
        DemoModel(pairs)
    joint = saved(tmp_path / "joint", JointModel, bert, "joint_proto")
    with pytest.raises(ValueError, match=r"is a model of type 'hf_fewshot_joint'\. This page takes encoders"):
        DemoModel(joint)
    with pytest.raises(ValueError, match=r"^'SmolLM2-135M-Instruct' is a language model"):
        DemoModel("SmolLM2-135M-Instruct")


def test_a_model_that_is_nowhere_is_a_sentence():
    with pytest.raises(ValueError, match=r"^The model 'nobody/none' is neither a folder nor in the cache"):
        DemoModel("nobody/none")


def test_small_encoders_have_fewer_layers_than_are_added_up(bert):
    model = DemoModel(str(bert))
    (words,) = [task for task in model.tasks if task.name == "tagging"]
    assert model.learner(words, none_of_the_above=False).model.config.layers == 2


def test_a_folder_is_shown_by_its_name_alone(tmp_path):
    (tmp_path / "run" / "model").mkdir(parents=True)
    assert [model_title(one) for one in (tmp_path / "run", tmp_path / "run" / "model", "me/x")] == [
        "run",
        "run",
        "me/x",
    ]
