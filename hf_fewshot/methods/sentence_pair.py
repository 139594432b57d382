"""Sentence-Pair, BERT-PAIR (Gao et al., 2019): is the query of the same class as this support sentence?"""

import torch
from torch import nn

from hf_fewshot.methods.method import Method

DIFFERENT, SAME = 0, 1


class SentencePair(Method):
    """A two-way classifier on each pair of a support and a query sentence, encoded together."""

    representation = "pair"
    nota = True

    def __init__(self, dim: int) -> None:
        super().__init__(dim)
        self.classifier = nn.Linear(dim, 2)

    def score_pairs(self, pairs: torch.Tensor, labels: torch.Tensor, n_classes: int) -> torch.Tensor:
        """Scores of queries (episodes, query, classes + 1).

        Args:
            pairs: vectors of pairs (episodes, query, support, dim).
            labels: classes of the support sentences (episodes, support), PADDING where there is none.
            n_classes: number of classes.

        A class scores the mean of "same" over its support sentences; none-of-the-above the least mean of "different".
        """
        verdicts = self.classifier(pairs)
        member = nn.functional.one_hot(labels.clamp(min=0), n_classes) * (labels >= 0).unsqueeze(-1)
        member = member.to(verdicts.dtype)
        counts = member.sum(1)
        means = torch.einsum("eqsv,esc->eqcv", verdicts, member) / counts.clamp(min=1)[:, None, :, None]
        absent = (counts == 0).unsqueeze(1)
        same = means[..., SAME].masked_fill(absent, -torch.inf)
        different = means[..., DIFFERENT].masked_fill(absent, torch.inf)
        return torch.cat([same, different.amin(-1, keepdim=True)], dim=-1)
