"""Every kind of bad end is seen: commands and functions that misbehave on purpose."""

import os
import signal
import sys
import time

import numpy as np
import pytest

from tests.attacks import arena as arena_module
from tests.attacks.arena import Arena
from tests.attacks.attacker import Attacker, attack_round
from tests.attacks.disturbance import MEMORY, Disturbance
from tests.attacks.forked import Forked
from tests.attacks.small_disk import mount, why_not
from tests.attacks.tables import bad_ends, counts, failures
from tests.attacks.true_records import falsehood
from tests.attacks.verdict import Call, End, Verdict, judge, worst

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in /proc, which only Linux has")


@pytest.fixture
def arena(tmp_path):
    return Arena(tmp_path)


def said(code, errors="", output=""):
    return judge(Call("hf-fewshot ['show']", code, output, errors)).end


def test_a_command_that_is_done_or_says_why_not_ends_well():
    assert said(0) is End.FINE
    assert said(2, "hf-fewshot: few.txt is no JSON. Delete it.\n") is End.SENTENCE
    assert said(2, "usage: hf-fewshot run [-h]\nhf-fewshot run: error: unrecognized arguments: x\n") is End.SENTENCE
    assert said(1, "hf-fewshot: this is no folder. Give one of `hf-fewshot run`.\n") is End.SENTENCE


@pytest.mark.parametrize(
    ("code", "errors"),
    [
        (2, ""),
        (1, "some library: warning\n"),
        (2, "hf-fewshot: \n"),
        (3, "hf-fewshot: this is a bug in hf_fewshot: KeyError: 'x'\n"),
        (1, "hf-fewshot: 1 of 2 runs failed: this is a bug in hf_fewshot\n"),
        (-7, "hf-fewshot: encoding the sentences\n"),
        (None, "hf-fewshot: encoding the sentences\n"),
        (2, "hf-fewshot: Expecting value: line 1 column 1 (char 0)\n"),
        (2, "hf-fewshot: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte\n"),
        (2, "hf-fewshot: 'NoneType' object is not iterable\n"),
        (0, "Traceback (most recent call last):\n  ...\n"),
    ],
)
def test_silence_bugs_and_odd_exit_codes_are_tracebacks(code, errors):
    assert said(code, errors) is End.TRACEBACK


@pytest.mark.parametrize("sent", ["\x1b[2J", "\x1b]0;x\x07", "\x9b2J", "\u202e", "\x00"])
def test_control_characters_that_are_printed_are_escapes(sent):
    assert said(0, output=f"Method {sent}") is End.ESCAPE
    assert said(2, f"hf-fewshot: {sent} is no method. Name another.") is End.ESCAPE


def test_an_error_of_a_command_is_a_traceback_with_its_place(arena, monkeypatch):
    def broken(words):
        raise KeyError(words[0])

    monkeypatch.setattr(arena_module, "main", broken)
    verdict = judge(arena.call("show"))
    assert verdict.end is End.TRACEBACK
    assert verdict.detail.startswith("KeyError: 'show' (")
    assert "in broken" in verdict.detail


def test_a_command_that_never_ends_is_a_hang(arena, monkeypatch):
    def endless(words):
        while True:
            try:
                time.sleep(0.01)
            except Exception:  # noqa: BLE001 - swallows all that it can
                continue

    monkeypatch.setattr(arena_module, "main", endless)
    assert judge(arena.call("show", seconds=0.1)).end is End.HANG


def test_a_command_that_takes_gigabytes_is_seen(arena, monkeypatch):
    def greedy(words):
        np.ones(1200 << 17)  # of eight bytes each
        return 0

    monkeypatch.setattr(arena_module, "main", greedy)
    verdict = judge(arena.call("show"))
    assert verdict.end is End.MEMORY
    assert 1150 <= verdict.peak >> 20 <= 1250


def test_memory_that_no_machine_has_is_an_error_and_not_the_end_of_the_machine(arena, monkeypatch):
    monkeypatch.setattr(arena_module, "main", lambda words: np.zeros(1 << 30).sum())
    assert judge(arena.call("show")).detail.startswith("MemoryError: Unable to allocate 8.00 GiB")


def test_what_is_written_outside_is_seen(arena):
    assert arena.escaped() == []
    (arena.outside / "x").write_text("")
    assert arena.escaped() == ["x"]
    arena.clear()
    assert arena.escaped() == []


