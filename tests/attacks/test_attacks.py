"""A short round of every attacker; `make attack` runs the long one."""

import sys

import pytest

from tests.attacks.arena import Arena
from tests.attacks.attacker import attack_round
from tests.attacks.attackers import ATTACKERS, attacker_class
from tests.attacks.small_disk import why_not
from tests.attacks.tables import failures

SEED = 0
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in /proc, which only Linux has"),
    # In the hands of users a warning is a line on the terminal, and so it is for attackers.
    pytest.mark.filterwarnings("default"),
]


@pytest.mark.parametrize("name", ATTACKERS)
def test_a_short_round_of_attacks_ends_well(name, tmp_path):
    if name == "full disk" and (reason := why_not(tmp_path)):
        pytest.skip(f"no small disk can be mounted: {reason}")
    attacker = attacker_class(name)(Arena(tmp_path))
    try:
        tally = attack_round(attacker, SEED, attacks=attacker.short)
    finally:
        attacker.close()
    assert not tally.failures, "\n".join([*failures({name: tally}, SEED), "", tally.told])
    assert sum(tally.ends.values()) == attacker.short


def test_the_page_on_reliability_names_every_attacker(project):
    rows = (project / "docs" / "reliability.md").read_text("utf-8").splitlines()
    named = [row.split("|")[1].strip() for row in rows if row.startswith("| ")]
    assert named[: len(ATTACKERS) + 2] == ["attacker", "---", *ATTACKERS]
