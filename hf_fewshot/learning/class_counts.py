"""How many examples a learner has of each class."""

from collections import Counter
from typing import Any

from hf_fewshot.learning.learner import FewShotLearner
from hf_fewshot.tasks.tags import bare


def class_counts(learner: FewShotLearner) -> dict[str, int | None]:
    """How many examples show each class; None where the examples are not there."""
    fitted = learner.fitted
    support = None if fitted is None else fitted.support
    if support is None:
        return dict.fromkeys(learner.classes)
    found: Counter[str] = Counter()
    for column in learner.task.class_columns:
        for row in support.examples:
            value: Any = row[column.name]
            found.update(column.prefix + one for one in ({*bare(value)} if column.is_tags else {value}))
    return {name: found[name] for name in learner.classes}
