"""What most of several drawn answers say."""

import json
from collections import Counter
from collections.abc import Sequence

from hf_fewshot.tasks.parsed import Parsed


def vote(drawn: Sequence[Parsed]) -> Parsed:
    """The answer whose prediction is most frequent (Wang et al. 2023, "Self-Consistency"); of equals, the first drawn.

    Answers that cannot be read do not vote; where none can, the first of them stands for all.
    """
    readable = [one for one in drawn if one.parsed] or list(drawn)
    ballots = [json.dumps(one.prediction, sort_keys=True) for one in readable]
    (winner, _), *_ = Counter(ballots).most_common(1)
    return readable[ballots.index(winner)]
