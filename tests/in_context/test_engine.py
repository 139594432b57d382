"""Episodes of every task, resumption, processes."""

import errno
import json
from dataclasses import replace

import pytest
import torch

import hf_fewshot
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.episodes.units import measure_episodes
from hf_fewshot.in_context.backend import Answer, Request
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.in_context.prompt_format import PromptFormat
from hf_fewshot.in_context.report import Report
from hf_fewshot.runs.browse import browse_rows
from hf_fewshot.runs.confusion import confusion
from hf_fewshot.systems.prediction_file import PredictionFile
from tests.in_context.predict_script import main, predicted
from tests.predicted import predict_in_context
from tests.processes import run_forked
from tests.small_episodes import JOINT, TAGGED, episodes_of
from tests.tiny_models import byte_tokenizer, tiny_causal_lm


class Told:
    """A backend that says what it is told: `reply(query)` is a text, or a label's word that it finds most likely."""

    concurrency = 1
    queries_per_request = 2

    def __init__(self, reply, scores_options=False):
        self.reply = reply
        self.scores_options = scores_options
        self.requests: list[Request] = []

    def prepare(self, device):
        pass

    def describe(self):
        return {"model": "told"}

    def cost(self, prompt_tokens, completion_tokens):
        return None

    def answer(self, request):
        self.requests.append(request)
        replies = [self.reply(query) for query in request.queries]
        if request.options is None:
            return [Answer(reply, prompt_tokens=10, completion_tokens=2) for reply in replies]
        return [Answer(scores=[float(word == reply) for word in request.options]) for reply in replies]


def test_labels_are_scored_where_the_backend_can_and_parsed_where_not(text_episodes):
    for scored in (False, True):
        backend = Told(lambda query: "job" if "works" in query else "home", scored)
        result = predict_in_context(backend, text_episodes, "classification", progress=False)
        assert result.predictions == [["home", "job", "home"], ["home", "job"]]
        assert (backend.requests[0].options is None) != scored
        assert result.report.n_queries == 5
    # Queries come two at a time, after the support set of their own episode.
    assert [len(request.queries) for request in backend.requests] == [2, 1, 2]
    assert [one.answer for one in backend.requests[2].prompts.demonstrations] == ["birth", "job", "home"]
    assert hf_fewshot.score(text_episodes, result.predictions)["accuracy"] == 0.8


def test_none_of_the_above_is_offered_on_request(relation_episodes):
    backend = Told(lambda query: "none of the above", scores_options=True)
    found = predict_in_context(backend, relation_episodes, "relation", nota=True, progress=False)
    assert found.predictions == [["NOTA"] * 3, ["NOTA"], ["NOTA"] * 3]
    assert backend.requests[0].options == ("lives", "works", "none of the above")
    assert hf_fewshot.score(relation_episodes, found.predictions)["accuracy"] == pytest.approx(2 / 7)


def test_an_answer_that_cannot_be_parsed_is_never_right(relation_episodes, tagging_episodes):
    found = predict_in_context(Told(lambda query: "what?"), relation_episodes, "relation", nota=True, progress=False)
    assert found.predictions[0] == ["<unparsed>"] * 3
    assert found.report == Report(n_queries=7, unparsed=7, prompt_tokens=70, completion_tokens=14, unread=["'what?'"])
    assert hf_fewshot.score(relation_episodes, found.predictions)["accuracy"] == 0
    found = predict_in_context(Told(lambda query: "\ud800[["), tagging_episodes, "tagging", progress=False)
    assert hf_fewshot.score(tagging_episodes, found.predictions)["f1"] == 0
    assert found.report.unparsed == found.report.n_queries == 5


def test_a_tagging_answer_that_is_none_counts_as_an_entity_too_many():
    # Of "paul is at the bank" no entity is of the episode's types: all O would be right.
    episodes = episodes_of("tagging", TAGGED, Episode(("place", "event"), (0,), (2, 3, 4)))
    replies = {"berlin": '[["berlin", "place"]]', "oslo": "no JSON", "paul": "[["}
    reply = Told(lambda query: next(answer for word, answer in replies.items() if word in query))
    found = predict_in_context(reply, episodes, "tagging", progress=False)
    assert found.predictions == [
        [["O", "O", "O", "O", "O", "O", "place", "O"], ["<unparsed>"] * 5, ["<unparsed>"] * 5],
    ]
    scores = hf_fewshot.score(episodes, found.predictions)
    # One of two is found, and two are invented.
    assert (scores["n_correct"], scores["n_predictions"], scores["n_references"]) == (1, 3, 2)
    assert scores["f1"] == pytest.approx(2 * 1 / (3 + 2))
    measured = measure_episodes(episodes, found.predictions)
    assert sum(measured.numerators) / sum(measured.denominators) == pytest.approx(0.4)
    table = confusion(episodes, found.predictions)
    assert table["labels"] == ["<unparsed>", "O", "place"]
    assert table["counts"] == [[0, 0, 0], [9, 7, 0], [1, 0, 1]]
    (episode,) = browse_rows(episodes, found.predictions)
    assert episode["query"][1]["predicted_spans"] == [(0, 5, "<unparsed>")]


