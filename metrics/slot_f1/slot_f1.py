"""conlleval's slot F1, as a metric of `evaluate`."""

from typing import Any

import datasets
import evaluate

from .chunks import CHUNKS_HELP
from .grouped_metric import GroupedMetric, given_groups
from .groups import GROUPS_HELP
from .inputs import EXAMPLES_HELP, LABELS_HELP
from .rates import RATES_HELP
from .scoring import encode, score

_DESCRIPTION = """\
Slot F1 reads slots from tag sequences by the rules of conlleval, the script of the CoNLL shared tasks, and counts
those that are right in span and type. It knows IOB1, IOB2, IOE, IOBES and BILOU tags, mixed and broken ones too.
"""

_INPUTS = f"""
Args:
    predictions (list of list of str or int): the predicted tag of each token of each sentence.
    references (list of list of str or int): the true tags; {EXAMPLES_HELP}
{LABELS_HELP} Class ids need it.
    average (str): "pooled" counts the slots of all sentences together; "episode" is the mean over groups of the scores
        of each group, as FewJoint reports it. Per-type scores are always pooled. Default: "pooled".
{GROUPS_HELP}

Returns:
    {RATES_HELP}
        Micro average over slots: {CHUNKS_HELP}
    accuracy (float): the share of right tags.
    n_correct, n_predictions, n_references (int): the numbers of slots behind the rates; n_tokens, n_sentences (int).
    per_type/<type>/<measure>: the same rates and numbers of slots of each type.

Examples:

    >>> import evaluate
    >>> slot_f1 = evaluate.load("metrics/slot_f1")
    >>> results = slot_f1.compute(
    ...     predictions=[["O", "O", "B-city", "I-city"], ["B-date", "O"]],
    ...     references=[["O", "O", "B-city", "I-city"], ["B-date", "I-date"]],
    ... )
    >>> results["f1"], results["per_type/city/f1"], results["per_type/date/f1"]
    (0.5, 1.0, 0.0)

    Class ids, and the mean over two episodes:

    >>> results = slot_f1.compute(
    ...     predictions=[[0, 1], [1, 2], [1, 0]],
    ...     references=[[0, 1], [1, 2], [0, 0]],
    ...     label_names=["O", "B-city", "I-city"],
    ...     groups=["travel", "travel", "weather"],
    ...     average="episode",
    ... )
    >>> results["f1"]
    0.5
"""

_CITATION = """\
@inproceedings{tjong-kim-sang-buchholz-2000-introduction,
  title     = {Introduction to the {CoNLL}-2000 Shared Task: Chunking},
  author    = {Tjong Kim Sang, Erik F. and Buchholz, Sabine},
  booktitle = {Proceedings of CoNLL-2000 and LLL-2000},
  year      = {2000}
}
@article{hou2020fewjoint,
  title   = {{FewJoint}: A Few-shot Learning Benchmark for Joint Language Understanding},
  author  = {Hou, Yutai and Mao, Jiafeng and Lai, Yongkui and Chen, Cheng and Che, Wanxiang and Chen, Zhigang and
             Liu, Ting},
  journal = {arXiv preprint arXiv:2009.08138},
  year    = {2020}
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class SlotF1(GroupedMetric, evaluate.Metric):
    _encode = staticmethod(encode)

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": tags, "references": tags, "groups": datasets.Value("string")})
                for tags in (datasets.List(datasets.Value("string")), datasets.List(datasets.Value("int64")))
            ],
            reference_urls=["https://www.clips.uantwerpen.be/conll2000/chunking/output.html"],
        )

    def _compute(self, predictions: Any, references: Any, groups: Any = None, **options: Any) -> dict[str, float]:
        return score(predictions, references, groups=given_groups(groups), **options)
