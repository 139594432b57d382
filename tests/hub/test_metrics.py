"""Metrics as Spaces."""

import pytest

from hf_fewshot.hub import push_metric
from hf_fewshot.registry import METRICS
from tests.hub.client import last_line


def test_a_metric_is_a_space_from_which_evaluate_loads_it(hub, client, project):
    client("from hf_fewshot.hub import push_metric; push_metric('s1', 'me/s1')")
    assert hub.storage.repo("spaces/me/s1")["sdk"] == "gradio"
    # A link to a file that metrics share, in the checkout.
    assert hub.storage.content("spaces/me/s1", "groups.py") == (project / "metrics/shared/groups.py").read_bytes()
    done = client(
        "import json, evaluate\n"
        "s1 = evaluate.load('me/s1')\n"
        "print(json.dumps(s1.compute(predictions=[['a'], []], references=[['a'], ['b']])))"
    )
    assert last_line(done) == {"s1": 0.5, "always_empty_s1": 0.0, "n": 2}


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_is_a_whole_space(name):
    plan = push_metric(name, f"me/{name}", dry_run=True)
    assert {"README.md", "app.py", "requirements.txt", f"{METRICS[name]}.py"} <= set(plan.sizes)
    assert not [path for path in plan.sizes if "__pycache__" in path]
    assert "sdk: gradio" in plan.card


def test_an_unknown_metric_is_an_error_with_a_suggestion():
    with pytest.raises(ValueError, match=r"^Unknown metric 's2'\. "):
        push_metric("s2", "me/s2")
