"""Labelled examples of each task in the words that tests/tiny_models.py know, and learners of them."""

from hf_fewshot import FewShotLearner
from hf_fewshot.learning.options import Tuning
from tests.small_episodes import RELATIONS, TAGGED

TEXTS = [("anna lives in paris", "home"), ("tom lives in rome", "home"), ("mia works at acme", "job")]
TEXTS += [("paul works at the bank", "job")]
JOINT = [
    {"tokens": ["anna", "lives", "in", "paris"], "intent": "home", "slot_tags": ["O", "O", "O", "B-place"]},
    {
        "tokens": ["tom", "works", "at", "acme", "corp"],
        "intent": "job",
        "slot_tags": ["O", "O", "O", "B-org", "I-org"],
    },
]
EXAMPLES = {"classification": TEXTS, "tagging": TAGGED, "relation": RELATIONS[:6], "joint": JOINT}
QUERIES = {
    "classification": [text for text, _ in TEXTS],
    "tagging": [{"tokens": row["tokens"]} for row in TAGGED],
    "relation": [{key: row[key] for key in ("tokens", "head", "tail")} for row in RELATIONS[:6]],
    "joint": [{"tokens": row["tokens"]} for row in JOINT],
}
SHORT = Tuning(steps=4, learning_rate=1e-2, batch_size=4)


def learner(bert, task="classification", **options):
    """A learner with a quick head, unless another is asked for."""
    return FewShotLearner.from_encoder(bert, task, **{"layers": 1, "head": "logistic", **options})
