"""Options of asking as a run gives them, and what they do to requests."""

from collections import Counter

import pytest

from hf_fewshot.in_context.asking import Asking
from hf_fewshot.in_context.backend import Answer
from hf_fewshot.in_context.prompt_format import load_format
from hf_fewshot.systems.in_context import InContextSystem
from tests.predicted import predict_in_context

CONTRADICTIONS = [
    ({"labels": "likely"}, r"Unknown way of labels 'likely'. Did you mean 'likelihood'\?"),
    ({"demonstrations": "near"}, r"Unknown choice of demonstrations 'near'. Did you mean 'nearest'\?"),
    ({"demonstrations": "bm25"}, r"demonstrations='bm25', but n_demonstrations=None"),
    ({"n_demonstrations": 3}, r"demonstrations='all', but n_demonstrations=3"),
    (
        {"demonstrations": "random", "n_demonstrations": 2, "shuffle_seed": 1},
        r"shuffle_seed orders all demonstrations",
    ),
    (
        {"calibration": "content_free", "labels": "written"},
        r"compares the likelihoods of labels, but labels='written'",
    ),
    ({"temperature": 0.5, "labels": "likelihood"}, r"temperature=0.5 draws written answers, but labels='likelihood'"),
    ({"samples": 3}, r"samples=3 at temperature 0 would all be the same"),
    ({"max_new_tokens": 0}, r"max_new_tokens must be a whole number of at least 1, but is 0"),
    ({"format": "clues_sst"}, r"Unknown prompt format 'clues_sst'. Did you mean 'clues_sst2'\?"),
]


class Asked:
    """A backend that writes `reply` and keeps the requests."""

    concurrency = 1
    queries_per_request = 8

    def __init__(self, reply=lambda request: Answer("home"), scores_options=False):
        self.reply = reply
        self.scores_options = scores_options
        self.requests = []

    def prepare(self, device):
        pass

    def describe(self):
        return {"model": "asked"}

    def cost(self, prompt_tokens, completion_tokens):
        return None

    def answer(self, request):
        self.requests.append(request)
        if request.options is not None:
            return [Answer(scores=[0.0] * len(request.options)) for _ in request.queries]
        return [self.reply(request) for _ in request.queries]


@pytest.mark.parametrize(("options", "message"), CONTRADICTIONS)
def test_contradictions_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Asking(**options)


def test_labels_are_written_where_that_is_asked_for(text_episodes):
    for options in ({"labels": "written"}, {"temperature": 0.5}):
        backend = Asked(scores_options=True)
        predict_in_context(backend, text_episodes, "classification", progress=False, **options)
        assert [request.options for request in backend.requests] == [None, None]
    with pytest.raises(ValueError, match=r"this backend cannot say how likely a label is. Use labels='written'"):
        InContextSystem(Asked(), "classification", labels="likelihood")


def test_sampling_and_length_are_passed_on(text_episodes):
    backend = Asked()
    options = {"temperature": 0.7, "samples": 4, "seed": 9, "max_new_tokens": 33}
    predict_in_context(backend, text_episodes, "classification", progress=False, **options)
    (sampling,) = {request.sampling for request in backend.requests}
    assert (sampling.temperature, sampling.samples, sampling.seed) == (0.7, 4, 9)
    assert {request.max_new_tokens for request in backend.requests} == {33}


def test_what_most_samples_say_is_the_prediction(text_episodes):
    said = Answer("birth", samples=["birth", "job", "job", "what?"])
    found = predict_in_context(
        Asked(lambda request: said), text_episodes, "classification", progress=False, temperature=1.0, samples=4
    )
    assert found.predictions == [["job"] * 3, ["job"] * 2]


def test_the_schema_is_sent_where_that_is_asked_for(text_episodes):
    for structured in (False, True):
        backend = Asked()
        predict_in_context(backend, text_episodes, "classification", progress=False, structured=structured)
        found = [request.schema for request in backend.requests]
        if structured:
            assert [sorted(schema["enum"]) for schema in found] == [["home", "job"], ["birth", "home", "job"]]
        else:
            assert found == [None, None]


def test_some_demonstrations_are_chosen_for_each_query(text_episodes):
    backend = Asked()
    options = {"demonstrations": "bm25", "n_demonstrations": 2}
    predict_in_context(backend, text_episodes, "classification", progress=False, **options)
    assert [len(request.queries) for request in backend.requests] == [1] * 5
    assert {len(request.prompts.demonstrations) for request in backend.requests} == {2}


def test_random_demonstrations_are_those_of_the_seed_and_shared_by_an_episode(text_episodes):
    shown = []
    for seed in (0, 0, 1, 2, 3):
        backend = Asked()
        options = {"demonstrations": "random", "n_demonstrations": 1, "seed": seed}
        predict_in_context(backend, text_episodes, "classification", progress=False, **options)
        assert [len(request.queries) for request in backend.requests] == [3, 2]
        shown.append(tuple(request.prompts.demonstrations[0].query for request in backend.requests))
    assert shown[0] == shown[1]
    assert len(Counter(shown)) > 1


def test_a_system_message_replaces_that_of_the_format():
    form = load_format("classification")
    assert Asking(system="Be brief.").changed(form).system == "Be brief."
    assert Asking().changed(form) == form