def record(score, numerators, denominators):
    units = [str(number) for number in range(len(numerators))]
    return {
        "scores": {"f1": score},
        "measure": "f1",
        "units": units,
        "numerators": numerators,
        "denominators": denominators,
        "episodes": {"n_queries": len(units)},
    }


def test_a_score_that_does_not_follow_from_its_units_is_a_falsehood():
    assert falsehood(record(0.5, [1, 1], [2, 2])) == ""
    assert falsehood(record(0.6, [1, 1], [2, 2])) == "score 0.6, but its units give 0.5"
    assert falsehood(record(1.5, [3], [2])) == "score 1.5, but its units give 1.5"
    assert falsehood(record(0.0, [], [])) == "score 0.0 of nothing"


def test_the_first_bad_end_counts_and_the_largest_peak():
    fine, hang = Verdict(End.FINE, "a", peak=5), Verdict(End.HANG, "b", peak=3)
    assert worst(fine, hang, Verdict(End.ESCAPE, "c")) == Verdict(End.HANG, "b", peak=5)


class EveryThird(Attacker):
    """Fails at every third attack, each time with other numbers."""

    name = "every third"

    def attack(self, random, mutator):
        self.drawn = getattr(self, "drawn", [])
        self.drawn.append(random.random())
        if len(self.drawn) % 3:
            return Verdict(End.SENTENCE, peak=2 << 20)
        return Verdict(End.HANG, f"took {len(self.drawn)} seconds\nmore")


def test_a_round_counts_its_ends_and_says_how_to_repeat_them(arena):
    tallies = {"every third": attack_round(EveryThird(arena), 5, attacks=7)}
    assert counts(tallies).splitlines() == [
        "| attacker    | inputs | tracebacks | hangs | wrong numbers | escapes | too much memory | peak, MB |",
        "| ----------- | -----: | ---------: | ----: | ------------: | ------: | --------------: | -------: |",
        "| every third |      7 |          0 |     2 |             0 |       0 |               0 |        2 |",
        "| all         |      7 |          0 |     2 |             0 |       0 |               0 |        2 |",
    ]
    assert bad_ends(tallies) == 2
    assert list(failures(tallies, 5)) == [
        "\n2 x hang: 'took 3 seconds'",
        "  python -m tests.attacks --attacker 'every third' --seed 5 --number 2",
        "  and numbers 5",
    ]


def test_an_attack_depends_on_seed_and_number_alone(arena):
    attacker, other = EveryThird(arena), EveryThird(arena)
    attack_round(attacker, 5, attacks=3)
    other.numbered(5, 2)
    other.numbered(6, 2)
    assert other.drawn[0] == attacker.drawn[2]
    assert len({*attacker.drawn, *other.drawn}) == 4


def write_three(send, folder, disturbance):
    disturbance.begin()
    for number in range(3):
        try:
            (folder / f"{number}.txt").write_text("x")
        except (OSError, MemoryError) as error:
            send(f"{type(error).__name__} {number}")
    send("done")


@pytest.mark.parametrize(
    ("disturbance", "expected"),
    [
        ({}, ["done"]),
        ({"at": 1, "what": "ENOSPC"}, ["OSError 1", "done"]),
        ({"at": 1, "what": "EACCES", "lasts": True}, ["PermissionError 1", "PermissionError 2", "done"]),
        ({"at": 2, "what": MEMORY}, ["MemoryError 2", "done"]),
        ({"at": 1}, []),
    ],
)
def test_a_disturbance_strikes_at_its_operation(tmp_path, disturbance, expected):
    with Forked(write_three, tmp_path, Disturbance(tmp_path, **disturbance)) as forked:
        assert [message for _ in range(4) if (message := forked.received(60)) is not None] == expected
        forked.wait(60)
        assert forked.exit_code == (0 if expected else -signal.SIGKILL)


def fill(send, folder, size):
    mount(folder, size)
    try:
        (folder / "x").write_bytes(bytes(3 * size))
    except OSError as error:
        send(os.strerror(error.errno))


def test_a_small_disk_is_full_soon_and_seen_by_one_process_only(tmp_path):
    if reason := why_not(tmp_path):
        pytest.skip(f"no small disk can be mounted: {reason}")
    with Forked(fill, tmp_path, 1 << 16) as forked:
        assert forked.received(60) == "No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_what_libraries_write_past_python_is_seen_too(arena, monkeypatch):
    monkeypatch.setattr(arena_module, "main", lambda words: os.write(1, b"a\x1b[2J") and 0)
    assert judge(arena.call("show")).end is End.ESCAPE
