"""Tuning on support sets: it learns, leaves no trace, and depends on nothing but the episode and the seed."""

import json

import pytest
import torch
from accelerate import Accelerator

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.methods.joint_prototypes import JointPrototypes, mean_losses
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import read_episodes
from hf_fewshot.systems.support_tuning import Heads, SupportTuning, TunedRunner
from tests.predicted import predict_episodes
from tests.processes import run_forked
from tests.small_episodes import JOINT, episodes_of
from tests.systems.joint_script import build, main, many, without_dropout

SHORT = {"steps": 3, "learning_rate": 1e-3, "head_learning_rate": 1e-2}
STILL = {"steps": 2, "learning_rate": 0.0, "head_learning_rate": 0.0}


def predict(model, tokenizer, episodes, tuning=None, **options):
    options = {"progress": False, "accelerator": Accelerator(cpu=True)} | options
    return predict_episodes(model, tokenizer, episodes, tuning=tuning and SupportTuning(**tuning), **options)


def weights(model):
    return {name: value.clone() for name, value in model.state_dict().items()}


def require_same(model, before):
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name]), name
    assert all(parameter.grad is None for parameter in model.parameters())
    assert all(parameter.requires_grad for parameter in model.parameters())


@pytest.fixture
def losses(monkeypatch):
    """The loss of each step of tuning."""
    seen = []

    def watched(totals):
        losses = mean_losses(totals)
        seen.append(losses.sum().item())
        return losses

    monkeypatch.setattr("hf_fewshot.systems.support_tuning.mean_losses", watched)
    return seen


OPTIONS = [{}, {"transitions": "cdt", "dependency": True}, {"part": "intent"}, {"part": "slots"}]


