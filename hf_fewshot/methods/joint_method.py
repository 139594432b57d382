"""What methods for intents and slots share."""

from dataclasses import dataclass
from typing import ClassVar

import torch

from hf_fewshot.methods.method import EncoderMethod
from hf_fewshot.methods.sentences import ClassNames, SentenceLabels, Sentences


@dataclass(frozen=True)
class JointScores:
    """Scores of intents (episodes, queries, intents) and of tags (episodes, queries, words, tags); None: not asked."""

    intents: torch.Tensor | None
    tags: torch.Tensor | None


class JointMethod(EncoderMethod):
    """Scores the intents and the tags of queries against a support set of sentences.

    `part` is "joint", or "intent" or "slots" if it scores one of the two alone; `name_weight` above 0 says that it
    reads the names of classes.
    """

    model: ClassVar[str] = "hf_fewshot.models.joint_model:JointModel"
    representation: ClassVar[str] = "words"
    part: str = "joint"
    name_weight: float = 0.0

    def forward(
        self, support: Sentences, query: Sentences, n_intents: int, n_tags: int, names: ClassNames | None = None
    ) -> JointScores:
        """Scores of the queries; a class without support has -inf."""
        raise NotImplementedError

    def loss(self, scores: JointScores, query: Sentences) -> torch.Tensor:
        """What training makes small."""
        raise NotImplementedError

    def losses(self, scores: JointScores, query: Sentences) -> torch.Tensor:
        """The means (means,) whose sum is the loss; by default the loss is one."""
        return self.loss(scores, query).reshape(1)

    def loss_counts(self, support: SentenceLabels, query: SentenceLabels) -> torch.Tensor:
        """Over how many each of `losses` is the mean (means,); by default over the queries."""
        return (query.lengths > 0).sum().reshape(1)

    def decode_tags(self, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """The best tags (sentences, words) of scores (sentences, words, tags)."""
        return tags.argmax(-1)
