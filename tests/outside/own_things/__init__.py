"""Things of one's own for hf_fewshot: a task, a benchmark, a method and a system."""

from hf_fewshot.registry import register_benchmark, register_method, register_system, register_task


def register() -> None:
    """Called when hf_fewshot is asked for what it does not know itself."""
    register_task("pairs", "own_things.pairs:Pairs")
    register_benchmark("own_pairs", "own_things.own_pairs.own_pairs:OwnPairs")
    register_method("cosine_pairs", "own_things.cosine:Cosine", tasks=["pairs"], about="cosine with prototypes")
    register_system("overlap", "own_things.overlap:Overlap", tasks=["pairs"], about="most words in common")
