"""Threshold, NAV and MNAV (Sabo et al., 2021, Section 6): prototypes, and a score for none of them."""

import torch
from torch import nn

from hf_fewshot.methods.method import PADDING, Method, similarity
from hf_fewshot.methods.prototypes import prototypes
from hf_fewshot.methods.relation_head import HIDDEN, RelationHead
from hf_fewshot.methods.training_data import TrainingData

# Instances that a vector of MNAV begins as the mean of.
EACH = 10


class NoneOfTheAbove(Method):
    """Scores classes by the dot product with their prototypes; what "none" scores is for subclasses to say.

    Args:
        mlp: adds the head of the original implementation after the encoder (see `RelationHead`), for supports, queries
            and the vectors of NAV and MNAV alike.
    """

    representation = "markers"
    nota = True
    version = 2  # 1 had another head, other starting values and a threshold at the rate of the encoder

    def __init__(self, dim: int, *, mlp: bool = False) -> None:
        super().__init__(dim)
        self.out_dim = HIDDEN if mlp else dim
        self.head = RelationHead(dim) if mlp else None

    def transform(self, vectors: torch.Tensor) -> torch.Tensor:
        return vectors if self.head is None else self.head(vectors)

    def none_score(self, query: torch.Tensor) -> torch.Tensor:
        """(episodes, query, 1)."""
        raise NotImplementedError

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        means, present = prototypes(support, labels, n_classes)
        scores = similarity(query, means, "dot").masked_fill(~present.unsqueeze(1), -torch.inf)
        return torch.cat([scores, self.none_score(query)], dim=-1)


class Threshold(NoneOfTheAbove):
    """None of the classes where no score beats a learned number.

    It is on the scale of scores, which are dot products: at the rate of weights it would stay where it begins.
    `EpisodicTrainingArguments.threshold_learning_rate` is its own.
    """

    def __init__(self, dim: int, *, mlp: bool = False) -> None:
        super().__init__(dim, mlp=mlp)
        self.threshold = nn.Parameter(torch.zeros(()))

    def none_score(self, query: torch.Tensor) -> torch.Tensor:
        return self.threshold.expand(*query.shape[:2], 1).to(query.dtype)


class NoneVectors(NoneOfTheAbove):
    """Learned vectors stand for none of the classes; the nearest one counts. They are what an encoder would give."""

    def __init__(self, dim: int, n_vectors: int, *, mlp: bool = False) -> None:
        super().__init__(dim, mlp=mlp)
        self.vectors = nn.Parameter(torch.randn(n_vectors, dim))

    def none_score(self, query: torch.Tensor) -> torch.Tensor:
        return (query @ self.transform(self.vectors).to(query.dtype).T).amax(-1, keepdim=True)


class Nav(NoneVectors):
    """One learned vector stands for none of the classes, a class like the others. It begins as random numbers.

    Args:
        start_std: standard deviation of the numbers that it begins as (1 in the authors' code). Vectors of an encoder
            may shrink in the first steps of training; one that stays long beside them wins against all classes.
        mean_distance_loss: adds the log of the distance between its vector and the mean of all support vectors of the
            batch, both after the head, to the loss. The authors' code does; their paper does not mention it.
    """

    def __init__(
        self, dim: int, *, mlp: bool = False, start_std: float = 1.0, mean_distance_loss: bool = False
    ) -> None:
        if start_std <= 0:
            raise ValueError(f"start_std must be positive, but is {start_std}.")
        super().__init__(dim, 1, mlp=mlp)
        with torch.no_grad():
            self.vectors.mul_(start_std)
        self.mean_distance_loss = mean_distance_loss

    def own_loss(self, support: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        if not self.mean_distance_loss:
            return super().own_loss(support, labels)
        mean = self.transform(support[labels != PADDING]).mean(0)
        return (self.transform(self.vectors)[0] - mean).norm().log()


class Mnav(NoneVectors):
    """Several learned vectors stand for none of the classes; the nearest one counts.

    Args:
        n_vectors: how many they are (20 in the paper).
    """

    def __init__(self, dim: int, *, mlp: bool = False, n_vectors: int = 20) -> None:
        if n_vectors < 1:
            raise ValueError(f"n_vectors must be at least 1, but is {n_vectors}.")
        super().__init__(dim, n_vectors, mlp=mlp)

    @torch.no_grad()
    def begin(self, data: TrainingData) -> None:
        """Sets each vector to the mean of ten instances of a relation, all of them where there are fewer.

        The relation is drawn first, all alike, never none-of-the-above; only what is drawn is encoded.
        """
        drawn = data.drawn_by_class("relation", len(self.vectors), EACH)
        used = sorted({row for rows in drawn for row in rows})
        vectors = data.vectors(data.examples.select(used))
        place = {row: number for number, row in enumerate(used)}
        for vector, rows in zip(self.vectors, drawn, strict=True):
            vector.copy_(vectors[[place[row] for row in rows]].mean(0))
