"""Runs on the Hub: what arrives, what is refused, and that it comes back."""

import json
import logging
import shutil

import pytest
import yaml
from huggingface_hub import ModelCard

from hf_fewshot.adapters.lora import Lora, save_adapter, with_adapter
from hf_fewshot.hub import HubError, push_run
from tests.cards.records import record
from tests.hub.client import last_line
from tests.hub.run_folder import write_run
from tests.tiny_models import byte_tokenizer, tiny_causal_lm, write_llama

# The client itself uploads large files in a way that its HTTP library has outgrown.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")

NAME = "few_nerd_inter_n_way=5_shots=1_ProtoBERT_seed={}_"


def test_a_push_is_one_private_commit_with_model_records_card_and_results(online, results, tagger):
    done = push_run(results, "me/m")
    files = online.storage.files("models/me/m")
    names = sorted(files)
    records = [name for name in names if name.startswith("records/")]
    assert [name for name in names if name not in records] == [
        ".eval_results/few_nerd.yaml",
        ".gitattributes",
        ".hf_fewshot.json",
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    assert [name.rsplit("_", 1)[0] + "_" for name in records] == [f"records/{NAME.format(seed)}" for seed in range(3)]
    repo = online.storage.repo("models/me/m")
    assert repo["private"] is True
    assert [commit["title"] for commit in repo["commits"]] == ["initial commit", "Upload 3 runs with hf_fewshot"]
    assert done.url == f"{online.url}/me/m/commit/{online.storage.head('models/me/m')}"
    assert files["model.safetensors"].is_large
    assert online.storage.content("models/me/m", "model.safetensors") == (tagger / "model.safetensors").read_bytes()
    for path in results.iterdir():
        stored = online.storage.content("models/me/m", f"records/{path.name}/record.json")
        assert stored == (path / "record.json").read_bytes()
    entries = yaml.safe_load(online.storage.content("models/me/m", ".eval_results/few_nerd.yaml"))
    assert [(entry["dataset"], entry["value"]) for entry in entries] == [
        ({"id": "hf-fewshot/few_nerd", "task_id": "inter-5-way-1-shot-n_episodes-10-test"}, 50.0)
    ]
    card = ModelCard(online.storage.content("models/me/m", "README.md").decode())
    (result, *_) = card.data.eval_results
    assert (result.metric_type, result.metric_value, result.metric_args["n_runs"]) == ("f1", 50.0, 3)
    # 25 of 50 is the median of 30, 20 and 25.
    assert "the weights are those of `few_nerd_inter_n_way=5_shots=1_ProtoBERT_seed=2_" in card.text


def test_what_was_pushed_is_read_back_and_its_card_shows_code_that_works(hub, client, results):
    client("from hf_fewshot.hub import push_run; push_run('results', 'me/m')")
    done = client(
        "import json, re\n"
        "from huggingface_hub import ModelCard, snapshot_download\n"
        "from hf_fewshot import FewShotModel\n"
        "from hf_fewshot.runs.folder import read_records\n"
        "card = ModelCard.load('me/m')\n"
        "exec(re.search('```python\\n(.*?)```', card.text, re.S)[1].replace('print(', 'answer = ('))\n"
        "records = read_records(snapshot_download('me/m'))\n"
        "print(json.dumps([FewShotModel.from_pretrained('me/m').config.method, answer,"
        " [record.score for record in records], card.data.pipeline_tag, card.data.base_model]))"
    )
    method, answer, scores, tag, base = last_line(done)
    assert method == "proto"
    assert len(answer) == 1
    assert {entity["type"] for entity in answer[0]} <= {"person", "place"}
    assert scores == [0.6, 0.4, 0.5]
    assert (tag, base) == ("token-classification", "bert-base-uncased")


def test_a_dry_run_shows_files_sizes_and_card_without_the_network(results, tagger, caplog):
    # HF_HUB_OFFLINE is set in all tests.
    with caplog.at_level(logging.INFO, "hf_fewshot"):
        plan = push_run(results, "me/m", dry_run=True)
    assert plan.url is None
    assert plan.sizes["model.safetensors"] == (tagger / "model.safetensors").stat().st_size
    assert str(plan).startswith("Would upload to model me/m (private, ")
    assert f"{plan.sizes['README.md']:>14,} README.md" in caplog.text
    assert "## How to use" in plan.card
    assert "## How to use" in caplog.text


def test_texts_of_the_benchmark_stay_here(results):
    plan = push_run(results, "me/m", dry_run=True)
    assert not [path for path in plan.sizes if "browse" in path or "predictions" in path]


def test_a_second_push_replaces_what_the_first_one_wrote_and_removes_what_is_gone(online, results):
    push_run(results, "me/m")
    (gone,) = [path for path in results.iterdir() if "seed=1" in path.name]
    shutil.rmtree(gone)
    done = push_run(results, "me/m")
    assert f"records/{gone.name}/record.json" not in online.storage.files("models/me/m")
    assert done.removed == (f"records/{gone.name}/record.json",)
    assert f"       removed records/{gone.name}/record.json" in str(done)
    assert len(online.storage.repo("models/me/m")["commits"]) == 3


def test_pushing_the_same_again_changes_nothing(online, results):
    push_run(results, "me/m")
    push_run(results, "me/m")
    assert len(online.storage.repo("models/me/m")["commits"]) == 2
    assert len(online.asked("^/upload/")) == 1


def test_files_of_others_are_all_named_and_not_replaced_unless_asked_for(online, results):
    online.storage.create("models/me/m", private=True)
    for path in ("README.md", "config.json", "notes.txt"):
        online.storage.put("models/me/m", path, "mine")
    with pytest.raises(
        HubError, match=r"not written by hf_fewshot, or were changed since: README\.md, config\.json\. Give"
    ):
        push_run(results, "me/m")
    assert online.storage.content("models/me/m", "README.md") == b"mine"
    push_run(results, "me/m", overwrite=True)
    assert online.storage.content("models/me/m", "README.md").startswith(b"---\n")
    assert online.storage.content("models/me/m", "notes.txt") == b"mine"


def test_a_card_that_somebody_edited_is_not_replaced(online, results):
    push_run(results, "me/m")
    online.storage.put("models/me/m", "README.md", "edited")
    with pytest.raises(HubError, match=r"were changed since: README\.md\. Give overwrite=True"):
        push_run(results, "me/m")


def test_a_private_push_does_not_go_to_a_public_repository(online, results):
    online.storage.create("models/me/m", private=False)
    with pytest.raises(HubError, match=r"^me/m is there and is public, but a private push was asked for\."):
        push_run(results, "me/m")
    push_run(results, "me/m", private=False)
    assert "README.md" in online.storage.files("models/me/m")


def test_a_private_repository_stays_private(online, results, caplog):
    online.storage.create("models/me/m", private=True)
    push_run(results, "me/m", private=False)
    assert online.storage.repo("models/me/m")["private"] is True
    assert "me/m is private and stays so" in caplog.text


def test_a_public_repository_is_made_where_asked_for(online, results):
    push_run(results, "me/m", private=False)
    assert online.storage.repo("models/me/m")["private"] is False


def test_models_of_different_settings_need_a_choice(tmp_path, results, tagger):
    other = write_run(results, record(data={"shots": 5}), tagger)
    with pytest.raises(
        ValueError, match=r"models of different methods or settings: .*shots=5.*name its run with model="
    ):
        push_run(results, "me/m", dry_run=True)
    assert other.name in push_run(results, "me/m", dry_run=True, model=other).card
    with pytest.raises(ValueError, match=r"^model='elsewhere', but it must be one of .*shots=5"):
        push_run(results, "me/m", dry_run=True, model="elsewhere")


def test_runs_without_a_model_have_a_card_that_says_so(tmp_path):
    place = write_run(tmp_path, record())
    plan = push_run(place, "me/m", dry_run=True)
    assert "There is no model here: the runs used bert-base-uncased as it is." in plan.card
    assert sorted(plan.sizes) == [
        ".eval_results/few_nerd.yaml",
        ".hf_fewshot.json",
        "README.md",
        f"records/{place.name}/record.json",
    ]


def test_models_in_parts_have_folders_of_their_own(tmp_path, tagger):
    place = write_run(tmp_path, record())
    for part in ("intent", "slots"):
        shutil.copytree(tagger, place / f"model-{part}")
    plan = push_run(place, "me/m", dry_run=True)
    assert {"intent/config.json", "slots/model.safetensors"} <= set(plan.sizes)
    assert 'slots = FewShotModel.from_pretrained("me/m", subfolder="slots")' in plan.card


def linked(results, tagger):
    """The folder of a run whose model is a link, as `hf-fewshot run` makes it."""
    place = write_run(results, record())
    shutil.copytree(tagger, results / "models" / "kept")
    (place / "model").symlink_to("../models/kept", target_is_directory=True)
    return place


def test_a_model_that_the_results_keep_is_found_behind_its_link(tmp_path, tagger):
    place = linked(tmp_path / "results", tagger)
    assert "model.safetensors" in push_run(place, "me/m", dry_run=True).sizes
    earlier = tmp_path / "results" / "earlier" / place.name
    shutil.copytree(place, earlier, symlinks=True)
    (earlier / "model").unlink()
    (earlier / "model").symlink_to("../../models/kept")
    assert "model.safetensors" in push_run(earlier, "me/m", dry_run=True).sizes


def test_a_model_that_is_a_link_to_elsewhere_is_not_uploaded(tmp_path, tagger):
    place = linked(tmp_path / "results", tagger)
    shutil.move(tmp_path / "results" / "models", tmp_path / "elsewhere")
    (place / "model").unlink()
    (place / "model").symlink_to(tmp_path / "elsewhere" / "kept")
    with pytest.raises(
        ValueError, match=r"model is a link to .*elsewhere/kept, which is not in .*results/models: noth"
    ):
        push_run(place, "me/m", dry_run=True)


def test_links_hidden_files_and_pickles_of_a_model_are_left_out_and_listed(tmp_path, tagger):
    place = linked(tmp_path / "results", tagger)
    model = tmp_path / "results" / "models" / "kept"
    (model / "shadow").symlink_to("/etc/hostname")
    (model / ".env").write_text("PASSWORD=1")
    (model / "training_args.bin").write_bytes(b"x")
    plan = push_run(place, "me/m", dry_run=True)
    assert plan.left_out == {".env": "hidden", "shadow": "a link", "training_args.bin": "a pickle"}
    assert not {"shadow", ".env", "training_args.bin"} & set(plan.sizes)


def test_a_record_that_is_a_link_is_not_uploaded(tmp_path):
    place = write_run(tmp_path, record())
    (place / "record.json").rename(tmp_path / "other.json")
    (place / "record.json").symlink_to(tmp_path / "other.json")
    with pytest.raises(ValueError, match=r"^record\.json is a link in .*: nothing is uploaded\. Put the file itself"):
        push_run(place, "me/m", dry_run=True)


def test_nothing_is_uploaded_beside_a_record_that_lies(results):
    path = next(results.glob("*seed=1*/record.json"))
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"scores": {"f1": 0.97}}))
    with pytest.raises(
        ValueError, match=r"(?s)^Nothing is uploaded .*seed=1.* says 97\.00 %, but its units say 40\.00 %"
    ):
        push_run(results, "me/m", dry_run=True)


