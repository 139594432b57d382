"""The card of a learner: what it tells apart, from how many examples, how to use it."""

from collections import Counter
from pathlib import Path
from typing import Any

from huggingface_hub import ModelCardData

from hf_fewshot.cards.front_matter import SafeModelCard
from hf_fewshot.learning.learner import FewShotLearner
from hf_fewshot.tables.plain import markdown_code, markdown_name
from hf_fewshot.tasks.tags import bare

TEMPLATE = Path(__file__).with_name("learner_card.md.jinja")


def learner_card(learner: FewShotLearner, repo_id: str, license: str | None, has_examples: bool) -> SafeModelCard:
    """The card of a fitted learner in a repository, with or without its examples."""
    data = ModelCardData(
        model_name=repo_id.rsplit("/", 1)[-1],
        license=license,
        library_name="hf_fewshot",
        pipeline_tag=learner.task.hub_task,
        tags=["hf_fewshot", "few-shot", learner.options.head],
    )
    return SafeModelCard.from_template(
        data,
        template_path=str(TEMPLATE),
        repo_id=repo_id,
        task=learner.task,
        head=learner.options.head,
        query=learner.task.query_example,
        counts=class_counts(learner),
        has_examples=has_examples,
        name=markdown_name,
        code=markdown_code,
    )


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
