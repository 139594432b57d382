import io
import os
import sys

import pytest

from hf_fewshot.progress import OF_LIBRARIES, bar, is_watched, library_bars_for_watchers, stage, stages_told
from tests.terminal import Terminal


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    for name in (*OF_LIBRARIES, "LOCAL_RANK", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)


def shown_on(monkeypatch, file):
    """Makes a file the standard error; not in a fixture, after which pytest puts its own in place."""
    monkeypatch.setattr(sys, "stderr", file)
    return file


def test_a_terminal_is_watched_and_a_log_is_not(monkeypatch):
    shown_on(monkeypatch, Terminal())
    assert is_watched()
    shown_on(monkeypatch, io.StringIO())
    assert not is_watched()
    shown_on(monkeypatch, None)  # as pythonw has it
    assert not is_watched()


def test_a_notebook_is_watched(monkeypatch):
    shown_on(monkeypatch, io.StringIO())
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    assert is_watched()


@pytest.mark.parametrize(
    ("name", "value", "watched"),
    [("TQDM_DISABLE", "1", False), ("TQDM_DISABLE", "0", True), ("LOCAL_RANK", "1", False), ("LOCAL_RANK", "0", True)],
)
def test_bars_are_turned_off_and_shown_by_one_process(name, value, watched, monkeypatch):
    shown_on(monkeypatch, Terminal())
    monkeypatch.setenv(name, value)
    assert is_watched() is watched


def test_a_bar_is_as_wide_as_columns_says(monkeypatch):
    terminal = shown_on(monkeypatch, Terminal())
    monkeypatch.setenv("COLUMNS", "40")
    assert list(bar(range(3), desc="count")) == [0, 1, 2]
    last = terminal.getvalue().rstrip("\n").rpartition("\r")[2]
    assert last.startswith("count: 100%")
    assert len(last) == 40


def test_nothing_is_drawn_in_a_log_or_where_it_is_not_asked_for(monkeypatch):
    terminal = shown_on(monkeypatch, Terminal())
    assert list(bar(range(3), shown=False)) == [0, 1, 2]
    log = shown_on(monkeypatch, io.StringIO())
    assert list(bar(range(3))) == [0, 1, 2]
    assert terminal.getvalue() + log.getvalue() == ""


def test_stages_in_each_other_are_told_as_they_begin_and_end(monkeypatch):
    shown_on(monkeypatch, Terminal())
    heard = []
    with stages_told(heard.append), stage("reading"):
        with stage("loading"):
            pass
        list(bar([1]))
    with stage("unheard"):
        pass
    assert heard == ["reading", "loading", "reading", "", ""]


def test_libraries_that_are_imported_in_a_log_show_no_bars(monkeypatch):
    shown_on(monkeypatch, io.StringIO())
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "0")
    with library_bars_for_watchers():
        assert {name: os.environ[name] for name in OF_LIBRARIES} == dict.fromkeys(OF_LIBRARIES, "1")
    assert os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] == "0"
    assert "TQDM_DISABLE" not in os.environ


def test_libraries_show_their_bars_on_a_terminal(monkeypatch):
    shown_on(monkeypatch, Terminal())
    with library_bars_for_watchers():
        assert not set(OF_LIBRARIES) & set(os.environ)