@pytest.mark.parametrize("field", ["command", "options", "model"])
def test_a_record_with_a_password_in_it_is_not_uploaded(field, results):
    path = next(results.glob("*seed=1*/record.json"))
    content = json.loads(path.read_text())
    address = "http://me:swordfish@localhost/v1"
    run = {"options": {"endpoint": address}, "model": address}
    changes = {"command": f"run -o endpoint={address}"} if field == "command" else {}
    changes |= {"run": content["run"] | {field: run[field]}} if field in run else {}
    path.write_text(json.dumps(content | changes))
    with pytest.raises(
        ValueError, match=r"^A token, key or password stands in records/.*/record\.json: nothing"
    ) as caught:
        push_run(results, "me/m", dry_run=True, model=results / next(p.name for p in results.iterdir()))
    assert "swordfish" not in str(caught.value)


@pytest.mark.parametrize("config", ["inter", None])
def test_runs_of_an_unknown_benchmark_are_refused_with_a_suggestion(config, tmp_path):
    place = write_run(tmp_path, record(benchmark="few_nert", config=config))
    with pytest.raises(ValueError, match=r"^Unknown benchmark 'few_nert'\. Did you mean 'few_nerd'\?$"):
        push_run(place, "me/m", dry_run=True)


@pytest.mark.parametrize("content", ["{", "[]", '{"a": 1, "a": 2}'])
def test_a_damaged_configuration_is_named(content, tmp_path, tagger):
    place = write_run(tmp_path, record(), tagger)
    (place / "model" / "config.json").write_text(content)
    with pytest.raises(ValueError, match=r"model/config\.json(:| is damaged)"):
        push_run(place, "me/m", dry_run=True)


