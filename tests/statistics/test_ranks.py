import pytest

from hf_fewshot.statistics.ranks import Contender, Places, lead, places
from hf_fewshot.statistics.record_units import by_repeat
from hf_fewshot.statistics.summaries import summary

# Ten units that vary a lot, and the same with one more right in each.
RIGHT = [1, 8, 2, 7, 3, 6, 4, 5, 0, 9]
ABOVE = [one + 1 for one in RIGHT]


def contender(record):
    return Contender(by_repeat([record]), summary([record]))


def test_a_constant_lead_on_the_same_episodes_is_told_though_the_intervals_overlap(make_record):
    lower, higher = contender(make_record([*RIGHT, 5])), contender(make_record([*ABOVE, 5], system="B"))
    assert higher.summary.low < lower.summary.high
    found = lead(higher, lower)
    assert found.difference == pytest.approx(10 / 110)
    assert (found.is_paired, found.is_certain) == (True, True)
    assert places([lower, higher]) == [Places(2, 2), Places(1, 1)]


def test_the_same_scores_on_other_episodes_cannot_be_told_apart(make_record):
    lower = contender(make_record([*RIGHT, 5]))
    higher = contender(make_record([*ABOVE, 5], system="B", fingerprint="other"))
    found = lead(higher, lower)
    assert (found.is_paired, found.is_certain) == (False, False)
    assert places([lower, higher]) == [Places(1, 2), Places(1, 2)]


def test_the_unpaired_interval_is_worked_out_from_both(make_record):
    first = contender(make_record([8, 9] * 10))
    second = contender(make_record([2, 3] * 10, system="B", fingerprint="other"))
    one, other, found = first.summary, second.summary, lead(first, second)
    low = 0.6 - ((0.85 - one.low) ** 2 + (other.high - 0.25) ** 2) ** 0.5
    high = 0.6 + ((one.high - 0.85) ** 2 + (0.25 - other.low) ** 2) ** 0.5
    assert (found.difference, found.low, found.high) == pytest.approx((0.6, low, high))


def test_three_systems_of_which_two_cannot_be_told_apart(make_record):
    best = contender(make_record([9, 10] * 5))
    middle = contender(make_record(RIGHT, system="B"))
    shuffled = contender(make_record(RIGHT[::-1], system="C"))
    assert places([middle, best, shuffled]) == [Places(2, 3), Places(1, 1), Places(2, 3)]


@pytest.mark.parametrize("right", [[10] * 10, [5] * 10])
def test_nothing_is_certain_where_all_units_are_alike(make_record, right):
    one, other = contender(make_record(right)), contender(make_record([4] * 10, system="B"))
    assert lead(one, other).low is None
    assert places([one, other]) == [Places(1, 2), Places(1, 2)]
