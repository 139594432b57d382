"""The card of a learner: what it tells apart, from how many examples, how to use it."""

from pathlib import Path

from huggingface_hub import ModelCardData

from hf_fewshot.cards.front_matter import SafeModelCard
from hf_fewshot.learning.class_counts import class_counts
from hf_fewshot.learning.learner import FewShotLearner
from hf_fewshot.tables.plain import markdown_code, markdown_name

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
