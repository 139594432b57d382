import pytest

from hf_fewshot.tables.pairs import shown_p
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table

# Ten episodes: the better system is ahead in each of them, a little more in every other.
BEST = {str(number): (16 + number % 2, 20) for number in range(10)}
WORSE = {str(number): (8, 20) for number in range(10)}
# Ahead in half of them, behind in the other half.
TIED = {str(number): (19 if number % 2 else 13, 20) for number in range(10)}


def standings(*records):
    (setting,) = settings(records)
    return table(setting).comparisons.standings


def test_what_cannot_be_told_apart_from_the_best_is_tied(make_record):
    records = [make_record("Worse", 0.4, units=WORSE), make_record("Best", 0.825, units=BEST)]
    assert standings(*records, make_record("Tied", 0.8, units=TIED)) == {"Best": "best", "Worse": "", "Tied": "tied"}


def test_what_was_not_run_with_the_same_seeds_is_unknown(make_record):
    several = [make_record("A", 0.5, seed=seed, training={"max_steps": 1}) for seed in (0, 1)]
    assert standings(*several, make_record("B", 0.4)) == {"A": "best", "B": "unknown"}


def test_a_difference_that_is_the_same_in_all_episodes_says_nothing_of_others(make_record):
    alike = [
        make_record("A", 0.5, units={"0": (1, 2), "1": (1, 2)}),
        make_record("B", 0, units={"0": (0, 2), "1": (0, 2)}),
    ]
    assert standings(*alike) == {"A": "best", "B": "unknown"}
    assert standings(alike[0], make_record("C", 0.5, units={"0": (1, 2), "1": (1, 2)})) == {"A": "best", "C": "tied"}


def test_one_system_alone_is_not_the_best_of_any(make_record):
    assert standings(make_record("A")) == {}


@pytest.mark.parametrize(("value", "text"), [(None, ""), (0.0004, "< 0.001"), (0.0312, "0.031")])
def test_p_values_have_three_places(value, text):
    assert shown_p(value) == text
