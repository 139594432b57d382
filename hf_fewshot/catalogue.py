"""What there is to run, in words; no heavy library is needed to read it."""

from typing import NamedTuple


class BenchmarkEntry(NamedTuple):
    """A benchmark: its task, configurations, and what it takes to read it."""

    task: str
    configs: tuple[str, ...]
    needs: str
    about: str


BENCHMARKS = {
    "clues": BenchmarkEntry(
        "spans",
        ("sst2", "mnli", "conll03", "wikiann", "squad", "record"),
        "downloads",
        "six English tasks as sets of answers; 10, 20, 30 shots, five folds",
    ),
    "few_nerd": BenchmarkEntry(
        "tagging", ("inter", "intra", "supervised"), "downloads", "66 entity types; N-way K~2K-shot episodes"
    ),
    "fewjoint": BenchmarkEntry(
        "joint", ("episodes", "examples"), "downloads", "intents and slots of 59 Chinese dialogue domains"
    ),
    "fewrel": BenchmarkEntry("relation", ("default",), "downloads", "relations with none-of-the-above, two domains"),
    "fs_tacred": BenchmarkEntry(
        "relation", ("default",), "your copy of TACRED (--data-dir)", "relations at their natural frequencies"
    ),
}

METRICS = {
    "s1": "CLUES: F1 of sets of answers",
    "slot_f1": "FewJoint: conlleval F1 of slots (also by the name conlleval)",
    "joint_accuracy": "FewJoint: intent and sentence accuracy",
    "entity_f1": "Few-NERD: entity F1 with its analysis of errors",
    "nota_f1": "FewRel, Few-Shot TACRED: micro F1 with none-of-the-above",
}
