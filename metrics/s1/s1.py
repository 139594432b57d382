"""S1, the score of CLUES, as a metric of `evaluate`."""

from typing import Any

import datasets
import evaluate

from .grouped_metric import GroupedMetric, given_groups
from .groups import GROUPS_HELP
from .inputs import EXAMPLES_HELP
from .scoring import encode, score

_DESCRIPTION = """\
S1 compares two sets of answers by exact string: 1 if both are empty, 0 if one is, else their F1. The score is the mean
over instances. CLUES uses it for classification, tagging and reading comprehension alike.
"""

_INPUTS = f"""
Args:
    predictions (list of list of str): the answers to each instance; [] and [""] both say that there is none.
    references (list of list of str): the true answers; {EXAMPLES_HELP}
    normalize (str): "none" compares raw strings, as the authors do; "squad" ignores case, punctuation, articles and
        surplus white space. Default: "none".
    multi_reference (str): "set" takes all references as one set, as the authors do; "max" takes them as variants of
        one answer and keeps the best score. Default: "set".
    per_instance (bool): also return the list of scores. Default: False.
{GROUPS_HELP}

Returns:
    s1 (float): between 0 and 1.
    always_empty_s1 (float): the score of a system that never answers, on the same references.
    n (int): the number of instances.
    per_instance (list of float): on request.

Examples:

    >>> import evaluate
    >>> s1 = evaluate.load("metrics/s1")
    >>> predictions = [["a", "b"], [], ["c"], ["d", "e"]]
    >>> references = [["b", "c", "d"], [], [], ["f", "g"]]
    >>> s1.compute(predictions=predictions, references=references)
    {{'s1': 0.35, 'always_empty_s1': 0.5, 'n': 4}}

    Three spellings of one answer:

    >>> s1.compute(predictions=[["Paris"]], references=[["Paris", "paris", "in Paris"]])["s1"]
    0.5
    >>> s1.compute(predictions=[["Paris"]], references=[["Paris", "paris", "in Paris"]], multi_reference="max")["s1"]
    1.0
"""

_CITATION = """\
@inproceedings{mukherjee2021clues,
  title     = {{CLUES}: Few-Shot Learning Evaluation in Natural Language Understanding},
  author    = {Mukherjee, Subhabrata and Liu, Xiaodong and Zheng, Guoqing and Hosseini, Saghar and Cheng, Hao and
               Yang, Greg and Meek, Christopher and Awadallah, Ahmed Hassan and Gao, Jianfeng},
  booktitle = {NeurIPS Datasets and Benchmarks},
  year      = {2021}
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class S1(GroupedMetric, evaluate.Metric):
    _encode = staticmethod(encode)

    def _info(self) -> evaluate.MetricInfo:
        answers = datasets.List(datasets.Value("string"))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features(
                {"predictions": answers, "references": answers, "groups": datasets.Value("string")}
            ),
            reference_urls=["https://arxiv.org/abs/2111.02570", "https://github.com/microsoft/CLUES"],
        )

    def _compute(self, predictions: Any, references: Any, groups: Any = None, **options: Any) -> dict[str, float]:
        return score(predictions, references, groups=given_groups(groups), **options)
