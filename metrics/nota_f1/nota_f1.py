"""Micro-F1 with none of the above, as a metric of `evaluate`."""

from typing import Any

import datasets
import evaluate

from .grouped_metric import GroupedMetric, given_groups
from .groups import GROUPS_HELP
from .inputs import EXAMPLES_HELP, LABELS_HELP
from .rates import RATES_HELP
from .scoring import encode, score

_DESCRIPTION = """\
NOTA F1 is the score of Few-Shot TACRED and FewRel 2.0: micro-F1 over the target classes, where a query may belong to
none of them. Queries of none of the above (NOTA) are no targets, but calling one of them a target costs precision.
"""

_INPUTS = f"""
Args:
    predictions (list of str or int): the predicted label of each query.
    references (list of str or int): the true labels; {EXAMPLES_HELP}
{LABELS_HELP}
    nota_label (str or int): the label for none of the above. Class ids need it. Default: "NOTA".
{GROUPS_HELP}

Returns:
    {RATES_HELP}
        Micro average over the target classes, NOTA left out.
    accuracy (float): the share of right labels, NOTA included.
    nota_precision, nota_recall (float): of the NOTA label itself.
    nota_rate, predicted_nota_rate (float): the share of NOTA among references, and among predictions.
    n_correct, n_predictions, n_references (int): the numbers of targets behind the rates; n (int): of all queries.
    per_class/<class>/<measure>: the same rates and numbers of each target class.

Examples:

    >>> import evaluate
    >>> nota_f1 = evaluate.load("metrics/nota_f1")
    >>> results = nota_f1.compute(
    ...     predictions=["founded_by", "NOTA", "born_in", "NOTA"],
    ...     references=["founded_by", "born_in", "NOTA", "NOTA"],
    ... )
    >>> results["f1"], results["accuracy"], results["nota_rate"]
    (0.5, 0.5, 0.5)

    Class ids of a 5-way episode, where 5 stands for none of the above:

    >>> nota_f1.compute(predictions=[0, 5, 3], references=[0, 5, 5], nota_label=5)["precision"]
    0.5
"""

_CITATION = """\
@article{sabo-etal-2021-revisiting,
  title   = {Revisiting Few-shot Relation Classification: Evaluation Data and Classification Schemes},
  author  = {Sabo, Ofer and Elazar, Yanai and Goldberg, Yoav and Dagan, Ido},
  journal = {Transactions of the Association for Computational Linguistics},
  volume  = {9},
  year    = {2021}
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class NotaF1(GroupedMetric, evaluate.Metric):
    _encode = staticmethod(encode)

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": label, "references": label, "groups": datasets.Value("string")})
                for label in (datasets.Value("string"), datasets.Value("int64"))
            ],
            reference_urls=["https://aclanthology.org/2021.tacl-1.42"],
        )

    def _compute(self, predictions: Any, references: Any, groups: Any = None, **options: Any) -> dict[str, float]:
        return score(predictions, references, groups=given_groups(groups), **options)
