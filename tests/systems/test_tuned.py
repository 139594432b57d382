"""Tuning on support sets as a system, on episodes of all its tasks."""

import json
import re

import pytest

from hf_fewshot import EpisodicSystem, FewShotLearner, Run, execute, predict, score
from hf_fewshot.cli import main
from hf_fewshot.learning.options import LearnerOptions, Tuning
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.systems.options import read_options
from hf_fewshot.systems.tuned import TunedSystem, within

TUNING = Tuning(steps=2, learning_rate=1e-2, batch_size=4)
SETS = ["relation_episodes", "tagging_episodes", "text_episodes", "joint_episodes"]


def system(bert, task, **options):
    learner = FewShotLearner.from_encoder(bert, task, layers=1, tuning=TUNING, **options)
    return TunedSystem(learner)


@pytest.mark.parametrize("name", SETS)
def test_predictions_have_the_form_of_the_task_and_are_those_of_a_learner(bert, request, name):
    episodes = request.getfixturevalue(name)
    found = predict(system(bert, episodes.task), episodes, progress=False)
    rows = episodes.plain_examples
    for episode, predictions in zip(episodes, found, strict=True):
        for number, prediction in zip(episode.query, predictions, strict=True):
            assert episodes.kind.wrong(prediction, rows[number], episode.classes) == ""
    assert score(episodes, found)[episodes.kind.measure] >= 0
    # Each episode begins anew: alone, the last one is the same.
    alone = FewShotLearner.from_encoder(bert, episodes.task, layers=1, tuning=TUNING)
    last = episodes[len(episodes) - 1]
    alone.learn([within(episodes.kind, rows[number], last.classes) for number in last.support])
    asked = [{key: rows[n][key] for key in rows[n] if key in ("text", "tokens", "head", "tail")} for n in last.query]
    answers = alone.predict(asked)
    if name in ("relation_episodes", "text_episodes"):
        assert answers == found[-1]
    if name == "joint_episodes":
        assert [answer["intent"] for answer in answers] == [one["intent"] for one in found[-1]]


def test_it_goes_on_after_an_interruption(bert, text_episodes, tmp_path, monkeypatch):
    whole = predict(system(bert, "classification"), text_episodes, output_dir=tmp_path / "a", progress=False)
    learn, calls = FewShotLearner.learn, []

    def counted(self, rows, **options):
        calls.append(len(rows))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return learn(self, rows, **options)

    monkeypatch.setattr(FewShotLearner, "learn", counted)
    with pytest.raises(KeyboardInterrupt):
        predict(system(bert, "classification"), text_episodes, output_dir=tmp_path / "b", progress=False)
    again = predict(system(bert, "classification"), text_episodes, output_dir=tmp_path / "b", progress=False)
    assert again == whole
    assert len(calls) == 1 + len(text_episodes)


def test_a_run_tunes_an_encoder_as_it_is_or_trained_on_episodes(encoder, tmp_path):
    data = {"sample": True, "n_way": 2, "shots": 1, "n_query": 1, "n_episodes": 2}
    options = {"layers": 1, "tuning": {"steps": 2, "batch_size": 4}}
    training = {"max_steps": 1, "per_device_train_batch_size": 1, "data": {"n_episodes": 2}}
    for given in (None, training):
        run = Run(
            "fewrel", "tuned", data=data, split="validation", options=options, model=str(encoder), training=given
        )
        record = execute(run, tmp_path, progress=False)
        assert record.task == "relation"
        lines = (tmp_path / run.name / "predictions.jsonl").read_text().splitlines()
        assert len(lines) == 1 + record.episodes["n_episodes"]
        assert json.loads(lines[0])["system"] == run.shown.system


def test_options_are_read_with_the_tuning_inside():
    options = read_options("tuned", {"strength": 3.0, "tuning": {"steps": 7}})
    assert options.learner() == LearnerOptions(strength=3.0, tuning=Tuning(steps=7))
    with pytest.raises(ValueError, match=r"strength must be positive, but is 0\.0\."):
        read_options("tuned", {"strength": 0.0})
    with pytest.raises(ValueError, match="stepz"):
        read_options("tuned", {"tuning": {"stepz": 7}})


def test_types_that_an_episode_has_not_are_o(tagging_episodes, joint_episodes):
    example = {"tokens": ["anna", "is", "in", "oslo"], "tags": ["person", "O", "O", "place"]}
    assert within(tagging_episodes.kind, example, ("place",))["tags"] == ["O", "O", "O", "place"]
    tags = ["B-person", "I-person", "O", "B-place"]
    seen = within(joint_episodes.kind, {"slot_tags": tags, "intent": "x"}, ("intent:person", "slot:place"))
    assert seen == {"slot_tags": ["O", "O", "O", "B-place"], "intent": "x"}


def test_the_quick_head_is_a_method_of_models(bert, text_episodes, tagging_episodes):
    for episodes, representation in ((text_episodes, "sentence"), (tagging_episodes, "words")):
        model, tokenizer = FewShotModel.from_encoder(bert, "logistic", representation=representation)
        once = predict(EpisodicSystem(model, tokenizer), episodes, progress=False)
        plainly = predict(EpisodicSystem(model, tokenizer, encode_once=False), episodes, progress=False)
        assert once == plainly


@pytest.mark.parametrize(
    ("benchmark", "options", "training", "message"),
    [
        ("fewrel", {"layers": 9}, None, r"layers=9, but the encoder has 2 layers to add up"),
        ("fewrel", {"max_length": 500}, None, r"max_length=500, but the model has 130 positions"),
        ("fewjoint", {}, {"max_steps": 1}, r"is not trained on episodes of task 'joint'"),
    ],
)
def test_what_cannot_be_shows_before_anything_is_read(encoder, capsys, benchmark, options, training, message):
    words = ["run", "--benchmark", benchmark, "--method", "tuned", "--model", str(encoder), "--sample", "--dry-run"]
    words += ["--shots", "1", *(["--n-way", "2", "--split", "validation"] if benchmark == "fewrel" else [])]
    for name, value in options.items():
        words += ["--method-option", f"{name}={value}"]
    for name, value in (training or {}).items():
        words += ["--training", f"{name}={value}"]
    assert main(words) == 2
    assert re.search(message, capsys.readouterr().err)
