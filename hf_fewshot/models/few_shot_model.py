"""An encoder and a few-shot method, saved and loaded as one `transformers` model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import torch
from torch import nn
from transformers import (
    AutoConfig,
    AutoModel,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import ModelOutput

from hf_fewshot.encoding.inputs import REPRESENTATIONS, InputBuilder
from hf_fewshot.methods.blocks import in_parts
from hf_fewshot.methods.method import Method
from hf_fewshot.models.few_shot_config import FewShotModelConfig
from hf_fewshot.models.loading import SAFELY, checked, load_model, load_tokenizer
from hf_fewshot.registry import METHODS, method_class, unknown

IGNORED = -100
# Padded tokens that go through the encoder together: those of any usual batch of episodes.
TOKENS_AT_ONCE = 1 << 14


@dataclass
class FewShotOutput(ModelOutput):
    """Loss over the queries of all episodes, and their scores (episodes, query, classes)."""

    loss: torch.Tensor | None = None
    logits: torch.Tensor | None = None


class FewShotModel(PreTrainedModel):
    """Encodes sentences, compares queries with supports.

    `from_encoder` starts from any encoder of the Hub or a folder; `from_pretrained` loads what `save_pretrained`
    wrote.
    """

    config_class = FewShotModelConfig
    config: FewShotModelConfig
    base_model_prefix = "encoder"
    method: Any
    supports_gradient_checkpointing = True
    _supports_sdpa = True
    _supports_flash_attn = True

    def __init__(self, config: FewShotModelConfig, encoder: PreTrainedModel | None = None) -> None:
        super().__init__(config)
        if config.representation not in REPRESENTATIONS:
            raise unknown("representation", config.representation, REPRESENTATIONS)
        self.encoder = AutoModel.from_config(config.encoder) if encoder is None else encoder
        depth = getattr(self.encoder.config, "num_hidden_layers", config.layers)
        if not 1 <= config.layers <= depth:
            raise ValueError(f"layers={config.layers}, but the encoder has {depth} layers to add up.")
        check_positions(self.encoder, config.max_length)
        self.method = build_method(config)
        if self.method.model != type(self).__name__:
            raise ValueError(
                f"Method {config.method!r} needs a {self.method.model}: use {self.method.model}.from_encoder(...)."
            )
        self.dropout = nn.Dropout(config.dropout)
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        # The parts initialise themselves; a loaded encoder must keep its weights.
        return

    @classmethod
    def from_encoder(
        cls,
        name_or_path: str | Path,
        method: str,
        *,
        representation: str | None = None,
        layers: int = 1,
        max_length: int = 128,
        dropout: float = 0.0,
        **options: Any,
    ) -> tuple[Self, PreTrainedTokenizerBase]:
        """A model and tokenizer from a pretrained encoder and the name of a method, with the method's options."""
        if method not in METHODS:
            raise unknown("method", method, METHODS)
        chosen = representation or fitting_representation(method)
        tokenizer = load_tokenizer(name_or_path)
        encoder = load_model(AutoModel, name_or_path)
        own = {name: options.pop(name) for name in cls.config_class.OWN_OPTIONS if name in options}
        config = cls.config_class(
            # A copy: a sub-configuration loses the attention implementation that the encoder was loaded with.
            encoder={k: v for k, v in encoder.config.to_dict().items() if k != "_name_or_path"},
            method=method,
            method_options=options,
            representation=chosen,
            layers=layers,
            max_length=max_length,
            dropout=dropout,
            **own,
        )
        model = cls(config, encoder)
        InputBuilder(tokenizer, chosen, max_length)  # adds entity markers where the vocabulary has none
        if len(tokenizer) > encoder.get_input_embeddings().num_embeddings:
            encoder.resize_token_embeddings(len(tokenizer))
            config.encoder.vocab_size = encoder.config.vocab_size
        last, size = max(tokenizer.get_vocab().values(), default=0), encoder.get_input_embeddings().num_embeddings
        if last >= size:
            raise ValueError(
                f"The tokenizer of {str(name_or_path)!r} has a token with number {last}, but the encoder has {size} "
                "embeddings. Its files are damaged or of two models; get them again."
            )
        return model.eval(), tokenizer

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path: Any, *args: Any, **kwargs: Any) -> Any:
        """A saved model. Weights that do not belong to its method are an error: they would stay without a value."""
        with_info = kwargs.pop("output_loading_info", False)
        kwargs = {**SAFELY, **kwargs, "output_loading_info": True, "ignore_mismatched_sizes": True}
        with checked(cls, pretrained_model_name_or_path, kwargs.get("subfolder", "")):
            loaded: Any = super().from_pretrained(pretrained_model_name_or_path, *args, **kwargs)
        model, info = loaded
        problems = [
            f"{kind} {', '.join(sorted(str(key[0] if isinstance(key, tuple) else key) for key in info[keys]))}"
            for kind, keys in (
                ("missing", "missing_keys"),
                ("unexpected", "unexpected_keys"),
                ("of another size", "mismatched_keys"),
            )
            if info[keys]
        ]
        if problems:
            raise ValueError(
                f"The weights in {pretrained_model_name_or_path} are not those of method {model.config.method!r} with "
                f"options {model.config.method_options}: {'; '.join(problems)}. "
                "Load the model with the method and options it was saved with."
            )
        return (model, info) if with_info else model

    def hidden(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, second: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The sum of the last layers (sequences, length, dim); a pair's second sentence begins at `second`."""
        if input_ids.device.type != "cpu" or len(input_ids) == 1:
            return self._hidden(input_ids, attention_mask, second)
        # On a CPU padding costs as much as text: sequences of like length go together.
        length = input_ids.shape[1]
        lengths = attention_mask.sum(1)
        groups = alike(lengths)
        parts = []
        for group in groups:
            longest = int(lengths[group].max())
            own = None if second is None else second[group]
            part = self._hidden(input_ids[group, :longest], attention_mask[group, :longest], own)
            parts.append(nn.functional.pad(part, (0, 0, 0, length - longest)))
        return torch.cat(parts)[torch.cat(groups).argsort()]

    def _hidden(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, second: torch.Tensor | None
    ) -> torch.Tensor:
        segments = {}
        if second is not None and (getattr(self.encoder.config, "type_vocab_size", None) or 0) > 1:
            places = torch.arange(input_ids.shape[1], device=input_ids.device)
            segments["token_type_ids"] = ((places >= second.unsqueeze(1)) & (attention_mask > 0)).long()
        output = self.encoder(
            input_ids=input_ids,
            attention_mask=attention_mask,
            output_hidden_states=self.config.layers > 1,
            **segments,
        )
        if self.config.layers == 1:
            return output.last_hidden_state
        return torch.stack(output.hidden_states[-self.config.layers :]).sum(0)

    def read_rows(self, hidden: torch.Tensor, sequence: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """The vectors (rows, dim) at the given places (see `Inputs`)."""
        if self.config.representation == "words":
            return hidden[sequence, positions[:, 0]]
        if self.config.representation == "markers":
            return hidden[sequence.unsqueeze(1), positions].flatten(1)
        if self.config.representation == "pair":
            return hidden[sequence, 0]
        places = torch.arange(hidden.shape[1], device=hidden.device)
        inside = (places >= positions[:, :1]) & (places <= positions[:, 1:])
        weights = inside.to(hidden.dtype) / inside.sum(1, keepdim=True)
        return torch.einsum("rl,rld->rd", weights, hidden[sequence])

    def encode(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, sequence: torch.Tensor, positions: torch.Tensor
    ) -> torch.Tensor:
        """Vectors of examples (rows, dim), before the method sees them."""
        size = max(1, TOKENS_AT_ONCE // input_ids.shape[1])
        if len(input_ids) <= size:
            return self.encode_together(input_ids, attention_mask, sequence, positions)
        # Long sentences are many sequences: what the encoder has in between is that of some of them at a time.
        places, parts = [], []
        for begin in range(0, len(input_ids), size):
            own = ((sequence >= begin) & (sequence < begin + size)).nonzero().squeeze(1)
            ids, mask = (tensor[begin : begin + size] for tensor in (input_ids, attention_mask))
            places.append(own)
            parts.append((ids, mask, sequence[own] - begin, positions[own]))
        return torch.cat(in_parts(self.encode_together, parts))[torch.cat(places).argsort()]

    def encode_together(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, sequence: torch.Tensor, positions: torch.Tensor
    ) -> torch.Tensor:
        """The same, all sequences at once."""
        second = positions[:, 1] if self.config.representation == "pair" else None
        return self.read_rows(self.hidden(input_ids, attention_mask, second), sequence, positions)

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
        """Episodes whose distinct sentences are encoded once.

        Args:
            input_ids, attention_mask: (sequences, length).
            row_sequence, row_positions: where vectors are read off, (rows,) and (rows, 2).
            support_rows, support_labels: (episodes, support); for pairs `support_rows` is unused.
            query_rows: (episodes, query); for pairs (episodes, query, support).
            n_classes: classes of an episode, none-of-the-above not counted.
            labels: classes of the queries (episodes, query), IGNORED for padding. A query whose class has no score
                does not count: its class has no support, or it is none-of-the-above and the method knows no such.
        """
        rows = self.dropout(self.encode(input_ids, attention_mask, row_sequence, row_positions))
        scores = self.score(rows, support_rows, support_labels, query_rows, n_classes)
        loss = None
        if labels is not None:
            loss = query_loss(scores.float(), labels)
        return FewShotOutput(loss=loss, logits=scores)

    def score(
        self,
        rows: torch.Tensor,
        support_rows: torch.Tensor,
        support_labels: torch.Tensor,
        query_rows: torch.Tensor,
        n_classes: int,
    ) -> torch.Tensor:
        """Scores (episodes, query, classes) from the vectors of all examples."""
        # Differences of large distances are what counts: half precision is for the encoder only.
        if torch.is_autocast_enabled(rows.device.type):
            with torch.autocast(rows.device.type, enabled=False):
                return self.score(rows.float(), support_rows, support_labels, query_rows, n_classes)
        if self.config.representation == "pair":
            return self.method.score_pairs(rows[query_rows], support_labels, n_classes)
        vectors = self.method.transform(rows)
        return self.method(vectors[support_rows], support_labels, vectors[query_rows], n_classes)


def alike(lengths: torch.Tensor) -> list[torch.Tensor]:
    """Numbers of sequences in groups whose shortest has at least 70 % of the length of the longest."""
    order = lengths.argsort(descending=True, stable=True)
    groups = []
    while len(order):
        n_alike = int((lengths[order] >= 0.7 * lengths[order[0]]).sum())
        groups.append(order[:n_alike])
        order = order[n_alike:]
    return groups


def query_loss(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy over the queries whose class has a score; zero if there is none."""
    n_scores = scores.shape[-1]
    own = scores.gather(-1, labels.clamp(0, n_scores - 1).unsqueeze(-1)).squeeze(-1)
    # The score of a class without support is -inf: its loss would be infinite and teach nothing.
    known = (labels >= 0) & (labels < n_scores) & ~own.isinf()
    targets = labels.masked_fill(~known, IGNORED).flatten()
    total = nn.functional.cross_entropy(scores.flatten(0, -2), targets, ignore_index=IGNORED, reduction="sum")
    return total / known.sum().clamp(min=1)


def build_method(config: FewShotModelConfig) -> Method:
    """The method of a configuration."""
    if config.method not in METHODS:
        raise unknown("method", config.method, METHODS)
    wanted = method_class(config.method).representation
    if wanted not in ("any", config.representation):
        raise ValueError(f"Method {config.method!r} needs representation={wanted!r}, got {config.representation!r}.")
    width = config.encoder.hidden_size * (2 if config.representation == "markers" else 1)
    try:
        return method_class(config.method)(width, **(config.method_options or {}))
    except TypeError as error:
        raise ValueError(f"Method {config.method!r} does not take {config.method_options}: {error}.") from error


def fitting_representation(method: str) -> str:
    """The representation a method needs, or words."""
    wanted = method_class(method).representation
    return "words" if wanted == "any" else wanted


def check_positions(model: PreTrainedModel, max_length: int) -> None:
    """Refuses sequences that are longer than the model has positions for."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions is None:
        return
    # RoBERTa counts positions from the one after padding.
    positions -= getattr(getattr(model.base_model, "embeddings", None), "padding_idx", -1) + 1
    if max_length > positions:
        raise ValueError(f"max_length={max_length}, but the model has {positions} positions. Lower max_length.")


AutoConfig.register("hf_fewshot", FewShotModelConfig)
AutoModel.register(FewShotModelConfig, FewShotModel)
