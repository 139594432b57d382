"""Few-NERD's entity F1, as a metric of `evaluate`."""

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
Entity F1 is the score of Few-NERD: micro precision, recall and F1 over the entities of all query sentences, with the
paper's analysis of errors. An entity is a run of one tag within a sentence (IO tags such as `art-film`).
"""

_INPUTS = f"""
Args:
    predictions (list of list of str or int): the predicted tag of each token of each sentence.
    references (list of list of str or int): the true tags; {EXAMPLES_HELP}
{LABELS_HELP} Without it 0 is O.
    scheme (str): "io" for bare types such as `art-film`; "bio" for `B-art-film` and `I-art-film`. Default: "io".
    compat (str, optional): "original" joins the sentences of a group (all of them without groups) before it reads
        entities, as the authors' code does with a batch: a run goes on into the next sentence. Default: None.
{GROUPS_HELP}

Returns:
    {RATES_HELP}
        Micro average over entities: {CHUNKS_HELP}
    accuracy (float): the share of right tags.
    fp_error, fn_error (float): the share of tokens that are predicted an entity where the truth is O, and the reverse.
    within_error, outer_error (float): of the spans that are right, the share with another fine type of the same coarse
        type, and with another coarse type. The coarse type is what stands before the first hyphen.
    n_correct, n_predictions, n_references (int): numbers of entities behind the rates; n_tokens, n_sentences (int).
    per_type/<type>/<measure>: the same rates and numbers of each fine type.
    per_coarse_type/<type>/<measure>: the micro average over the fine types of a coarse type.

Examples:

    >>> import evaluate
    >>> entity_f1 = evaluate.load("metrics/entity_f1")
    >>> results = entity_f1.compute(
    ...     predictions=[["O", "art-film", "art-film"], ["person-actor", "O"]],
    ...     references=[["O", "art-film", "art-film"], ["person-director", "O"]],
    ... )
    >>> results["f1"], results["within_error"], results["per_coarse_type/art/f1"]
    (0.5, 0.5, 1.0)

    Class ids, where 0 is O. Joined as in the authors' code, the two entities of the first class are one:

    >>> ids = [[0, 1], [1, 0]]
    >>> entity_f1.compute(predictions=ids, references=ids)["n_references"]
    2
    >>> entity_f1.compute(predictions=ids, references=ids, compat="original")["n_references"]
    1
"""

_CITATION = """\
@inproceedings{ding-etal-2021-nerd,
  title     = {{Few-NERD}: A Few-shot Named Entity Recognition Dataset},
  author    = {Ding, Ning and Xu, Guangwei and Chen, Yulin and Wang, Xiaobin and Han, Xu and Xie, Pengjun and
               Zheng, Haitao and Liu, Zhiyuan},
  booktitle = {Proceedings of ACL-IJCNLP 2021},
  year      = {2021}
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EntityF1(GroupedMetric, evaluate.Metric):
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
            reference_urls=["https://aclanthology.org/2021.acl-long.248", "https://github.com/thunlp/Few-NERD"],
        )

    def _compute(self, predictions: Any, references: Any, groups: Any = None, **options: Any) -> dict[str, float]:
        return score(predictions, references, groups=given_groups(groups), **options)
