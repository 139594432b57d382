"""The service over real learners of all tasks, with a tiny encoder."""

import pytest

from tests.running_service import running_service
from tests.small_learners import EXAMPLES, QUERIES, TEXTS, learner


@pytest.mark.parametrize("task", EXAMPLES)
def test_answers_are_those_of_the_learner(bert, task):
    fitted = learner(bert, task).fit(EXAMPLES[task])
    with running_service(fitted) as running:
        response = running.predict(QUERIES[task], nearest=1)
        assert response.status_code == 200, response.text
        assert response.json()["answers"] == fitted.answers(QUERIES[task], nearest=1)
        assert running.client.get("/model").json()["classes"] == list(fitted.classes)


def test_examples_are_learned_between_answers_and_a_bad_query_is_refused(bert):
    fitted = learner(bert, strength=1000.0).fit(TEXTS)
    with running_service(fitted, allow_examples=True) as running:
        added = running.post("/examples", {"examples": [{"text": "mia was born in bern", "label": "birth"}]})
        assert added.status_code == 200, added.text
        assert added.json() == {"added": 1, "classes": ["home", "job", "birth"]}
        assert running.predict("mia was born in bern").json()["answers"][0]["label"] == "birth"
        assert running.predict("   ").status_code == 422
        bad = running.post("/examples", {"examples": [{"text": "mia was born in bern"}]})
        assert bad.status_code == 422, bad.text
        assert running.predict("mia was born in bern").json()["answers"][0]["label"] == "birth"
