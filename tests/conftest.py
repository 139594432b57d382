"""Fixtures for all tests: private caches, published data where it is at hand, servers, processes, tiny models.

Tiny models and episodes are made once for all tests, which only read them. What makes them is imported where it is
needed: most of its time goes into the libraries of models, which many tests do without.
"""

import gc
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.chat_server import ChatServer
from tests.folder_server import FolderServer
from tests.processes import start_script
from tests.small_disk import mounted_disk

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import EpisodeSet

# A busy machine is no reason to fail.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# Before datasets or evaluate is imported: they read their cache folders once, at import.
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="hf_fewshot_tests_")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
# Before torch is imported: with tiny models, threads that wait for one another take several times the work itself.
os.environ.setdefault("OMP_NUM_THREADS", "1")

PROJECT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published raw files, which are not part of the project."""
    folder = Path(os.environ.get("HF_FEWSHOT_SHARED_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no published data at {folder}; set HF_FEWSHOT_SHARED_DATA to its folder")
    return folder


@pytest.fixture
def http_folder() -> Iterator[Callable[..., FolderServer]]:
    """A function that serves a folder over HTTP until the test ends: `http_folder(tmp_path, cut=10, cuts=1).url`."""
    servers: list[FolderServer] = []

    def serve(folder: Path, **options: Any) -> FolderServer:
        servers.append(FolderServer(folder, **options))
        return servers[-1]

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def chat_server() -> Iterator[Callable[..., ChatServer]]:
    """A function that starts an endpoint: `chat_server(lambda messages: "good")`."""
    servers: list[ChatServer] = []

    def start(reply: Callable[[list[dict[str, str]]], Any]) -> ChatServer:
        servers.append(ChatServer(reply))
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A disk of 1 MB."""
    with mounted_disk(tmp_path / "disk") as folder:
        yield folder


@pytest.fixture
def start(request, tmp_path, project) -> Callable[..., subprocess.Popen]:
    """Starts a script beside the test, in the folder of the test: `start("predict_script.py", "a", processes=2)`."""

    def start(script: str | Path, *arguments: object, **options: Any) -> subprocess.Popen:
        return start_script(request.path.parent / script, *arguments, folder=tmp_path, project=project, **options)

    return start


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Chromium that keeps the messages of its console and of its network."""
    if not (CHROMIUM and CHROMEDRIVER):
        pytest.skip("chromium and chromedriver are not installed")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    folder = tmp_path_factory.mktemp("chromium")
    flags = "headless no-sandbox disable-gpu no-first-run disable-background-networking disable-component-update"
    for flag in [*flags.split(), "disable-sync", "window-size=1280,1400", f"user-data-dir={folder}"]:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(CHROMEDRIVER, log_output=os.devnull)
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def bert(tmp_path_factory) -> Path:
    """An uncased BERT with [unused1] to [unused4]."""
    from tests.tiny_models import write_bert

    return write_bert(tmp_path_factory.mktemp("encoders") / "bert")


@pytest.fixture(scope="session")
def roberta(tmp_path_factory) -> Path:
    """A RoBERTa with a byte-level vocabulary, which has no tokens in reserve."""
    from tests.tiny_models import write_roberta

    return write_roberta(tmp_path_factory.mktemp("encoders") / "roberta")


@pytest.fixture(scope="session")
def encoder(tmp_path_factory) -> Path:
    """A BERT with the commonest words of FewRel's sample data."""
    from tests.tiny_models import write_sample_bert

    return write_sample_bert(tmp_path_factory.mktemp("encoders") / "sample")


@pytest.fixture(scope="session")
def span_bert(tmp_path_factory) -> Path:
    """An uncased BERT that knows questions."""
    from tests.tiny_models import SPAN_WORDS, write_bert

    return write_bert(tmp_path_factory.mktemp("span_encoders") / "bert", SPAN_WORDS)


@pytest.fixture(scope="session")
def span_roberta(tmp_path_factory) -> Path:
    """A RoBERTa that knows questions."""
    from tests.tiny_models import SPAN_WORDS, write_roberta

    return write_roberta(tmp_path_factory.mktemp("span_encoders") / "roberta", SPAN_WORDS)


@pytest.fixture(scope="session")
def masked_bert(tmp_path_factory) -> Path:
    """An uncased BERT with its language-model head."""
    from tests.tiny_models import write_masked_bert

    return write_masked_bert(tmp_path_factory.mktemp("masked") / "bert")


@pytest.fixture(scope="session")
def masked_roberta(tmp_path_factory) -> Path:
    """A RoBERTa with its language-model head."""
    from tests.tiny_models import write_masked_roberta

    return write_masked_roberta(tmp_path_factory.mktemp("masked") / "roberta")


@pytest.fixture(scope="session")
def t5(tmp_path_factory) -> Path:
    """A T5."""
    from tests.tiny_models import write_t5

    return write_t5(tmp_path_factory.mktemp("t5"))


@pytest.fixture(scope="session")
def relation_episodes() -> "EpisodeSet":
    """Episodes of two and three relations, one and two shots; the last query of two of them has no class."""
    from tests import small_episodes

    return small_episodes.relation_episodes()


@pytest.fixture(scope="session")
def tagging_episodes() -> "EpisodeSet":
    """Episodes of one to three types."""
    from tests import small_episodes

    return small_episodes.tagging_episodes()


@pytest.fixture(scope="session")
def text_episodes() -> "EpisodeSet":
    """Text classification with two and three classes."""
    from tests import small_episodes

    return small_episodes.text_episodes()


@pytest.fixture(scope="session")
def joint_episodes() -> "EpisodeSet":
    """Episodes of one and two intents and one to three slots; some queries have labels that their episode has not."""
    from tests import small_episodes

    return small_episodes.joint_episodes()


def pytest_collection_finish(session):
    """What thousands of collected tests hold is never garbage: it need not be looked through again and again."""
    gc.collect()
    gc.freeze()
