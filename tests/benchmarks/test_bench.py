"""`make bench`: what it needs, and that nothing stops the rest."""

import os
import re
import signal

import pytest

SCRIPTS = {
    "good.py": "print('measured')",
    "bad.py": "raise SystemExit(3)",
    "slow.py": "import time\ntime.sleep(600)",
    "page.py": "open('pages', 'a').write('page ')",
}
# Asks the one that started it to end, and would go on.
ASKS = """
import os, signal, time
from pathlib import Path
Path("pid").write_text(str(os.getpid()))
os.kill(os.getppid(), signal.SIGTERM)
time.sleep(600)
"""


@pytest.fixture
def bench(project, monkeypatch):
    monkeypatch.syspath_prepend(str(project / "benchmarks"))
    import bench

    return bench


@pytest.fixture
def own(bench, tmp_path, monkeypatch):
    """Benchmarks of the tests, in a folder of their own."""
    for name, text in SCRIPTS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench, "FOLDER", tmp_path)
    monkeypatch.setattr(bench, "SECONDS", 20)
    chosen = {
        "bad": bench.Benchmark("bad.py"),
        "lacking": bench.Benchmark("good.py", (), ("no_such_package",)),
        "long": bench.Benchmark("good.py", is_long=True),
        "good": bench.Benchmark("good.py"),
    }
    monkeypatch.setattr(bench, "BENCHMARKS", chosen)
    return bench


def run(bench, monkeypatch, *names):
    monkeypatch.setattr("sys.argv", ["bench.py", *names])
    bench.main()


def test_one_that_fails_stops_no_other_and_the_page_is_made_after_each(own, tmp_path, monkeypatch, capfd):
    with pytest.raises(SystemExit, match="1"):
        run(own, monkeypatch)
    printed = capfd.readouterr().out
    assert "bad: FAILED with exit code 3 after " in printed
    assert "lacking: skipped: no package no_such_package (docs/performance.md says how to install it)\n" in printed
    assert 'long: left out, it takes about an hour: make bench ARGS="long"\n' in printed
    assert "measured\n" in printed
    assert re.search(r"\ngood: done after \d+ s, \d+ s of CPU\n", printed)
    assert (tmp_path / "pages").read_text() == "page page "


def test_a_page_that_cannot_be_made_stops_nothing(own, tmp_path, monkeypatch, capfd):
    (tmp_path / "page.py").write_text("raise SystemExit(1)")
    with pytest.raises(SystemExit, match="1"):
        run(own, monkeypatch, "good", "long")
    printed = capfd.readouterr().out
    assert "page: FAILED after good\n" in printed
    assert "\ngood: done after " in printed


def test_a_long_one_is_run_by_its_name(own, monkeypatch, capfd):
    run(own, monkeypatch, "long")
    printed = capfd.readouterr().out
    assert "long: done after" in printed
    assert "good" not in printed


def test_one_that_takes_too_long_is_ended(own, monkeypatch):
    monkeypatch.setattr(own, "SECONDS", 0.5)
    assert own.run(own.Benchmark("slow.py")).startswith("FAILED: ended after ")


def test_who_is_asked_to_end_takes_along_what_it_started(own, tmp_path, monkeypatch):
    (tmp_path / "asks.py").write_text(ASKS)
    monkeypatch.setattr(own, "BENCHMARKS", {"asks": own.Benchmark("asks.py")})
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit, match="FAILED: ended"):
            run(own, monkeypatch)
    finally:
        signal.signal(signal.SIGTERM, before)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_name_that_is_none_is_refused(own, monkeypatch, capfd):
    with pytest.raises(SystemExit, match="2"):
        run(own, monkeypatch, "goood")
    assert "unknown benchmark goood; there are bad, lacking, long, good" in capfd.readouterr().err


def test_what_a_benchmark_lacks_is_named(bench, project, tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "DATA", tmp_path)
    (tmp_path / "here").mkdir()
    asked = bench.Benchmark("x.py", ("--data", "{here}", "--more", "{there}"), ("json", "no_such_package"))
    assert asked.missing() == [
        "package no_such_package (docs/performance.md says how to install it)",
        f"folder {tmp_path / 'there'} (HF_FEWSHOT_SHARED_DATA)",
    ]
    assert asked.command[-4:] == ["--data", str(tmp_path / "here"), "--more", str(tmp_path / "there")]
    assert all((project / "benchmarks" / one.script).is_file() for one in bench.BENCHMARKS.values())
