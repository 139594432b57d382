"""Models that runs name are asked for at the Hub before anything runs."""

import socket

import pytest
from huggingface_hub import constants

from hf_fewshot.cli import main
from hf_fewshot.files.hub_models import HubUnknownError, ask_for_model, cached_model
from tests.hub.stand_in import Fault

PLAN = ["run", "--benchmark", "fewrel", "--split", "validation", "--n-way", "3", "--shots", "1", "--sample"]


@pytest.fixture
def model(online):
    """A model on the stand-in, as far as it is asked for."""
    online.storage.create("models/me/model", private=False)
    online.storage.commit("models/me/model", {"config.json": b'{"model_type": "bert"}'}, {}, [], "add")
    return "me/model"


def test_a_model_that_is_there_takes_one_request_for_a_head(model, online):
    ask_for_model(model)
    assert online.asked("config.json") == [("HEAD", "/me/model/resolve/main/config.json")]
    assert cached_model(model) is None  # nothing was downloaded


def test_what_is_no_model_for_us_is_told_apart(model, online):
    with pytest.raises(
        ValueError, match=r"^There is no model 'me/modle': no folder of this name here, and none on the"
    ):
        ask_for_model("me/modle")
    online.storage.create("models/me/data", private=False)
    with pytest.raises(ValueError, match=r"^'me/data' on the Hub has no config\.json \(http://127"):
        ask_for_model("me/data")
    for status in (401, 403):
        online.faults.append(Fault("config.json", status, headers={"X-Error-Code": "GatedRepo"}))
        with pytest.raises(
            ValueError, match=r"^Model 'me/model' is there, but its owners let in only those who agree"
        ):
            ask_for_model(model)
    online.faults.append(Fault("config.json", 403, message="Access to this resource is disabled."))
    with pytest.raises(
        ValueError, match="There is no model 'me/model': no folder of this name here, and none on the Hub"
    ):
        ask_for_model(model)


def test_what_the_hub_does_not_say_is_no_mistake_of_the_run(model, online, monkeypatch):
    for status in (429, 500, 503):
        online.faults.append(Fault("config.json", status))
        with pytest.raises(HubUnknownError, match=f"^the Hub answers {status}$"):
            ask_for_model(model)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(HubUnknownError, match=r"^HF_HUB_OFFLINE is set$"):
        ask_for_model(model)
    assert len(online.asked("config.json")) == 3


def test_a_server_that_is_silent_is_not_waited_for(online, monkeypatch):
    monkeypatch.setattr("hf_fewshot.files.hub_models.SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        at = f"http://127.0.0.1:{silent.getsockname()[1]}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", at)
        with pytest.raises(HubUnknownError, match=r"^the Hub cannot be reached \("):
            ask_for_model("me/model")


def test_a_plan_says_whom_it_has_asked(model, online, tmp_path, capsys):
    assert main([*PLAN, "--method", "proto", "--model", model, "--output", str(tmp_path), "--dry-run"]) == 0
    assert "the Hub was asked and has model 'me/model', which would be downloaded\n" in capsys.readouterr().out
    assert main([*PLAN, "--method", "proto", "--model", "me/modle", "--output", str(tmp_path), "--dry-run"]) == 2
    assert "There is no model 'me/modle'" in capsys.readouterr().err
    assert [path for _, path in online.asked("config.json")] == [
        "/me/model/resolve/main/config.json",
        "/me/modle/resolve/main/config.json",
    ]


def test_a_silent_hub_is_asked_once_for_all_models(online, tmp_path, capsys):
    online.faults.append(Fault("config.json", 503, times=9))
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "benchmark: fewrel\nsplit: validation\ndata: {sample: true, n_way: 3, shots: 1}\n"
        "systems: {A: {method: proto, model: me/a}, B: {method: nnshot, model: me/b}}\n"
    )
    assert main(["run", str(recipe), "--output", str(tmp_path / "results"), "--dry-run"]) == 0
    output = capsys.readouterr().out
    for name in ("me/a", "me/b"):
        assert f"not checked: model '{name}' is not in the cache, and the Hub answers 503\n" in output
    assert len(online.asked("config.json")) == 1


def test_a_model_behind_an_endpoint_is_nobodys_business(online, tmp_path, capsys):
    endpoint = [
        "--method",
        "in_context",
        "--model",
        "no such model",
        "--method-option",
        "endpoint=http://localhost:1/v1",
    ]
    assert main([*PLAN, *endpoint, "--output", str(tmp_path), "--dry-run"]) == 0
    assert "checked" not in capsys.readouterr().out
    assert online.requests == []
