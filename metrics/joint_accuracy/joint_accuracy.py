"""Intent and sentence accuracy, as a metric of `evaluate`."""

from collections.abc import Sequence
from typing import Any

import datasets
import evaluate

from .grouped_metric import GroupedMetric, given_groups
from .groups import GROUPS_HELP
from .inputs import EXAMPLES_HELP
from .scoring import FIELDS, encode, score

_DESCRIPTION = """\
Joint accuracy is how FewJoint scores intents and whole sentences: the share of sentences with the right intent, and
the share with the right intent and every slot tag right.
"""

_INPUTS = f"""
Args:
    predictions (list of dict): {{"intent": ..., "slot_tags": [...]}} of each sentence; other fields are ignored.
    references (list of dict): the truth in the same form; {EXAMPLES_HELP}
    Intents and tags are strings, or class ids (whole numbers).
{GROUPS_HELP}

Returns:
    intent_accuracy, sentence_accuracy (float): between 0 and 1, over all sentences.
    intent_accuracy_group_mean, sentence_accuracy_group_mean (float): the mean over groups, if groups are given.
        FewJoint reports intent_accuracy_group_mean (groups are domains) and sentence_accuracy.
    n (int): the number of sentences; n_groups (int): of groups, if given.

Examples:

    >>> import evaluate
    >>> joint_accuracy = evaluate.load("metrics/joint_accuracy")
    >>> references = [
    ...     {{"intent": "book_table", "slot_tags": ["O", "B-city"]}},
    ...     {{"intent": "book_table", "slot_tags": ["O", "O"]}},
    ...     {{"intent": "play_music", "slot_tags": ["O", "B-song"]}},
    ... ]
    >>> predictions = [references[0], references[1], {{"intent": "book_table", "slot_tags": ["O", "B-song"]}}]
    >>> results = joint_accuracy.compute(
    ...     predictions=predictions, references=references, groups=["restaurants", "restaurants", "music"]
    ... )
    >>> round(results["intent_accuracy"], 3), results["intent_accuracy_group_mean"]
    (0.667, 0.5)
"""

_CITATION = """\
@article{hou2020fewjoint,
  title   = {{FewJoint}: A Few-shot Learning Benchmark for Joint Language Understanding},
  author  = {Hou, Yutai and Mao, Jiafeng and Lai, Yongkui and Chen, Cheng and Che, Wanxiang and Chen, Zhigang and
             Liu, Ting},
  journal = {arXiv preprint arXiv:2009.08138},
  year    = {2020}
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class JointAccuracy(GroupedMetric, evaluate.Metric):
    _encode = staticmethod(encode)

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=[
                datasets.Features(
                    {
                        "predictions": {"intent": label, "slot_tags": datasets.List(label)},
                        "references": {"intent": label, "slot_tags": datasets.List(label)},
                        "groups": datasets.Value("string"),
                    }
                )
                for label in (datasets.Value("string"), datasets.Value("int64"))
            ],
            reference_urls=["https://arxiv.org/abs/2009.08138", "https://github.com/AtmaHou/FewShotJoint"],
        )

    def _compute(self, predictions: Any, references: Any, groups: Any = None, **options: Any) -> dict[str, float]:
        return score(predictions, references, groups=given_groups(groups), **options)

    def _stored(self, rows: Sequence[Any]) -> Sequence[Any]:
        return [{field: row[field] for field in FIELDS} for row in rows]

    def _labels_of(self, row: Any) -> Any:
        return row["slot_tags"]
