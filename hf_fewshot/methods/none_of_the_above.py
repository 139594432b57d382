"""Threshold, NAV and MNAV (Sabo et al., 2021, Section 6): prototypes, and a score for none of them."""

import torch
from torch import nn

from hf_fewshot.methods.method import Method, similarity
from hf_fewshot.methods.prototypes import prototypes
from hf_fewshot.methods.training_data import TrainingData

HIDDEN = 2000
# Enough to average ten examples of every relation that is drawn.
MAX_EXAMPLES = 2000


class NoneOfTheAbove(Method):
    """Scores classes by the dot product with their prototypes; what "none" scores is for subclasses to say.

    Args:
        mlp: adds the layers of the original implementation after the encoder: to 2,000 units, tanh, and a second such
            layer that is added to the first.
    """

    representation = "markers"
    nota = True

    def __init__(self, dim: int, *, mlp: bool = False) -> None:
        super().__init__(dim)
        self.out_dim = HIDDEN if mlp else dim
        self.first = nn.Linear(dim, HIDDEN) if mlp else None
        self.second = nn.Linear(HIDDEN, HIDDEN) if mlp else None

    def transform(self, vectors: torch.Tensor) -> torch.Tensor:
        if self.first is None or self.second is None:
            return vectors
        hidden = self.first(vectors).tanh()
        return hidden + self.second(hidden).tanh()

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
    """None of the classes where no score beats a learned number."""

    def __init__(self, dim: int, *, mlp: bool = False) -> None:
        super().__init__(dim, mlp=mlp)
        self.threshold = nn.Parameter(torch.zeros(()))

    def none_score(self, query: torch.Tensor) -> torch.Tensor:
        return self.threshold.expand(*query.shape[:2], 1).to(query.dtype)


class Mnav(NoneOfTheAbove):
    """Several learned vectors stand for none of the classes; the nearest one counts.

    Args:
        n_vectors: how many they are (20 in the paper).
    """

    def __init__(self, dim: int, *, mlp: bool = False, n_vectors: int = 20) -> None:
        super().__init__(dim, mlp=mlp)
        if n_vectors < 1:
            raise ValueError(f"n_vectors must be at least 1, but is {n_vectors}.")
        self.vectors = nn.Parameter(torch.randn(n_vectors, self.out_dim) * self.out_dim**-0.5)

    def none_score(self, query: torch.Tensor) -> torch.Tensor:
        return (query @ self.vectors.to(query.dtype).T).amax(-1, keepdim=True)

    def begin(self, data: TrainingData) -> None:
        """Sets the vectors to means of training examples."""
        drawn = data.drawn(MAX_EXAMPLES)
        self.initialise(data.vectors(drawn), drawn["relation"][:], data.generator())

    @torch.no_grad()
    def initialise(
        self, vectors: torch.Tensor, classes: list[str], generator: torch.Generator, each: int = 10
    ) -> None:
        """Sets each vector to the mean of `each` random examples of a random class (the paper's initialisation)."""
        names = sorted(set(classes))
        transformed = self.transform(vectors)
        for number in range(len(self.vectors)):
            name = names[int(torch.randint(len(names), (), generator=generator))]
            members = torch.tensor([i for i, own in enumerate(classes) if own == name])
            chosen = members[torch.randperm(len(members), generator=generator)[:each]]
            self.vectors[number] = transformed[chosen].mean(0)


class Nav(Mnav):
    """One learned vector stands for none of the classes, a class like the others."""

    def __init__(self, dim: int, *, mlp: bool = False) -> None:
        super().__init__(dim, mlp=mlp, n_vectors=1)
