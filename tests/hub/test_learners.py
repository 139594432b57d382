"""Learners on the Hub: what arrives, and that it comes back."""

import pytest

from hf_fewshot import FewShotLearner
from tests.small_learners import TEXTS, learner

# The client itself uploads large files in a way that its HTTP library has outgrown.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")

FILES = [".gitattributes", ".hf_fewshot.json", "README.md", "config.json", "heads.safetensors", "learner.json"]
FILES += ["model.safetensors", "tokenizer.json", "tokenizer_config.json"]


def test_a_pushed_learner_comes_back_and_answers_the_same(online, bert):
    saved = learner(bert).fit(TEXTS)
    saved.push_to_hub("me/intents", license="mit")
    assert sorted(online.storage.files("models/me/intents")) == sorted([*FILES, "examples.jsonl"])
    loaded = FewShotLearner.from_pretrained("me/intents")
    assert loaded.answers(["anna works"], nearest=1) == saved.answers(["anna works"], nearest=1)


def test_examples_stay_at_home_on_request(bert):
    plan = learner(bert).fit(TEXTS).push_to_hub("me/intents", examples=False, dry_run=True)
    assert sorted(plan.sizes) == sorted(set(FILES) - {".gitattributes"})
    assert "The labelled examples are not part of this repository" in plan.card
    assert 'FewShotLearner.from_pretrained("me/intents")' in plan.card
    assert "| home | 2 |" in plan.card
    assert plan.private