@pytest.mark.parametrize("objective", ["heads", "prototypes"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_predictions_have_the_usual_form_and_weights_are_as_before(bert, joint_episodes, options, objective):
    model, tokenizer = build(bert, **options)
    before = weights(model)
    plain = predict(model, tokenizer, joint_episodes)
    tuned = predict(model, tokenizer, joint_episodes, SHORT | {"objective": objective})
    require_same(model, before)
    assert not model.training
    assert [[one.keys() for one in own] for own in tuned] == [[one.keys() for one in own] for own in plain]
    if options.get("part") != "intent":
        lengths = [[len(one["slot_tags"]) for one in own] for own in plain]
        assert [[len(one["slot_tags"]) for one in own] for own in tuned] == lengths


@pytest.mark.parametrize("place", ["loss_totals", "decode_tags"])
def test_weights_are_as_before_when_something_fails(bert, joint_episodes, monkeypatch, place):
    model, tokenizer = build(bert)
    before = weights(model)
    own = getattr(JointPrototypes, place)
    calls = []

    def failing(self, *arguments):
        calls.append(place)
        if len(calls) == (3 if place == "loss_totals" else 1):
            raise RuntimeError("out of memory")
        return own(self, *arguments)

    monkeypatch.setattr(JointPrototypes, place, failing)
    with pytest.raises(RuntimeError, match="out of memory"):
        predict(model.train(), tokenizer, joint_episodes, SHORT)
    require_same(model, before)
    assert model.training


def test_tuning_that_comes_to_nothing_is_an_error(bert, joint_episodes):
    model, tokenizer = build(bert)
    before = weights(model)
    sentence = (
        r"^Tuning on the support set came to nothing: the loss is nan at step \d. Lower its learning_rate=1e\+30"
    )
    with pytest.raises(ValueError, match=sentence):
        predict(model, tokenizer, joint_episodes, {"steps": 5, "learning_rate": 1e30})
    require_same(model, before)


@pytest.mark.parametrize("objective", ["heads", "prototypes"])
def test_steps_that_change_nothing_predict_what_no_tuning_predicts(bert, objective):
    for options in ({}, {"similarity": "dot"}, {"transitions": "rules"}, {"part": "slots"}):
        model, tokenizer = build(bert, **options)
        untuned = predict(model, tokenizer, many())
        assert predict(model, tokenizer, many(), STILL | {"objective": objective}) == untuned


@pytest.mark.parametrize("kind", ["l2", "dot"])
@torch.no_grad()
def test_heads_begin_with_the_scores_of_the_prototypes(bert, joint_episodes, kind):
    model, tokenizer = build(bert, similarity=kind, temperature=7.0)
    inputs, episodes = JointCollator(model, tokenizer, joint_episodes).read([joint_episodes[1]])
    rows = model.encode(inputs)
    support, query, _ = read_episodes(rows, episodes)
    scores = Heads(model.method, model.method.read(support, episodes.n_intents, episodes.n_tags))(query)
    expected, _ = model.score_rows(rows, episodes)
    assert torch.equal(scores.tags.isinf(), expected.tags.isinf())
    torch.testing.assert_close(scores.intents.softmax(-1), expected.intents.softmax(-1), rtol=1e-3, atol=1e-4)
    torch.testing.assert_close(scores.tags.softmax(-1), expected.tags.softmax(-1), rtol=1e-3, atol=1e-4)
    if kind == "dot":
        torch.testing.assert_close(scores.intents, expected.intents, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("objective", ["heads", "prototypes"])
def test_the_same_seed_gives_the_same_and_another_seed_another_course(bert, joint_episodes, losses, objective):
    model, tokenizer = build(bert)
    courses, predictions = [], []
    for seed in (1, 1, 2):
        losses.clear()
        torch.manual_seed(len(courses))  # what was drawn before does not matter
        predictions.append(predict(model, tokenizer, joint_episodes, SHORT | {"seed": seed, "objective": objective}))
        courses.append(list(losses))
    assert courses[0] == courses[1] != courses[2]
    assert predictions[0] == predictions[1]


def test_tuning_leaves_the_random_numbers_of_others_alone(bert, joint_episodes):
    model, tokenizer = build(bert)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    predict(model, tokenizer, joint_episodes, SHORT)
    assert torch.equal(torch.rand(3), expected)


def test_an_episode_depends_on_no_other_episode(bert, losses):
    model, tokenizer = build(bert, transitions="cdt")
    episodes = many()
    together = predict(model, tokenizer, episodes, SHORT)
    course = list(losses)
    order = [3, 0, 4]
    losses.clear()
    some = EpisodeSet("joint", episodes.examples, lambda index: episodes[order[index]], len(order))
    assert predict(model, tokenizer, some, SHORT) == [together[number] for number in order]
    assert losses == [loss for number in order for loss in course[3 * number : 3 * number + 3]]


@pytest.mark.parametrize("objective", ["heads", "prototypes"])
def test_tuning_lowers_the_loss_on_the_support_set(bert, losses, objective):
    episodes = episodes_of("joint", JOINT, many()[2])
    model, tokenizer = build(bert)
    tuning = {"steps": 25, "learning_rate": 2e-3, "head_learning_rate": 1e-2, "dropout": 0.0, "objective": objective}
    predict(without_dropout(model), tokenizer, episodes, tuning)
    assert len(losses) == 25
    assert losses[-1] < (0.5 if objective == "heads" else 0.7) * losses[0]


def test_what_tuning_learned_shows_in_its_predictions(bert):
    # The support sentences themselves are asked.
    classes = ("intent:lives", "intent:works", "slot:person", "slot:place", "slot:org")
    support = (0, 1, 2, 3)
    episodes = episodes_of("joint", JOINT, Episode(classes, support, support))
    model, tokenizer = build(bert)
    right = [{"intent": JOINT[i]["intent"], "slot_tags": JOINT[i]["slot_tags"]} for i in support]
    assert predict(model, tokenizer, episodes)[0] != right
    tuning = {"steps": 80, "learning_rate": 5e-3, "head_learning_rate": 0.1, "dropout": 0.0}
    assert predict(without_dropout(model), tokenizer, episodes, tuning)[0] == right


def test_an_ensemble_adds_the_log_probabilities_of_both(bert, joint_episodes):
    # Heads that begin as the prototypes and stay so: twice the same opinion is the same prediction.
    model, tokenizer = build(bert)
    untuned = predict(model, tokenizer, joint_episodes)
    assert predict(model, tokenizer, joint_episodes, STILL | {"ensemble": True}) == untuned
    for part in ("intent", "slots"):
        own, tokens = build(bert, part=part)
        predicted = predict(own, tokens, joint_episodes, SHORT | {"ensemble": True})
        assert all(len(one) == 1 for queries in predicted for one in queries)


def test_the_word_embeddings_stay_and_the_rest_is_tuned(bert, joint_episodes, monkeypatch):
    model, tokenizer = build(bert, transitions="cdt")
    before = weights(model)
    tuned = {}
    own = TunedRunner._tune

    def watched(self, inputs):
        heads = own(self, inputs)
        tuned.update(weights(self.model))
        return heads

    monkeypatch.setattr(TunedRunner, "_tune", watched)
    predict(model, tokenizer, joint_episodes, SHORT)
    assert torch.equal(
        tuned["encoder.embeddings.word_embeddings.weight"], before["encoder.embeddings.word_embeddings.weight"]
    )
    for name in ("encoder.encoder.layer.0.output.dense.weight", "encoder.embeddings.LayerNorm.weight"):
        assert not torch.equal(tuned[name], before[name])
    assert not torch.equal(tuned["method.transitions.table"], before["method.transitions.table"])


def test_a_later_call_goes_on_from_what_is_there(bert, joint_episodes, tmp_path, monkeypatch):
    model, tokenizer = build(bert)
    tuned = []
    own = TunedRunner._predict_tuned

    def counting(self, episode):
        tuned.append(episode.group)
        return own(self, episode)

    monkeypatch.setattr(TunedRunner, "_predict_tuned", counting)
    first = predict(model, tokenizer, joint_episodes, SHORT, output_dir=tmp_path)
    assert tuned == ["a", "b", "c"]
    assert predict(model, tokenizer, joint_episodes, SHORT, output_dir=tmp_path) == first
    assert tuned == ["a", "b", "c"]
    path = tmp_path / "predictions-0.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], *lines[3:]]))
    assert predict(model, tokenizer, joint_episodes, SHORT, output_dir=tmp_path) == first
    assert tuned[3:] == ["b"]
    for other in (SHORT | {"steps": 4}, SHORT | {"seed": 9}, None):
        with pytest.raises(ValueError, match="holds the predictions of another run"):
            predict(model, tokenizer, joint_episodes, other, output_dir=tmp_path)


def test_two_processes_predict_what_one_does(bert, tmp_path):
    run_forked(main, bert, tmp_path / "two", "two", json.dumps(SHORT), folder=tmp_path)
    results = [json.loads((tmp_path / f"two-{rank}.json").read_text()) for rank in range(2)]
    torch.set_num_threads(1)
    model, tokenizer = build(bert, transitions="cdt")
    assert [result["num_processes"] for result in results] == [2, 2]
    assert results[0]["predictions"] == results[1]["predictions"] == predict(model, tokenizer, many(), SHORT)
    assert all(len((tmp_path / "two" / f"predictions-{rank}.jsonl").read_text().splitlines()) > 2 for rank in range(2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objective": "head"}, "objective must be one of heads, prototypes, but is 'head'"),
        ({"steps": 0}, "steps must be at least 1, but is 0. Leave out the tuning"),
        ({"ensemble": True, "objective": "prototypes"}, 'ensemble=True needs objective="heads"'),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SupportTuning(**options)


def test_models_that_cannot_be_tuned_are_refused(bert, joint_episodes, tagging_episodes):
    with pytest.raises(ValueError, match="Tuning on support sets needs pairwise=False"):
        predict(*build(bert, pairwise=True), joint_episodes, SHORT)
    with pytest.raises(ValueError, match="Tuning on support sets needs a JointModel, got a FewShotModel"):
        predict(*FewShotModel.from_encoder(bert, "proto"), tagging_episodes, SHORT)
