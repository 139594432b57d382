"""An encoder and a span-extraction head, saved and loaded as one `transformers` model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from huggingface_hub.dataclasses import strict
from torch import nn
from transformers import AutoConfig, AutoModel, PreTrainedModel, PreTrainedTokenizerBase
from transformers.utils import ModelOutput

from hf_fewshot.models.encoder_config import EncoderModelConfig
from hf_fewshot.models.encoder_model import EncoderModel, config_within, load_encoder
from hf_fewshot.models.loading import load_tokenizer

SINGLE, SET = "single", "set"
HEADS = (SINGLE, SET)


@strict
class SpanModelConfig(EncoderModelConfig):
    """The encoder's configuration, how rows are cut into windows, and what a set of answers may be.

    `max_length`, `stride` and `max_answer_tokens` are those of CLUES. `head` is "single" or "set". Of the set head,
    `several`: a row may have more than one answer; `required`: it has at least one. See `answer_counts`.
    """

    model_type = "hf_fewshot_spans"

    max_length: int = 384
    stride: int = 180
    max_answer_tokens: int = 20
    # Models that were saved without it have the set head.
    head: str = SET
    several: bool = True
    required: bool = False

    KIND: ClassVar[str] = "a span model"
    REMEDY: ClassVar[str] = "Use SpanModel.from_encoder(name_or_path) to put a span head on an encoder."


@dataclass
class SpanOutput(ModelOutput):
    """Loss over all windows, and begin and end scores of their tokens (windows, length, 2).

    Those of the set head are relative to [CLS].
    """

    loss: torch.Tensor | None = None
    logits: torch.Tensor | None = None


class SpanModel(EncoderModel):
    """Scores every token as the begin and as the end of an answer, `w . h`; [CLS] stands for "no answer".

    With the single head, that of CLUES' classic fine-tuning, one span competes with all others. With the set head
    (ours) a token is in the set if it scores above [CLS], so that a row can have any number of answers.
    """

    config_class = SpanModelConfig
    config: SpanModelConfig

    def __init__(self, config: SpanModelConfig, encoder: PreTrainedModel | None = None) -> None:
        if config.max_answer_tokens < 1:
            raise ValueError(f"max_answer_tokens must be at least 1, but is {config.max_answer_tokens}.")
        if config.head not in HEADS:
            raise ValueError(f"head={config.head!r}, but it must be one of {', '.join(map(repr, HEADS))}.")
        super().__init__(config, encoder)
        # A bias would be the same for [CLS] and for all others.
        self.head = nn.Linear(self.encoder.config.hidden_size, 2, bias=False)
        nn.init.normal_(self.head.weight, std=0.02)
        self.post_init()

    @classmethod
    def from_encoder(
        cls, name_or_path: str | Path, *, seed: int = 0, **options: Any
    ) -> tuple[Self, PreTrainedTokenizerBase]:
        """A model with a new head, drawn from `seed`, and its tokenizer; options are those of `SpanModelConfig`."""
        encoder = load_encoder(name_or_path)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            model = cls(SpanModelConfig(encoder=config_within(encoder), **options), encoder)
        return model.eval(), load_tokenizer(name_or_path)

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor,
        candidates: torch.Tensor,
        labels: torch.Tensor | None = None,
    ) -> SpanOutput:
        """Windows of question and context, with [CLS] first: the parts of `WindowBatch`."""
        types = {"token_type_ids": token_type_ids} if self.has_segments else {}
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask, **types).last_hidden_state
        scores = self.head(hidden).float()
        if self.config.head == SINGLE:
            loss = None if labels is None else single_loss(scores, attention_mask, labels)
        else:
            scores = scores - scores[:, :1]
            loss = None if labels is None else set_loss(scores, candidates, labels)
        return SpanOutput(loss=loss, logits=scores)


def single_loss(scores: torch.Tensor, mask: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The negative log-likelihood of one span, P(i, j) = P_begin(i) P_end(j) (Mukherjee et al., 2021, section 5.1).

    Both are softmaxes over all positions of a window. Halved, as by BERT and by the authors' code.

    Args:
        scores, labels: (windows, length, 2); one begin and one end are labelled in each window, both [CLS] for none.
        mask: (windows, length) which positions are no padding.
    """
    likelihoods = scores.masked_fill(mask.unsqueeze(2) == 0, -torch.inf).log_softmax(1)
    # Padding has -inf, which times 0 would be no number.
    return -likelihoods.masked_fill(~labels, 0.0).sum(1).mean()


def set_loss(scores: torch.Tensor, candidates: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Every answer above "no answer", which is above all other tokens (Su et al., 2022, arXiv:2208.02955).

    For each window, begins and ends apart: log(1 + sum of exp(s) over other tokens) + log(1 + sum of exp(-s) over
    answers), with s relative to [CLS]. Without an answer this is the cross-entropy with [CLS] as the right place, the
    loss of SQuAD 2.0. Unlike in a sum of binary losses, the many other tokens do not outweigh the few answers.

    Args:
        scores, labels: (windows, length, 2).
        candidates: (windows, length).
    """
    others = scores.masked_fill(labels | ~candidates.unsqueeze(2), -torch.inf)
    answers = (-scores).masked_fill(~labels, -torch.inf)
    zero = scores.new_zeros(scores.shape[0], 1, 2)
    losses = [torch.cat([zero, part], dim=1).logsumexp(1) for part in (others, answers)]
    return torch.stack(losses).sum(0).mean()


AutoConfig.register("hf_fewshot_spans", SpanModelConfig)
AutoModel.register(SpanModelConfig, SpanModel)
