import pytest

from hf_fewshot.in_context.vote import vote
from hf_fewshot.tasks.parsed import Parsed

HOME, JOB, LOOSE_JOB, NONE = Parsed("home"), Parsed("job"), Parsed("job", loose=True), Parsed("?", parsed=False)


@pytest.mark.parametrize(
    ("drawn", "winner"),
    [
        ([HOME, JOB, JOB], JOB),
        ([HOME, LOOSE_JOB, JOB], LOOSE_JOB),
        ([JOB, HOME, HOME, JOB], JOB),
        ([NONE, NONE, HOME], HOME),
        ([NONE, NONE], NONE),
        ([HOME], HOME),
    ],
)
def test_the_most_frequent_prediction_wins_and_what_cannot_be_read_does_not_vote(drawn, winner):
    assert vote(drawn) is winner


def test_frames_and_lists_vote_as_a_whole():
    frames = [Parsed({"intent": "a", "slot_tags": tags}) for tags in (["O"], ["B-x"], ["B-x"])]
    assert vote(frames) is frames[1]
    # The order of keys does not matter.
    same = [Parsed({"intent": "a", "slot_tags": []}), Parsed(["b"]), Parsed({"slot_tags": [], "intent": "a"})]
    assert vote(same) is same[0]
