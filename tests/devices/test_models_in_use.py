"""What is used without a run, on a device like a GPU."""

import pytest

from hf_fewshot import FewShotLearner, FewShotModel, InContextSystem, predict
from hf_fewshot.analyses.similarity import type_similarities
from hf_fewshot.analyses.word_encoder import word_encoder
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.systems.pipeline import FewShotPipeline
from tests.devices.elsewhere import THERE
from tests.small_episodes import TAGGED
from tests.small_learners import EXAMPLES, QUERIES, SHORT, learner
from tests.tiny_models import byte_tokenizer, tiny_causal_lm


@pytest.mark.parametrize("head", ["logistic", "tuned"])
@pytest.mark.parametrize("task", EXAMPLES)
def test_a_learner(task, head, bert, elsewhere, tmp_path):
    options = {"tuning": SHORT} if head == "tuned" else {}
    own = learner(bert, task, head=head, **options)
    own.model.to(THERE)
    own.fit(EXAMPLES[task][:-1])
    own.add_examples(EXAMPLES[task][-1:])
    assert own.model.device == THERE
    here = own.answers(QUERIES[task], nearest=1)
    assert len(here) == len(QUERIES[task])
    own.save_pretrained(tmp_path / "learner")
    again = FewShotLearner.from_pretrained(tmp_path / "learner")
    again.model.to(THERE)
    assert again.predict(QUERIES[task]) == own.predict(QUERIES[task])


def test_a_pipeline(bert, elsewhere):
    model, tokenizer = FewShotModel.from_encoder(bert, "proto", layers=2)
    label = FewShotPipeline(model.to(THERE), tokenizer, "tagging")
    assert len(label(TAGGED[:2], ["mia was born in oslo"])) == 1
    assert model.device == THERE


def test_the_similarity_of_types(bert, elsewhere, tagging_episodes):
    model, tokenizer = word_encoder(str(bert))
    found = type_similarities(model, tokenizer, tagging_episodes.kind, tagging_episodes.examples, progress=False)
    assert found.types == ("org", "person", "place")
    assert model.device == THERE


@pytest.mark.parametrize("labels", ["likelihood", "written"])
@pytest.mark.parametrize("kind", ["llama", "mistral", "gpt2", "bloom"])
def test_language_models_with_a_shared_prefix_and_without(kind, labels, elsewhere, text_episodes):
    backend = CausalLM(tiny_causal_lm(kind), byte_tokenizer(), max_length=512)
    system = InContextSystem(backend, "classification", labels=labels, max_new_tokens=2)
    predictions = predict(system, text_episodes, progress=False)
    assert [len(own) for own in predictions] == [3, 2]
    assert backend.model.device == THERE
