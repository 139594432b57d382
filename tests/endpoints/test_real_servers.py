"""Real servers with SmolLM2 on this machine: what we send is taken, and what they say is understood."""

import pytest
import torch

from hf_fewshot.embedded import embedded_causal_lm, installed
from hf_fewshot.endpoints.endpoint import Endpoint
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.in_context.sampling import Sampling
from tests.asked import ask, ask_on
from tests.predicted import predict_in_context
from tests.real_servers import llama_cpp, transformers_serve, whole_numbers
from tests.small_episodes import TAGGED, TEXTS, episodes_of

pytestmark = pytest.mark.real_model

NAME = "SmolLM2-135M-Instruct"
OPTIONS = ("home", "job", "a long way off")
TEXT_EPISODES = episodes_of("classification", TEXTS, Episode(("home", "job"), (0, 2), (1, 3, 4)))
TAG_EPISODES = episodes_of("tagging", TAGGED, Episode(("person", "place", "org"), (0, 1, 2), (3, 4)))


@pytest.fixture(scope="module")
def folder(request):
    return embedded_causal_lm(NAME, request.config.cache.mkdir("causal_lms"))


@pytest.fixture(scope="module")
def here(folder):
    torch.set_num_threads(1)
    return folder


@pytest.fixture(scope="module")
def served(folder, tmp_path_factory):
    """`transformers serve`."""
    pytest.importorskip("openai", reason="pip install transformers[serving]")
    with transformers_serve(folder, tmp_path_factory.mktemp("served") / "log") as url:
        yield url


@pytest.fixture(scope="module")
def llama(tmp_path_factory):
    """The server of llama.cpp."""
    pytest.importorskip("xllamacpp", reason="pip install xllamacpp")
    place = tmp_path_factory.mktemp("llama")
    (source,) = installed(NAME).rglob("*.gguf")
    with llama_cpp(whole_numbers(source, place / "whole.gguf"), place / "log") as url:
        yield url


def test_transformers_serve_writes_what_the_model_writes_here(served, folder, here):
    written = ask(Endpoint(served, str(folder)))
    alone = ask(CausalLM.from_pretrained(here, chat=True))
    assert written.text.strip().splitlines()[0] == alone.text.strip()
    assert written.prompt_tokens == alone.prompt_tokens
    assert 0 < written.completion_tokens <= 8


def test_transformers_serve_draws_answers_one_by_one_and_knows_no_schemas(served, folder):
    endpoint = Endpoint(served, str(folder))
    drawn = ask(endpoint, sampling=Sampling(1.0, 3, 0))
    assert len(drawn.samples) == 3
    assert not ask_on(endpoint, schema={"type": "string", "enum": ["home", "job"]}).structured


def test_transformers_serve_answers_all_queries_of_episodes(served, folder):
    found = predict_in_context(Endpoint(served, str(folder)), TEXT_EPISODES, "classification", progress=False)
    assert [len(one) for one in found.predictions] == [3]
    assert (found.report.n_queries, found.report.refused, found.report.failed) == (3, 0, 0)
    assert found.report.prompt_tokens > 100


def test_transformers_serve_says_nothing_of_likelihoods(served, folder):
    with pytest.raises(EndpointError, match="It is asked for the likelihood of labels, which few servers give"):
        ask(Endpoint(served, str(folder), likelihoods=True), options=OPTIONS)


def test_another_model_than_it_has_is_an_error(served):
    endpoint = Endpoint(served, "no/such-model", max_failures=1, max_retries=0)
    with pytest.raises(
        EndpointError, match=r"refuses every prompt, 1 so far, the last with status 400: Server is pinned"
    ):
        ask(endpoint)


@pytest.mark.parametrize(
    "calibration",
    [Calibration(), Calibration(per_token=True), Calibration("content_free")],
    ids=["none", "per token", "content-free"],
)
def test_llama_cpp_gives_the_likelihoods_of_the_model_here(llama, here, calibration):
    free = ("Text: N/A\nLabel:",) if calibration.kind == "content_free" else ()
    asked = {"options": OPTIONS, "calibration": calibration, "content_free": free}
    there = ask(Endpoint(llama, NAME, likelihoods=True), **asked)
    alone = ask(CausalLM.from_pretrained(here), **asked)
    # Its cache of keys and values has 16 bits.
    assert there.scores == pytest.approx(alone.scores, abs=1e-2)


def test_llama_cpp_holds_answers_to_the_schema(llama):
    endpoint = Endpoint(llama, NAME, concurrency=2)
    held = predict_in_context(endpoint, TAG_EPISODES, "tagging", structured=True, progress=False).report
    assert (held.structured, held.unparsed, held.refused) == (2, 0, 0)
    label = ask(endpoint, schema={"type": "string", "enum": ["home", "job"]}, max_new_tokens=32)
    assert label.structured
    assert label.text in ("home", "job")


def test_llama_cpp_draws_several_answers_in_one_request(llama):
    drawn = ask(Endpoint(llama, NAME), sampling=Sampling(1.0, 3, 0))
    assert len(drawn.samples) == 3
    assert drawn.completion_tokens >= 3
