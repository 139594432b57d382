"""An encoder with a method for intents and slots."""

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from huggingface_hub.dataclasses import strict
from transformers import AutoConfig, AutoModel
from transformers.utils import ModelOutput

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.methods.joint_method import JointMethod, JointScores
from hf_fewshot.methods.method import EncoderMethod
from hf_fewshot.methods.sentences import ClassNames, Sentences, SupportSums
from hf_fewshot.models.encoder_config import MethodModelConfig
from hf_fewshot.models.joint_batch import JointBatch, NameRows
from hf_fewshot.models.method_model import MethodModel, full_precision


@strict
class JointModelConfig(MethodModelConfig):
    """What it takes to build the model (see `MethodModelConfig`).

    With `pairwise` a query is encoded together with each support sentence, `[CLS] query [SEP] support [SEP]`, and its
    vectors are averaged over them; otherwise every sentence is encoded by itself.
    """

    model_type = "hf_fewshot_joint"

    method: str = "joint_proto"
    pairwise: bool = False

    OWN_OPTIONS: ClassVar[tuple[str, ...]] = ("pairwise",)
    KIND: ClassVar[str] = "a model of intents and slots"
    REMEDY: ClassVar[str] = "Use JointModel.from_encoder(name_or_path, method) to put a method on an encoder."


@dataclass
class JointOutput(ModelOutput):
    """Loss over the queries, scores of intents (episodes, query, intents) and tags (episodes, query, words, tags).

    The loss is the sum of `means`, such as one over intents and one over tags.
    """

    loss: torch.Tensor | None = None
    intents: torch.Tensor | None = None
    tags: torch.Tensor | None = None
    means: torch.Tensor | None = None


class JointModel(MethodModel):
    """Encodes sentences, compares the sentences and words of queries with those of supports."""

    config_class = JointModelConfig
    config: JointModelConfig
    method_class: ClassVar[type[EncoderMethod]] = JointMethod

    def second_begins(self, inputs: EncoderInputs) -> torch.Tensor | None:
        if not self.config.pairwise:
            return None
        positions = inputs.row_positions
        return positions.new_zeros(len(inputs.input_ids)).index_put((inputs.row_sequence,), positions[:, 1])

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        row_sequence: torch.Tensor,
        row_positions: torch.Tensor,
        episodes: JointBatch,
    ) -> JointOutput:
        """Episodes whose distinct sentences are encoded once: the parts of `EncoderInputs`, and the episodes."""
        rows = self.dropout(self.encode(EncoderInputs(input_ids, attention_mask, row_sequence, row_positions)))
        scores, query = self.score_rows(rows, episodes)
        losses = self.method.losses(scores, query)
        return JointOutput(losses.sum(), scores.intents, scores.tags, losses)

    def loss_counts(self, batch: dict[str, Any]) -> torch.Tensor:
        """Over how many each of the means of the loss is (means,), from the arguments of `forward`."""
        return self.method.loss_counts(batch["episodes"].support, batch["episodes"].query)

    def score_rows(self, rows: torch.Tensor, episodes: JointBatch) -> tuple[JointScores, Sentences]:
        """Scores of the queries from the vectors of all words, and the queries."""
        with full_precision(rows) as vectors:
            support, query, names = read_episodes(vectors, episodes)
            return self.method(support, query, episodes.n_intents, episodes.n_tags, names), query

    def read_support(self, rows: torch.Tensor, episodes: JointBatch) -> SupportSums:
        """What the support sentences add up to; for support sets that are read in parts."""
        with full_precision(rows) as vectors:
            support, _, _ = read_episodes(vectors.float(), episodes)
            return self.method.read(support, episodes.n_intents, episodes.n_tags)

    def score_query(
        self, support: SupportSums, rows: torch.Tensor, episodes: JointBatch
    ) -> tuple[JointScores, Sentences]:
        """Scores of queries from what all support sentences add up to, and the queries."""
        with full_precision(rows) as vectors:
            _, query, names = read_episodes(vectors.float(), episodes)
            return self.method.score(support, query, names), query


def read_episodes(rows: torch.Tensor, episodes: JointBatch) -> tuple[Sentences, Sentences, ClassNames | None]:
    """The sentences of episodes, and the vectors of the names of their classes, from the vectors of all words."""
    support, query = (
        Sentences(_words(rows, part.rows, episodes), part.lengths, part.tags, part.intents)
        for part in (episodes.support, episodes.query)
    )
    if episodes.tag_names is None or episodes.intent_names is None:
        return support, query, None
    return support, query, ClassNames(_means(rows, episodes.tag_names), _means(rows, episodes.intent_names))


def _words(rows: torch.Tensor, places: torch.Tensor, episodes: JointBatch) -> torch.Tensor:
    words = rows[places]
    if words.dim() == 4:
        return words
    # A query that was encoded with each support sentence: (episodes, 1, support, words, dim).
    there = (episodes.support.lengths > 0)[:, None, :, None, None].to(words.dtype)
    return (words * there).sum(2) / there.sum(2)


def _means(rows: torch.Tensor, names: NameRows) -> torch.Tensor:
    """The vectors of names: the means of their words'."""
    return Sentences(rows[names.rows], names.lengths, names.lengths, names.lengths).means


AutoConfig.register("hf_fewshot_joint", JointModelConfig)
AutoModel.register(JointModelConfig, JointModel)
