"""The page of a model as a Space: what arrives, and that it starts and answers as it stands there."""

import importlib.metadata
import os
import re
import subprocess
import sys
import time
import zipfile

import pytest
from gradio_client import Client
from huggingface_hub import ModelCard

from hf_fewshot.cli import main
from hf_fewshot.demo.space import push_demo
from hf_fewshot.hub import HubError
from hf_fewshot.launching.package_source import PackageSource
from tests.processes import free_port
from tests.small_learners import TEXTS, learner

# The client itself uploads large files in a way that its HTTP library has outgrown.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")

RELEASE = PackageSource.read("hf_fewshot==0.2.0")
METADATA = """\
Metadata-Version: 2.4
Name: hf_fewshot
Version: 1.2
Requires-Dist: numpy>=2
Requires-Dist: gradio<7,>=6; extra == "spaces"
Requires-Dist: peft>=0.21; extra == "tuning"
"""


@pytest.fixture
def wheel(tmp_path):
    """What a wheel holds that a Space reads, with a page that only says what it was given."""
    path = tmp_path / "hf_fewshot-1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hf_fewshot/__init__.py", "")
        archive.writestr("hf_fewshot/demo/__init__.py", "")
        code = "import hf_fewshot\ndef serve_space(model, title):\n    print(hf_fewshot.__file__, model, title)\n"
        archive.writestr("hf_fewshot/demo/server.py", code)
        archive.writestr("hf_fewshot-1.2.dist-info/METADATA", METADATA)
    return PackageSource.read(str(path))


@pytest.fixture
def saved(bert, tmp_path):
    """The folder of a learner."""
    learner(bert).fit(TEXTS).save_pretrained(tmp_path / "my-intents")
    return tmp_path / "my-intents"


def content(hub, name):
    return hub.storage.content("spaces/me/page", name).decode()


def test_a_space_of_a_pushed_model_names_it(online, bert):
    learner(bert).fit(TEXTS).push_to_hub("me/intents")
    push = push_demo("me/intents", "me/page", package=RELEASE, license="mit")
    assert str(push).startswith("Uploaded to ")
    assert online.storage.repo("spaces/me/page")["sdk"] == "gradio"
    assert {"app.py", "requirements.txt", "README.md"} <= set(online.storage.files("spaces/me/page"))
    assert content(online, "requirements.txt") == "hf_fewshot[spaces]==0.2.0\n"
    assert 'MODEL = "me/intents"' in content(online, "app.py")
    assert 'serve_space(MODEL, title="intents")' in content(online, "app.py")
    card = ModelCard(content(online, "README.md"))
    assert card.data.to_dict() == {
        "title": "Try intents",
        "emoji": "💬",
        "colorFrom": "blue",
        "colorTo": "green",
        "sdk": "gradio",
        "sdk_version": importlib.metadata.version("gradio"),
        "python_version": "3.12",
        "app_file": "app.py",
        "pinned": False,
        "license": "mit",
        "models": ["me/intents"],
        "tags": ["few-shot", "hf_fewshot"],
    }
    assert push_demo("me/intents", "me/page", package=RELEASE).removed == ()


def test_a_space_of_a_model_that_is_not_there_is_not_made(online):
    with pytest.raises(HubError, match=r"^The Hub has no me/nothing that this token may see"):
        push_demo("me/nothing", "me/page", package=RELEASE)
    assert not online.storage.exists("spaces/me/page")


def test_an_embedded_model_is_taken_from_where_it_comes_from():
    push = push_demo("all-MiniLM-L6-v2", "me/page", package=RELEASE, dry_run=True)
    assert "sentence-transformers/all-MiniLM-L6-v2" in push.card
    assert sorted(push.sizes) == [".hf_fewshot.json", "README.md", "app.py", "requirements.txt"]


def test_a_folder_becomes_part_of_the_space_but_for_pickles_and_links(saved, tmp_path):
    (saved / "training_args.bin").write_bytes(b"pickle")
    (saved / "README.md").write_text("the model's card")
    (saved / "link.json").symlink_to(tmp_path)
    push = push_demo(saved, "me/page", package=RELEASE, dry_run=True)
    assert {"model/config.json", "model/learner.json", "model/examples.jsonl"} <= set(push.sizes)
    assert "model/README.md" not in push.sizes
    assert dict(push.left_out) == {"model/link.json": "a link", "model/training_args.bin": "a pickle"}
    assert push.card.startswith("---\ntitle: Try my-intents\n")


def test_a_wheel_comes_with_what_it_requires_and_is_unpacked_by_the_app(online, wheel, saved, tmp_path):
    push_demo(saved, "me/page", package=wheel)
    assert content(online, "requirements.txt") == "numpy>=2\ngradio<7,>=6\n"
    space = tmp_path / "space"
    for name in ("app.py", wheel.place):
        space.mkdir(exist_ok=True)
        (space / name).write_bytes(online.storage.content("spaces/me/page", name))
    done = subprocess.run([sys.executable, space / "app.py"], cwd=space, capture_output=True, text=True, check=True)
    package, model, title = done.stdout.split()
    assert not package.startswith(str(space))
    assert (model, title) == (str(space / "model"), "my-intents")


def test_a_pushed_space_starts_as_it_stands_and_answers(online, saved, tmp_path, project):
    push_demo(saved, "me/page", package=RELEASE)
    space = tmp_path / "space"
    for name in online.storage.files("spaces/me/page"):
        (space / name).parent.mkdir(parents=True, exist_ok=True)
        (space / name).write_bytes(online.storage.content("spaces/me/page", name))
    port = free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_SERVER_NAME": "127.0.0.1",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(project),
    }
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen([sys.executable, "app.py"], cwd=space, env=environment, stdout=log, stderr=log)
    try:
        config = client_of(f"http://127.0.0.1:{port}", process, tmp_path / "log").config
    finally:
        process.terminate()
        process.wait(30)
    assert config["title"] == "Try my-intents"
    shown = [str(one["props"].get("value")) for one in config["components"]]
    assert any("# home\nanna lives in paris\ntom lives in rome\n" in one for one in shown)
    assert any(re.search(r'class="said"><span class="class c\d">(home|job)<', one) for one in shown)


def client_of(url, process, log):
    """The client of a page, when it answers."""
    for _ in range(1200):
        assert process.poll() is None, log.read_text()
        try:
            return Client(url, verbose=False)
        except Exception:  # noqa: BLE001 - it does not listen yet
            time.sleep(0.25)
    raise TimeoutError(log.read_text())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "b", "--demo"], "--demo takes one model, a folder or its id on the Hub, got 2."),
        (["a", "--demo", "--leaderboard"], "--leaderboard and --demo exclude each other. Give one."),
        (["a", "--package", "hf_fewshot==1"], "--package hf_fewshot==1 is of --demo, which is not given."),
        (["all-MiniLM-L6-v3", "--demo", "--package", "hf_fewshot==1"], "Did you mean 'all-MiniLM-L6-v2'?"),
        (["a", "--demo", "--create-pr"], "--create-pr proposes results alone, but --demo was given."),
    ],
)
def test_the_command_line_says_what_a_demo_takes(words, message, capsys):
    assert main(["push", "--repo", "me/page", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_run_is_pushed_with_its_model(tmp_path, saved, capsys):
    (tmp_path / "run").mkdir()
    saved.rename(tmp_path / "run" / "model")
    words = [
        "push",
        str(tmp_path / "run"),
        "--demo",
        "--repo",
        "me/page",
        "--dry-run",
        "--package",
        "hf_fewshot==0.2.0",
    ]
    assert main(words) == 0
    assert "title: Try run\n" in capsys.readouterr().out
