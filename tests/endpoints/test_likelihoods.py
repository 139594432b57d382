"""Labels by likelihood from a server: the numbers of the same model on this machine."""

import pytest

from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.causal_lm import CausalLM
from tests.asked import ask, ask_on
from tests.predicted import predict_in_context
from tests.scored_prompts import ScoredPrompts
from tests.small_episodes import TEXTS, episodes_of
from tests.tiny_models import byte_tokenizer, tiny_causal_lm

OPTIONS = ("home", "a job", "school")


@pytest.fixture(scope="module")
def model():
    return tiny_causal_lm("llama", 2048)


@pytest.fixture(scope="module")
def tokenizer():
    return byte_tokenizer(2048)


@pytest.fixture
def server(chat_server, model, tokenizer):
    """A server that knows `echo`."""
    started = chat_server(lambda messages: "home")
    started.complete = ScoredPrompts(model, tokenizer)
    return started


def endpoint_of(server, **options):
    return Endpoint(server.url, "m", likelihoods=True, wait=0.001, max_retries=0, **options)


@pytest.mark.parametrize("form", ["echo", "prompt_logprobs", "dictated"])
@pytest.mark.parametrize(
    "calibration",
    [Calibration(), Calibration(per_token=True), Calibration("content_free")],
    ids=["none", "per token", "content-free"],
)
def test_the_numbers_are_those_of_the_model_on_this_machine(server, model, tokenizer, form, calibration):
    server.complete.form = form
    free = ("Text: N/A\nLabel:", "Text: \nLabel:") if calibration.kind == "content_free" else ()
    asked = {"options": OPTIONS, "calibration": calibration, "content_free": free}
    here = ask(CausalLM(model, tokenizer), **asked)
    there = ask(endpoint_of(server), **asked)
    assert there.scores == pytest.approx(here.scores, abs=1e-5)
    assert len(set(there.scores)) == 3
    assert there.text is None


def test_predictions_are_those_of_the_model_on_this_machine(server, model, tokenizer):
    episodes = episodes_of("classification", TEXTS, Episode(("home", "job"), (0, 2), (1, 3, 4)))
    here = predict_in_context(CausalLM(model, tokenizer), episodes, "classification", progress=False)
    there = predict_in_context(endpoint_of(server), episodes, "classification", progress=False)
    assert there.predictions == here.predictions
    assert {request["path"] for request in server.requests} == {"/v1/completions"}


def test_a_prompt_is_sent_alone_and_with_each_label_and_its_tokens_are_counted(server, tokenizer):
    answer = ask(endpoint_of(server), options=OPTIONS)
    prompts = [request["prompt"] for request in server.requests]
    alone = "Where is it?\n\nText: anna lives in rome\nLabel: home\n\nText: tom works at acme\nLabel:"
    assert prompts == [alone, *(f"{alone} {word}" for word in OPTIONS)]
    assert answer.prompt_tokens == sum(len(tokenizer(prompt)["input_ids"]) for prompt in prompts)
    assert answer.completion_tokens == 4


def test_queries_without_content_are_asked_once(server):
    endpoint = endpoint_of(server)
    asked = {"options": OPTIONS, "calibration": Calibration("content_free"), "content_free": ("Text: N/A\nLabel:",)}
    first = ask(endpoint, **asked)
    so_far = len(server.requests)
    assert ask_on(endpoint, "Text: tom works at acme\nLabel:", **asked).scores == first.scores
    assert (so_far, len(server.requests)) == (8, 12)


def test_a_server_that_leaves_echo_out_without_a_word_is_found_out(server):
    server.complete.form = "none"
    with pytest.raises(EndpointError, match=r"says nothing of how likely a label is: .* Take labels=written, or a"):
        ask(endpoint_of(server), options=OPTIONS)


def test_a_server_that_refuses_to_say_it_is_told_from_one_that_refuses_the_prompt(server):
    server.refuses = {"echo", "prompt_logprobs", "content"}
    with pytest.raises(EndpointError, match="says nothing of how likely a label is"):
        ask(endpoint_of(server), options=OPTIONS)
    server.refuses = {"prompt"}
    answer = ask(endpoint_of(server), options=OPTIONS)
    assert (answer.problem, answer.reason) == ("refused", "status 400: Unknown field 'prompt'")


def test_a_server_without_plain_completions_is_an_error_that_says_what_to_do(chat_server):
    server = chat_server(lambda messages: "home")
    with pytest.raises(EndpointError, match=r"status 404: .* It is asked for the likelihood of labels, which few"):
        ask(endpoint_of(server), options=OPTIONS)


@pytest.mark.parametrize(
    "logprobs",
    [
        {"tokens": ["a", "b"], "token_logprobs": [None]},
        {"tokens": "ab", "token_logprobs": 5},
        {"tokens": ["a", "b", "c"], "token_logprobs": [None, "-1", -1.0]},
        {"tokens": ["a", "b", "c"], "token_logprobs": [None, 3.0, -1.0]},
        {"tokens": ["a", "b", "c"], "token_logprobs": [None, None, -1.0]},
    ],
)
def test_numbers_that_are_no_log_probabilities_are_not_taken(server, logprobs):
    server.complete = lambda request: {
        "choices": [{"text": request.get("prompt", "") + "c", "logprobs": logprobs}],
        "usage": {"completion_tokens": 1},
    }
    with pytest.raises(EndpointError, match=r"says nothing of how likely a label is|do not belong together"):
        ask(endpoint_of(server, max_failures=1), options=OPTIONS)


def test_tasks_without_labels_are_still_written(server):
    assert ask(endpoint_of(server)).text == "home"
