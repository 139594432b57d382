from datetime import timedelta

import pytest
from huggingface_hub import JobHardwareInfo

from hf_fewshot.launching.prices import Hardware, cost_in_words, in_words, seconds_of
from tests.hub.jobs import HARDWARE

OFFERED = [JobHardwareInfo(**one) for one in HARDWARE]
T4 = Hardware("t4-small", "4 vCPU, 15 GB, 1 x Nvidia T4 16 GB", 0.6)


def test_hardware_has_a_price_an_hour():
    assert Hardware.chosen("t4-small", OFFERED) == T4
    assert Hardware.chosen("cpu-basic", OFFERED) == Hardware("cpu-basic", "2 vCPU, 16 GB", 0.012)
    hourly = JobHardwareInfo(**{**HARDWARE[0], "unitLabel": "hour"})
    assert Hardware.chosen("cpu-basic", [hourly]).hourly == 0.0002


def test_hardware_that_is_not_offered_is_refused():
    with pytest.raises(ValueError, match=r"Unknown flavor 't4-smal'\. Did you mean 't4-small'"):
        Hardware.chosen("t4-smal", OFFERED)
    weekly = JobHardwareInfo(**{**HARDWARE[0], "unitLabel": "week"})
    with pytest.raises(ValueError, match="The price of cpu-basic is said for a 'week', which"):
        Hardware.chosen("cpu-basic", [weekly])


def test_a_cost_is_what_finished_runs_took_and_at_most_all_timeouts():
    # 30 of 60 minutes at 0.60; 3 x 2 hours at 0.60.
    assert cost_in_words(T4, 7200, [600.0, None, 1200.0]) == (
        "Hardware: t4-small (4 vCPU, 15 GB, 1 x Nvidia T4 16 GB), 0.60 USD an hour.\n"
        "Estimate for 2 of 3 jobs: 30.0 minutes, 0.30 USD, if runs take as long as the finished ones of the same kind "
        "here did; to start a job comes on top.\n"
        "At most: 3.60 USD, 3 x 2h (--timeout) of t4-small.\n"
    )


def test_jobs_that_may_not_end_in_time_are_counted():
    text = cost_in_words(T4, 600, [601.0, 599.0])
    assert "Estimate: 20.0 minutes, 0.20 USD" in text
    assert text.endswith("1 of the jobs may take longer than their timeout: raise it, or put fewer runs into a job.\n")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("90s", timedelta(seconds=90)),
        ("30m", timedelta(minutes=30)),
        ("1.5h", timedelta(minutes=90)),
        ("2d", timedelta(days=2)),
    ],
)
def test_times_are_read(text, time):
    assert seconds_of(text) == time.total_seconds()


@pytest.mark.parametrize("text", ["", "2", "h", "-1h", "1 h", "0.1s", "1w", "2h30m"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError, match="expected a time such as 30m, 2h or 1d"):
        seconds_of(text)


def test_times_are_said_in_the_largest_unit_that_fits():
    assert [in_words(one) for one in (86400, 7200, 5400, 61)] == ["1d", "2h", "90m", "61s"]
