"""An encoder with a method that compares queries with supports."""

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from transformers import AutoConfig, AutoModel
from transformers.utils import ModelOutput

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.methods.method import EncoderMethod, Method, is_supported
from hf_fewshot.models.encoder_config import MethodModelConfig
from hf_fewshot.models.encoder_model import IGNORED
from hf_fewshot.models.episode_batch import EpisodeBatch
from hf_fewshot.models.method_model import MethodModel, full_precision


@strict
class FewShotModelConfig(MethodModelConfig):
    """What it takes to build the model (see `MethodModelConfig`)."""

    model_type = "hf_fewshot"

    KIND: ClassVar[str] = "a few-shot model"
    REMEDY: ClassVar[str] = "Use FewShotModel.from_encoder(name_or_path, method) to put a method on an encoder."


@dataclass
class FewShotOutput(ModelOutput):
    """Loss over the queries of all episodes, and their scores (episodes, query, classes)."""

    loss: torch.Tensor | None = None
    logits: torch.Tensor | None = None


class FewShotModel(MethodModel):
    """Encodes sentences, compares queries with supports."""

    config_class = FewShotModelConfig
    config: FewShotModelConfig
    method_class: ClassVar[type[EncoderMethod]] = Method

    def second_begins(self, inputs: EncoderInputs) -> torch.Tensor | None:
        return inputs.row_positions[:, 1] if self.config.representation == "pair" else None

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        row_sequence: torch.Tensor,
        row_positions: torch.Tensor,
        support_rows: torch.Tensor,
        support_labels: torch.Tensor,
        query_rows: torch.Tensor,
        n_classes: int,
        labels: torch.Tensor | None = None,
    ) -> FewShotOutput:
        """Episodes whose distinct sentences are encoded once: the parts of `EncoderInputs` and of `EpisodeBatch`.

        A query does not count in the loss if its class has no score: its class has no support, or it is
        none-of-the-above and the method knows no such.
        """
        rows = self.dropout(self.encode(EncoderInputs(input_ids, attention_mask, row_sequence, row_positions)))
        episodes = EpisodeBatch(
            support_rows=support_rows,
            support_labels=support_labels,
            query_rows=query_rows,
            labels=labels,
            n_classes=n_classes,
        )
        scores = self.score(rows, episodes)
        loss = None
        if labels is not None:
            loss = query_loss(scores.float(), labels) + self.own_loss(rows, episodes)
        return FewShotOutput(loss=loss, logits=scores)

    def loss_counts(self, batch: dict[str, Any]) -> torch.Tensor:
        """Over how many queries the loss is the mean (1,), from the arguments of `forward`."""
        labels, none = batch["labels"], batch["n_classes"]
        known = is_supported(labels, batch["support_labels"]) & (labels < none)
        if self.method.nota:
            known |= labels == none
        return known.sum().reshape(1)

    def score(self, rows: torch.Tensor, episodes: EpisodeBatch) -> torch.Tensor:
        """Scores (episodes, query, classes) from the vectors of all examples."""
        if self.config.representation == "pair":
            with full_precision(rows) as pairs:
                return self.method.score_pairs(pairs[episodes.query_rows], episodes.support_labels, episodes.n_classes)
        vectors = self.transform(rows)
        return self.compare(vectors[episodes.support_rows], vectors[episodes.query_rows], episodes)

    def own_loss(self, rows: torch.Tensor, episodes: EpisodeBatch) -> torch.Tensor:
        """What the method adds to the loss; nothing where supports have no vectors of their own."""
        if self.config.representation == "pair":
            return rows.new_zeros(())
        with full_precision(rows) as vectors:
            return self.method.own_loss(vectors[episodes.support_rows], episodes.support_labels)

    def transform(self, rows: torch.Tensor) -> torch.Tensor:
        """The vectors of examples as they are compared."""
        with full_precision(rows) as vectors:
            return self.method.transform(vectors)

    def compare(self, support: torch.Tensor, query: torch.Tensor, episodes: EpisodeBatch) -> torch.Tensor:
        """Scores from the transformed vectors of all supports (episodes, support, dim) and queries."""
        with full_precision(support):
            return self.method(support, episodes.support_labels, query, episodes.n_classes)


def query_loss(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy over the queries whose class has a score; zero if there is none."""
    n_scores = scores.shape[-1]
    own = scores.gather(-1, labels.clamp(0, n_scores - 1).unsqueeze(-1)).squeeze(-1)
    # The score of a class without support is -inf: its loss would be infinite and teach nothing.
    known = (labels >= 0) & (labels < n_scores) & ~own.isinf()
    targets = labels.masked_fill(~known, IGNORED).flatten()
    total = nn.functional.cross_entropy(scores.flatten(0, -2), targets, ignore_index=IGNORED, reduction="sum")
    return total / known.sum().clamp(min=1)


AutoConfig.register("hf_fewshot", FewShotModelConfig)
AutoModel.register(FewShotModelConfig, FewShotModel)