def test_a_joint_answer_that_is_none_is_wrong_in_intent_and_slots():
    # Even an utterance without slots.
    bare = {"id": "bare", "domain": "d", "tokens": ["hello"], "intent": "lives", "slot_tags": ["O"]}
    classes = ("intent:lives", "intent:works", "slot:person", "slot:place")
    episodes = episodes_of("joint", [*JOINT[:4], bare], Episode(classes, (0, 1), (3, 4), "d"))
    reply = Told(lambda query: '{"intent": "works", "slots": [["mia", "person"]]}' if "mia" in query else "hm")
    found = predict_in_context(reply, episodes, "joint", progress=False)
    assert found.predictions[0][1] == {"intent": "<unparsed>", "slot_tags": ["B-<unparsed>"]}
    scores = hf_fewshot.score(episodes, found.predictions)
    # The first has its intent and one of two slots; the second nothing, and a slot too many.
    assert (scores["intent_accuracy"], scores["sentence_accuracy"]) == (0.5, 0)
    assert scores["slot_f1"] == pytest.approx(2 * 1 / (2 + 2))
    assert confusion(episodes, found.predictions)["labels"] == ["<unparsed>", "lives", "works"]


def test_right_entities_score_one(tagging_episodes):
    gold = [tags for queries in references(tagging_episodes) for tags in queries]
    texts = iter(
        [
            '[["mia", "person"], ["oslo", "place"]]',
            '[["bern", "place"]]',
            '[["tom", "person"], ["acme corp", "org"]]',
            '[["mia", "person"], ["oslo", "place"], ["rome", "place"]]',
            '[["the bank of rome", "org"]]',
        ]
    )
    found = predict_in_context(Told(lambda query: next(texts)), tagging_episodes, "tagging", progress=False)
    assert [tags for queries in found.predictions for tags in queries] == gold
    assert found.report.unplaced == 1
    assert hf_fewshot.score(tagging_episodes, found.predictions)["f1"] == 1


def test_the_benchmarks_run_from_end_to_end(lm):
    relations = hf_fewshot.load_episodes(
        "fs_tacred", split="test", n_way=3, shots=1, n_query=3, n_episodes=3, sample=True
    )
    found = predict_in_context(lm, relations, "relation", nota=True, per_token=True, progress=False)
    assert {label for labels in found.predictions for label in labels} <= {
        "NOTA",
        *(name for episode in relations for name in episode.classes),
    }
    assert 0 <= hf_fewshot.score(relations, found.predictions)["accuracy"] <= 1
    joint = hf_fewshot.load_episodes("fewjoint", split="test", shots=1, sample=True)
    small = hf_fewshot.EpisodeSet("joint", joint.examples, lambda i: replace(joint[i], query=joint[i].query[:5]), 1)
    short = PromptFormat("joint", "{sentence}=", max_new_tokens=4)
    (episode,) = predict_in_context(lm, small, short, progress=False).predictions
    examples = small.examples
    for row, prediction in zip(small[0].query, episode, strict=True):
        assert prediction.keys() == {"intent", "slot_tags"}
        assert len(prediction["slot_tags"]) == len(examples[row]["tokens"])


@pytest.mark.parametrize("task", ["sst2", "mnli"])
def test_folds_of_clues_are_episodes_with_the_label_words_of_the_format(task, lm):
    data = hf_fewshot.load_dataset("clues", task, sample=True)
    episodes = split_episode("spans", data["train"].select(range(3)), data["test"].select(range(5)))
    found = predict_in_context(lm, episodes, f"clues_{task}", calibration="content_free", progress=False)
    labels = {"sst2": {"positive", "negative"}, "mnli": {"entailment", "neutral", "contradiction"}}[task]
    assert all(len(answers) == 1 and set(answers) <= labels for answers in found.predictions[0])
    assert found.report.prompt_tokens > 0


def test_folds_with_the_same_ids_have_other_fingerprints():
    row = {"id": "1", "context": ["a"], "question": "?", "answers": ["x"]}
    folds = [split_episode("spans", [{**row, "context": [text]}], [row]) for text in ("b", "c")]
    assert folds[0].fingerprint != folds[1].fingerprint
    assert folds[0][0].support == (0,)
    assert folds[0].examples[1]["context"] == ["a"]
    with pytest.raises(ValueError, match="The test split is empty"):
        split_episode("spans", [row], [])


