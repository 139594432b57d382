"""Predictions of episode sets: the fast path, the plain path, and several processes."""

import json
from functools import cache
from itertools import chain

import pytest
import torch
from accelerate import Accelerator

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scoring import score
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.systems.runner import Runner
from hf_fewshot.tasks.labels import NOTA
from tests.predicted import predict_episodes
from tests.processes import run_script
from tests.small_episodes import RELATIONS, TAGGED, TEXTS, episodes_of
from tests.systems.predict_script import build, sampled

METHODS = ["proto", "nnshot", "structshot", "threshold", "nav", "mnav", "sentence_pair"]


def predict(model, tokenizer, episodes, **options):
    return predict_episodes(model, tokenizer, episodes, progress=False, accelerator=Accelerator(cpu=True), **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("encoder", ["bert", "roberta"])
def test_encoding_once_predicts_what_encoding_every_episode_predicts(request, method, encoder):
    model, tokenizer = build(str(request.getfixturevalue(encoder)), method)
    task = "tagging" if model.config.representation == "words" else "relation"
    episodes = sampled(task, 20)
    fast, plain = (predict(model, tokenizer, episodes, encode_once=once) for once in (True, False))
    assert fast == plain
    assert len(fast) == 20
    assert [[len(query) for query in one] if task == "tagging" else len(one) for one in fast] == [
        [len(query) for query in one] if task == "tagging" else len(one) for one in references(episodes)
    ]


@pytest.mark.parametrize("method", [name for name in METHODS if name != "sentence_pair"])
def test_scores_of_both_paths_agree_and_are_those_of_the_model(bert, method):
    from hf_fewshot.trainers.episodic_trainer import EpisodeCollator

    model, tokenizer = build(str(bert), method)
    episodes = sampled("tagging" if model.config.representation == "words" else "relation", 12)
    runner = Runner(model, tokenizer, episodes, Accelerator(cpu=True))
    with torch.inference_mode():
        runner.encode_all(range(12), None)
        fast = runner._score(runner.vectors, runner.batcher(episodes[:], runner.starts))
        logits = model(**EpisodeCollator(model, tokenizer, episodes)(episodes[:])).logits
        torch.testing.assert_close(fast, logits, rtol=1e-3, atol=1e-3)
        for number, episode in enumerate(episodes):
            plain = runner._score_alone(episode)[0]
            torch.testing.assert_close(fast[number, : len(plain)], plain, rtol=1e-3, atol=1e-3)


def test_every_example_is_encoded_once_however_many_episodes(bert, monkeypatch):
    model, tokenizer = build(str(bert), "proto")
    episodes = sampled("tagging", 60)
    rows = []
    encode = FewShotModel.encode

    def counting(self, inputs):
        rows.append(len(inputs.input_ids))
        return encode(self, inputs)

    monkeypatch.setattr(FewShotModel, "encode", counting)
    predict(model, tokenizer, episodes)
    used = {row for episode in episodes for row in (*episode.support, *episode.query)}
    assert sum(rows) == len(used) <= len(TAGGED)


def test_the_size_of_batches_of_episodes_changes_nothing(bert, monkeypatch, relation_episodes, tagging_episodes):
    # Episodes of different ways, shots and queries.
    for method, episodes in (
        ("mnav", relation_episodes),
        ("threshold", relation_episodes),
        ("structshot", tagging_episodes),
    ):
        model, tokenizer = build(str(bert), method)
        predicted = []
        for size in (1, 2, 32):
            monkeypatch.setattr(Runner, "episodes_per_batch", size)
            predicted.append(predict(model, tokenizer, episodes))
        assert predicted[0] == predicted[1] == predicted[2]


def test_none_of_the_above_is_found_in_a_batch_with_larger_episodes(bert, relation_episodes):
    model, tokenizer = build(str(bert), "threshold")
    with torch.no_grad():
        model.method.threshold.fill_(1e6)
    assert predict(model, tokenizer, relation_episodes) == [[NOTA] * 3, [NOTA], [NOTA] * 3]
    with torch.no_grad():
        model.method.threshold.fill_(-1e6)
    assert NOTA not in [label for labels in predict(model, tokenizer, relation_episodes) for label in labels]


def test_a_query_that_stands_in_the_support_set_gets_its_own_label(bert):
    episodes = episodes_of("classification", TEXTS, Episode(("birth", "home", "job"), (4, 0, 2), (0, 4, 2)))
    model, tokenizer = FewShotModel.from_encoder(bert, "proto", representation="mean")
    assert predict(model, tokenizer, episodes) == [["home", "birth", "job"]]


def test_tags_have_the_length_of_their_sentence_even_in_chunks(bert, tagging_episodes):
    model, tokenizer = FewShotModel.from_encoder(bert, "nnshot", max_length=5)
    lengths = [[len(query) for query in one] for one in predict(model, tokenizer, tagging_episodes)]
    assert lengths == [[5, 1], [5, 5], [8]]


def test_a_class_without_support_is_never_predicted(bert):
    tagging = episodes_of("tagging", TAGGED, Episode(("film", "person"), (0,), (1, 3, 4)))
    for method in ("proto", "nnshot", "structshot"):
        predicted = predict(*build(str(bert), method), tagging)
        assert {tag for query in predicted[0] for tag in query} <= {"O", "person"}
    relations = episodes_of("relation", RELATIONS, Episode(("capital", "lives"), (0,), (1, 3, 6)))
    for method in ("threshold", "mnav", "sentence_pair"):
        assert "capital" not in predict(*build(str(bert), method), relations)[0]


def test_the_model_stays_in_the_mode_it_was_in(bert, tagging_episodes):
    model, tokenizer = build(str(bert), "proto")
    for training in (True, False):
        predict(model.train(training), tokenizer, tagging_episodes)
        assert model.training is training


def test_references_name_what_is_right(relation_episodes, tagging_episodes):
    assert list(references(relation_episodes)) == [["lives", "works", NOTA], ["lives"], ["lives", "born", NOTA]]
    assert list(references(tagging_episodes)) == [
        [["person", "O", "O", "O", "place"], ["place"]],
        [["person", "O", "O", "org", "org"], ["person", "O", "O", "O", "place"]],
        # Its type "place" is none of the episode's.
        [["org", "org", "org", "org", "O", "O", "O", "O"]],
    ]


def test_references_agree_with_the_labels_of_training(relation_episodes, tagging_episodes):
    from hf_fewshot.models.episode_batch import EpisodeBatcher

    for episodes, representation in ((relation_episodes, "markers"), (tagging_episodes, "words")):
        batcher = EpisodeBatcher(episodes, representation)
        for episode, gold in zip(episodes, references(episodes), strict=True):
            names = batcher.names(episode, NOTA)
            labels = [names[label] for label in batcher([episode]).labels[0].tolist()]
            assert labels == ([tag for tags in gold for tag in tags] if representation == "words" else gold)


def test_types_that_a_network_predicts_are_scored_as_runs_against_bio_tags():
    rows = [
        ("anna lives in new york", "B-per O O B-loc I-loc"),
        ("tom is in rome", "B-per O O B-loc"),
        ("new york is in oslo", "B-loc I-loc O O B-loc"),
    ]
    examples = [{"id": str(i), "tokens": w.split(), "tags": t.split()} for i, (w, t) in enumerate(rows)]
    episodes = episodes_of("tagging", examples, Episode(("loc", "per"), (0,), (1, 2)))
    assert list(references(episodes)) == [[["B-per", "O", "O", "B-loc"], ["B-loc", "I-loc", "O", "O", "B-loc"]]]
    scores = score(episodes, [[["per", "O", "O", "O"], ["loc", "loc", "O", "O", "per"]]])
    assert (scores["n_references"], scores["n_predictions"], scores["n_correct"]) == (4, 3, 2)


def plain_entities(tags):
    found, begin = set(), None
    for position, tag in enumerate([*tags, "O"]):
        if begin is not None and tag != tags[begin]:
            found.add((begin, position, tags[begin]))
            begin = None
        if begin is None and tag != "O":
            begin = position
    return found


def test_tagging_scores_equal_a_plain_count(bert):
    episodes = sampled("tagging", 40)
    predictions = predict(*build(str(bert), "nnshot"), episodes)
    correct = predicted = gold = 0
    for got, wanted in zip(predictions, references(episodes), strict=True):
        for tags, right in zip(got, wanted, strict=True):
            found, true = plain_entities(tags), plain_entities(right)
            correct, predicted, gold = correct + len(found & true), predicted + len(found), gold + len(true)
    scores = score(episodes, predictions)
    assert 0 < correct < gold
    assert (scores["n_correct"], scores["n_predictions"], scores["n_references"]) == (correct, predicted, gold)
    assert scores["f1"] == pytest.approx(2 * correct / (predicted + gold))


def test_relation_scores_equal_a_plain_count(bert):
    episodes = sampled("relation", 80)
    model, tokenizer = build(str(bert), "mnav")
    predictions = predict(model, tokenizer, episodes)
    pairs = [
        pair
        for got, wanted in zip(predictions, references(episodes), strict=True)
        for pair in zip(got, wanted, strict=True)
    ]
    correct = sum(got == wanted != NOTA for got, wanted in pairs)
    predicted, gold = sum(got != NOTA for got, _ in pairs), sum(wanted != NOTA for _, wanted in pairs)
    scores = score(episodes, predictions)
    assert scores["precision"] == pytest.approx(correct / predicted)
    assert scores["recall"] == pytest.approx(correct / gold)
    assert scores["accuracy"] == pytest.approx(sum(got == wanted for got, wanted in pairs) / len(pairs))
    assert 0 < sum(wanted == NOTA for _, wanted in pairs) < len(pairs)


def test_the_original_scoring_joins_the_queries_of_a_batch():
    examples = [{"id": str(i), "tokens": ["x"], "tags": ["a"]} for i in range(5)]
    episodes = episodes_of("tagging", examples, *[Episode(("a",), (0,), (1, 2)), Episode(("a",), (0,), (3, 4))])
    right = list(references(episodes))
    assert score(episodes, right)["n_references"] == 4
    assert score(episodes, right, compat="original")["n_references"] == 2
    assert score(episodes, right, compat="original", batch_size=2)["n_references"] == 1


def test_missing_episodes_are_not_scored(tagging_episodes):
    with pytest.raises(ValueError, match="2 predicted episodes for a set of 3"):
        score(tagging_episodes, list(references(tagging_episodes))[:2])


def test_questions_are_compared_with_their_answers():
    rows = [
        {"id": str(i), "context": ["a"], "question": "?", "answers": answers} for i, answers in enumerate((["a"], []))
    ]
    assert list(references(episodes_of("spans", rows, Episode((), (), (0, 1))))) == [[["a"], []]]


# What two processes predict, by what launches them: one launch for all, as imports take most of its time.
# Each is a method, the folder of its predictions, and options.
LAUNCHED: dict[str, list[tuple[str, str, dict]]] = {
    "accelerate": [("structshot", "structshot", {}), ("sentence_pair", "sentence_pair", {})],
    "torchrun": [("mnav", "mnav", {}), ("nnshot", "-", {"length": 40, "batch": 4, "encode_once": False})],
}


@pytest.fixture(scope="module")
def launched(bert, project, tmp_path_factory):
    """A function that gives the folder of what two processes predicted, with the name of their launcher."""

    @cache
    def launch(launcher):
        folder = tmp_path_factory.mktemp(launcher)
        cases = [
            (method, output, "-", json.dumps(options | {"result": method}))
            for method, output, options in LAUNCHED[launcher]
        ]
        script = project / "tests" / "systems" / "predict_script.py"
        words = chain.from_iterable(cases)
        run_script(script, bert, *words, folder=folder, project=project, processes=2, launcher=launcher)
        return folder

    return launch


@pytest.mark.parametrize(
    ("method", "launcher"), [("structshot", "accelerate"), ("mnav", "torchrun"), ("sentence_pair", "accelerate")]
)
def test_two_processes_predict_and_score_what_one_does(bert, launched, method, launcher):
    folder = launched(launcher)
    results = [json.loads((folder / f"{method}-{rank}.json").read_text()) for rank in range(2)]
    model, tokenizer = build(str(bert), method)
    episodes = sampled("tagging" if method == "structshot" else "relation", 100)
    torch.set_num_threads(1)
    predictions = predict(model, tokenizer, episodes)
    assert [result["num_processes"] for result in results] == [2, 2]
    assert results[0]["predictions"] == results[1]["predictions"] == predictions
    assert results[0]["scores"] == results[1]["scores"] == score(episodes, predictions)
    written = [
        [json.loads(line) for line in (folder / method / f"predictions-{rank}.jsonl").read_text().splitlines()[1:]]
        for rank in range(2)
    ]
    assert all(written)
    assert sorted(row["index"] for rows in written for row in rows) == list(range(100))


def test_two_processes_can_encode_every_episode_by_itself(bert, launched):
    result = json.loads((launched("torchrun") / "nnshot-1.json").read_text())
    assert result["num_processes"] == 2
    assert result["predictions"] == predict(*build(str(bert), "nnshot"), sampled("tagging", 40))
