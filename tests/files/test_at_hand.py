import pytest

from hf_fewshot.files.at_hand import NotAtHandError, may_fetch, nothing_fetched
from hf_fewshot.files.downloads import download
from hf_fewshot.files.hub_files import hub_files


def test_what_would_be_downloaded_is_an_error_while_nothing_is_fetched(tmp_path, http_folder):
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "a.txt").write_text("a")
    server = http_folder(tmp_path / "served")
    with nothing_fetched(), pytest.raises(NotAtHandError, match=f"^{server.url}/a.txt would have to be downloaded$"):
        download(f"{server.url}/a.txt", tmp_path / "cache")
    assert server.requests == []
    assert not (tmp_path / "cache").exists()
    file = download(f"{server.url}/a.txt", tmp_path / "cache")
    with nothing_fetched():
        assert download(f"{server.url}/a.txt", tmp_path / "cache") == file
    assert len(server.requests) == 1


def test_what_is_allowed_again_afterwards_is_allowed_after_an_error_too():
    assert may_fetch()
    with nothing_fetched():
        assert not may_fetch()
    with pytest.raises(ValueError, match="invalid literal"), nothing_fetched():
        int("x")
    assert may_fetch()


def test_files_of_the_hub_come_from_its_cache_alone(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://localhost:1")
    with (
        nothing_fetched(),
        pytest.raises(NotAtHandError, match=r"^the Hub dataset me/data would have to be downloaded$"),
    ):
        hub_files("me/data", "{split}*.parquet", ("train",))
