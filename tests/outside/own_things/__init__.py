"""Things of one's own for hf_fewshot: a task and a benchmark."""

import hf_fewshot


def register() -> None:
    """Called when hf_fewshot is asked for what it does not know itself."""
    hf_fewshot.register_task("pairs", "own_things.pairs:Pairs")
    hf_fewshot.register_benchmark("own_pairs", "own_things.own_pairs.own_pairs:OwnPairs")