@pytest.mark.parametrize(
    ("repo", "message"),
    [("m", r"^Expected a repository such as 'user/m', got 'm'\.$"), ("me/a b", "Repo id must use alphanumeric")],
)
def test_a_repository_has_a_user_and_a_name(repo, message, results):
    with pytest.raises(ValueError, match=message):
        push_run(results, repo, dry_run=True)


def test_a_folder_without_records_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"holds no record\.json\. Give the folder of a run"):
        push_run(tmp_path, "me/m", dry_run=True)


def test_an_adapter_is_pushed_with_the_name_of_its_model_and_its_card_loads_it(hub, client, tmp_path):
    language_model = write_llama(tmp_path / "tiny-llama")
    adapter = tmp_path / "adapter"
    save_adapter(with_adapter(tiny_causal_lm("llama"), Lora(rank=2), seed=0), adapter, str(language_model))
    byte_tokenizer().save_pretrained(adapter)
    write_run(tmp_path / "results", record(method="lm_tuning", model=str(language_model)), adapter)
    done = client(
        "import json, re\n"
        "from huggingface_hub import ModelCard\n"
        "from hf_fewshot.hub import push_run\n"
        "push_run('results', 'me/m')\n"
        "card = ModelCard.load('me/m')\n"
        "exec(re.search('```python\\n(.*?)```', card.text, re.S)[1])\n"
        "print(json.dumps([type(model).__name__, len(tokenizer), card.data.library_name, card.text]))"
    )
    kind, size, library, text = last_line(done)
    assert (kind, size, library) == ("LlamaForCausalLM", len(byte_tokenizer()), "peft")
    assert str(tmp_path) not in text
    stored = json.loads(hub.storage.content("models/me/m", "adapter_config.json"))
    assert stored["base_model_name_or_path"] == "tiny-llama"
    assert "adapter_model.safetensors" in hub.storage.files("models/me/m")
