"""An encoder with a method for intents and slots."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from huggingface_hub.dataclasses import strict
from transformers import AutoConfig, AutoModel
from transformers.utils import ModelOutput

from hf_fewshot.methods.joint_prototypes import JointScores
from hf_fewshot.methods.sentences import ClassNames, Sentences, SupportSums
from hf_fewshot.models.few_shot_config import FewShotModelConfig
from hf_fewshot.models.few_shot_model import FewShotModel


@strict
class JointModelConfig(FewShotModelConfig):
    """What it takes to build the model.

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
    """Loss over the queries, scores of intents (episodes, query, intents) and tags (episodes, query, words, tags)."""

    loss: torch.Tensor | None = None
    intents: torch.Tensor | None = None
    tags: torch.Tensor | None = None


class JointModel(FewShotModel):
    """Encodes sentences, compares the sentences and words of queries with those of supports."""

    config_class = JointModelConfig
    config: JointModelConfig

    def forward(  # type: ignore[override]
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        row_sequence: torch.Tensor,
        row_positions: torch.Tensor,
        episodes: Mapping[str, Any],
    ) -> JointOutput:
        """Episodes whose distinct sentences are encoded once.

        Args:
            input_ids, attention_mask: (sequences, length).
            row_sequence, row_positions: where vectors of words are read off, (rows,) and (rows, 2).
            episodes: what `JointBatcher` says of the episodes.
        """
        rows = self.dropout(self.encode(input_ids, attention_mask, row_sequence, row_positions))
        scores, query = self.score_rows(rows, episodes)
        return JointOutput(self.method.loss(scores, query), scores.intents, scores.tags)

    def encode_together(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, sequence: torch.Tensor, positions: torch.Tensor
    ) -> torch.Tensor:
        """Vectors of words (rows, dim); of pairs, the second position says where the second sentence begins."""
        second = None
        if self.config.pairwise:
            second = positions.new_zeros(len(input_ids)).index_put((sequence,), positions[:, 1])
        return self.read_rows(self.hidden(input_ids, attention_mask, second), sequence, positions)

    def score_rows(self, rows: torch.Tensor, episodes: Mapping[str, Any]) -> tuple[JointScores, Sentences]:
        """Scores of the queries from the vectors of all words, and the queries."""
        # Differences of large distances are what counts: half precision is for the encoder only.
        if torch.is_autocast_enabled(rows.device.type):
            with torch.autocast(rows.device.type, enabled=False):
                return self.score_rows(rows.float(), episodes)
        support, query, names = read_episodes(rows, episodes)
        return self.method(support, query, episodes["n_intents"], episodes["n_tags"], names), query

    def read_support(self, rows: torch.Tensor, episodes: Mapping[str, Any]) -> SupportSums:
        """What the support sentences add up to; for support sets that are read in parts."""
        with torch.autocast(rows.device.type, enabled=False):
            support, _, _ = read_episodes(rows.float(), episodes)
            return self.method.read(support, episodes["n_intents"], episodes["n_tags"])

    def score_query(
        self, support: SupportSums, rows: torch.Tensor, episodes: Mapping[str, Any]
    ) -> tuple[JointScores, Sentences]:
        """Scores of queries from what all support sentences add up to, and the queries."""
        with torch.autocast(rows.device.type, enabled=False):
            _, query, names = read_episodes(rows.float(), episodes)
            return self.method.score(support, query, names), query


def read_episodes(rows: torch.Tensor, episodes: Mapping[str, Any]) -> tuple[Sentences, Sentences, ClassNames | None]:
    """The sentences of episodes, and the vectors of the names of their classes, from the vectors of all words."""
    parts = []
    for part in ("support", "query"):
        words = rows[episodes[f"{part}_rows"]]
        if words.dim() == 5:  # a query that was encoded with each support sentence: (episodes, 1, support, words, dim)
            there = (episodes["support_lengths"] > 0)[:, None, :, None, None].to(words.dtype)
            words = (words * there).sum(2) / there.sum(2)
        parts.append(Sentences(words, *(episodes[f"{part}_{name}"] for name in ("lengths", "tags", "intents"))))
    if "tag_name_rows" not in episodes:
        return parts[0], parts[1], None
    vectors = []
    for kind in ("tag", "intent"):
        lengths = episodes[f"{kind}_name_lengths"]
        named = Sentences(rows[episodes[f"{kind}_name_rows"]], lengths, lengths, lengths)
        vectors.append(named.means)
    return parts[0], parts[1], ClassNames(*vectors)


AutoConfig.register("hf_fewshot_joint", JointModelConfig)
AutoModel.register(JointModelConfig, JointModel)