def test_demonstrations_are_shuffled_by_seed_and_episode(text_episodes):
    def orders(seed):
        backend = Told(lambda query: "job")
        predict_in_context(backend, text_episodes, "classification", shuffle_seed=seed, progress=False)
        return [[one.answer for one in request.prompts.demonstrations] for request in backend.requests]

    assert orders(None)[2] == ["birth", "job", "home"]
    assert orders(1) == orders(1)
    assert len({tuple(orders(seed)[2]) for seed in range(8)}) > 2


def test_interrupted_runs_go_on_where_they_stopped(text_episodes, tmp_path):
    def stopped(query):
        if "born" in query:
            raise KeyboardInterrupt
        return "job"

    with pytest.raises(KeyboardInterrupt):
        predict_in_context(Told(stopped), text_episodes, "classification", output_dir=tmp_path, progress=False)
    lines = (tmp_path / "predictions-0.jsonl").read_text().splitlines()
    assert json.loads(lines[1])["predictions"] == ["job", "job"]
    backend = Told(lambda query: "home")
    found = predict_in_context(backend, text_episodes, "classification", output_dir=tmp_path, progress=False)
    assert found.predictions == [["job", "job", "home"], ["home", "home"]]
    assert len(backend.requests) == 2
    again = Told(lambda query: "birth")
    assert predict_in_context(again, text_episodes, "classification", output_dir=tmp_path, progress=False) == found
    assert again.requests == []


def test_what_has_not_begun_is_not_asked_for_when_answers_cannot_be_kept(text_episodes, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    backend = Told(lambda query: "job")
    backend.concurrency, backend.queries_per_request = 2, 1
    many = hf_fewshot.EpisodeSet("classification", text_episodes.examples, lambda i: text_episodes[i % 2], 30)
    monkeypatch.setattr(PredictionFile, "append", full)
    with pytest.raises(OSError, match="No space left on device"):
        predict_in_context(backend, many, "classification", output_dir=tmp_path, progress=False)
    assert len(backend.requests) <= 4  # of 75: twice as many as are asked at a time have been handed over


@pytest.mark.parametrize("change", [{"nota": True}, {"shuffle_seed": 1}, {"prompt_format": "other"}])
def test_answers_of_another_run_are_refused(text_episodes, tmp_path, change):
    arguments = {"prompt_format": "classification", "output_dir": tmp_path, "progress": False}
    predict_in_context(Told(lambda query: "job"), text_episodes, **arguments)
    if "prompt_format" in change:
        change = {"prompt_format": PromptFormat("classification", "{text}?")}
    with pytest.raises(ValueError, match="holds the predictions of another run"):
        predict_in_context(Told(lambda query: "job"), text_episodes, **(arguments | change))


def test_requests_that_make_no_sense_are_errors(text_episodes, lm):
    with pytest.raises(
        ValueError, match="format is for task 'relation', but the episodes are of task 'classification'"
    ):
        predict_in_context(lm, text_episodes, "relation")
    with pytest.raises(
        ValueError, match="Calibration needs the likelihood of labels, which an endpoint gives with labels=likelihood"
    ):
        predict_in_context(Told(lambda query: ""), text_episodes, "classification", per_token=True)


def test_damaged_weights_are_noticed(text_episodes):
    model = tiny_causal_lm("llama")
    torch.nn.init.constant_(model.lm_head.weight, float("nan"))
    lm = CausalLM(model, byte_tokenizer(), share_prefix=False)
    with pytest.raises(ValueError, match="scores are NaN or infinite"):
        predict_in_context(lm, text_episodes, "classification", progress=False)


def test_queries_that_do_not_fit_are_counted(text_episodes, llama, tokenizer, caplog):
    lm = CausalLM(llama, tokenizer, max_length=86)
    found = predict_in_context(lm, text_episodes, "classification", progress=False)
    assert found.report.too_long == sum(labels.count("<unparsed>") for labels in found.predictions) == 1
    assert found.report.shortened > 0
    assert found.report.unparsed == 0
    assert "too_long 1, shortened" in caplog.text


def test_two_processes_predict_what_one_does(tmp_path):
    run_forked(main, tmp_path, folder=tmp_path)
    results = [json.loads((tmp_path / f"result-{rank}.json").read_text()) for rank in range(2)]
    assert results[0] == results[1] == predicted()
    assert [len(queries) for queries in results[0]["predictions"]] == [9, 9, 9]
    # Each process answered and kept a part.
    lines = [(tmp_path / f"predictions-{rank}.jsonl").read_text().splitlines() for rank in range(2)]
    assert [len(own) - 1 for own in lines] == [4, 5]
