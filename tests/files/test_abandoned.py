"""What killed processes leave behind is removed; what a running one writes is not."""

import subprocess
import sys

import pytest

from hf_fewshot.files.abandoned import claimed, claimed_folder, remove_abandoned

HOLDS = """
import sys, time
from pathlib import Path
from hf_fewshot.files.abandoned import claimed
with claimed(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    """A process that holds the lock on the file `held`."""
    process = subprocess.Popen([sys.executable, "-c", HOLDS, tmp_path / "held"], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_file_is_abandoned_when_its_process_was_killed(tmp_path, holder):
    held = tmp_path / "held"
    remove_abandoned([held])
    assert held.exists()
    holder.kill()
    holder.wait()
    remove_abandoned([held])
    assert not held.exists()


def test_a_folder_belongs_to_whoever_holds_the_lock_beside_it(tmp_path):
    folder = tmp_path / ".encoding-a"
    with claimed_folder(folder):
        (folder / "vectors.npy").write_text("half")
        remove_abandoned(tmp_path.iterdir())
        assert (folder / "vectors.npy").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_whose_process_was_killed_is_removed_with_its_lock(tmp_path):
    (tmp_path / ".encoding-a").mkdir()
    (tmp_path / ".encoding-a" / "vectors.npy").write_text("half")
    (tmp_path / ".encoding-a.lock").touch()
    (tmp_path / ".encoding-b").mkdir()  # its process ended before it had a lock, or has no locks
    (tmp_path / ".encoding-c.lock").touch()  # its process ended before there was a folder
    remove_abandoned(list(tmp_path.iterdir()))
    assert list(tmp_path.iterdir()) == []


def test_what_is_gone_already_is_no_error(tmp_path):
    remove_abandoned([tmp_path / "gone"])


def test_a_claim_that_was_taken_for_abandoned_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    import fcntl

    path = tmp_path / "a"
    calls = []

    def overtaken(number, operation):
        if not calls:
            path.unlink()
        calls.append(operation)

    monkeypatch.setattr(fcntl, "flock", overtaken)
    with claimed(path):
        assert path.exists()
    assert calls == [fcntl.LOCK_EX, fcntl.LOCK_EX]
