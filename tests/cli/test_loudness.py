import logging

import pytest

from hf_fewshot.cli import list_command, main


@pytest.fixture
def warns(monkeypatch):
    """`hf-fewshot list` logs a step and a warning."""

    def run(options):
        logging.getLogger("hf_fewshot.systems").info("reading")
        logging.getLogger("hf_fewshot").warning("episodes are sampled")

    monkeypatch.setattr(list_command, "run", run)
    monkeypatch.setenv("TQDM_DISABLE", "")
    monkeypatch.setenv("HF_DATASETS_DISABLE_PROGRESS_BARS", "")
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "")
    monkeypatch.setenv("TRANSFORMERS_VERBOSITY", "")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["list"], ["episodes are sampled"]),
        (["list", "--quiet"], []),
        (["-q", "list"], []),
        (["list", "-v"], ["reading", "episodes are sampled"]),
        (["--verbose", "list"], ["reading", "episodes are sampled"]),
    ],
)
def test_what_is_said_beside_results(warns, typed, said, caplog):
    assert main(typed) == 0
    assert [record.message for record in caplog.records] == said
    assert logging.getLogger("hf_fewshot").level == logging.NOTSET


def test_quiet_turns_the_bars_of_libraries_off(warns, monkeypatch):
    import os

    assert main(["list", "--quiet"]) == 0
    assert (os.environ["TQDM_DISABLE"], os.environ["HF_HUB_DISABLE_PROGRESS_BARS"]) == ("1", "1")


def test_more_and_less_exclude_each_other(capsys):
    assert main(["-q", "list", "-v"]) == 2
    assert "--quiet and --verbose exclude each other" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["list", "-q", "-v"])
