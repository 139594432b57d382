"""Sentence-Pair, BERT-PAIR (Gao et al., 2019): is the query of the same class as this support sentence?"""

import torch
from torch import nn

from hf_fewshot.methods.checkpoint import Checkpoint
from hf_fewshot.methods.method import Method

DIFFERENT, SAME = 0, 1
HEADS = ("new", "next_sentence")
DROPOUT = 0.1


class SentencePair(Method):
    """A two-way classifier on each pair of a support and a query sentence, encoded together.

    What the encoder has at [CLS] goes through its pooler (a new one where it has none), then through the classifier.

    Args:
        head: "new", a new classifier after dropout of 0.1 (the FewRel toolkit), or "next_sentence", the one that the
            checkpoint was pre-trained with (Sabo et al., 2021): "is next" begins as "same".
    """

    representation = "pair"
    nota = True
    version = 2  # 1 had a new classifier on the encoder's [CLS] itself

    def __init__(self, dim: int, *, head: str = "new") -> None:
        super().__init__(dim)
        if head not in HEADS:
            raise ValueError(f"head must be one of {', '.join(map(repr, HEADS))}, but is {head!r}.")
        self.head = head
        self.pooler = nn.Linear(dim, dim)
        self.dropout = nn.Dropout(DROPOUT if head == "new" else 0.0)
        self.verdict = nn.Linear(dim, 2)
        for layer in (self.pooler, self.verdict):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)

    @torch.no_grad()
    def take(self, checkpoint: Checkpoint) -> None:
        """Begins with the pooler of the encoder, and with its next-sentence classifier if that is the head."""
        pooler = checkpoint.pooler()
        if pooler is not None and pooler.weight.shape == self.pooler.weight.shape:
            self.pooler.load_state_dict(pooler.state_dict())
        if self.head == "next_sentence":
            # BERT's first output is "is next", its second "is not".
            weights = checkpoint.next_sentence().state_dict()
            self.verdict.load_state_dict({name: values.flip(0) for name, values in weights.items()})

    def score_pairs(self, pairs: torch.Tensor, labels: torch.Tensor, n_classes: int) -> torch.Tensor:
        """Scores of queries (episodes, query, classes + 1).

        Args:
            pairs: vectors of pairs (episodes, query, support, dim).
            labels: classes of the support sentences (episodes, support), PADDING where there is none.
            n_classes: number of classes.

        A class scores the mean of "same" over its support sentences; none-of-the-above the least mean of "different".
        """
        verdicts = self.verdict(self.dropout(self.pooler(pairs).tanh()))
        member = nn.functional.one_hot(labels.clamp(min=0), n_classes) * (labels >= 0).unsqueeze(-1)
        member = member.to(verdicts.dtype)
        counts = member.sum(1)
        means = torch.einsum("eqsv,esc->eqcv", verdicts, member) / counts.clamp(min=1)[:, None, :, None]
        absent = (counts == 0).unsqueeze(1)
        same = means[..., SAME].masked_fill(absent, -torch.inf)
        different = means[..., DIFFERENT].masked_fill(absent, torch.inf)
        return torch.cat([same, different.amin(-1, keepdim=True)], dim=-1)
