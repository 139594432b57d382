"""An encoder and a few-shot method: reads vectors off the encoder, for the method to compare."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from torch import nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from hf_fewshot.embedded import model_place
from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import REPRESENTATIONS, InputBuilder
from hf_fewshot.encoding.sentence_pooling import SentencePooling, read_sentence_pooling
from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.method_names import method_named
from hf_fewshot.methods.blocks import in_parts
from hf_fewshot.methods.method import EncoderMethod
from hf_fewshot.models.encoder_checkpoint import EncoderCheckpoint
from hf_fewshot.models.encoder_config import MethodModelConfig
from hf_fewshot.models.encoder_model import EncoderModel, config_within, load_encoder, n_positions
from hf_fewshot.models.kept import last_read
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.registry import method_class, unknown

# Padded tokens that go through the encoder together: those of any usual batch of episodes.
TOKENS_AT_ONCE = 1 << 14
DEFAULT_LENGTH = 128
# Of texts, where neither tokenizer nor encoder has a limit of its own.
MOST_BY_DEFAULT = 512


class MethodModel(EncoderModel):
    """Base of models that have a method; `method_class` is what they take for one."""

    config_class = MethodModelConfig
    config: MethodModelConfig
    method: Any
    method_class: ClassVar[type[EncoderMethod]]

    def __init__(self, config: MethodModelConfig, encoder: PreTrainedModel | None = None) -> None:
        if config.representation not in REPRESENTATIONS:
            raise unknown("representation", config.representation, REPRESENTATIONS)
        super().__init__(config, encoder)
        self.pooling = pooling_of(config)
        depth = getattr(self.encoder.config, "num_hidden_layers", config.layers)
        if not 1 <= config.layers <= depth:
            raise ValueError(f"layers={config.layers}, but the encoder has {depth} layers to add up.")
        self.method = build_method(config)
        if not isinstance(self.method, self.method_class):
            needed = self.method.model.partition(":")[2]
            raise ValueError(f"Method {config.method!r} needs a {needed}: use {needed}.from_encoder(...).")
        self.dropout = nn.Dropout(config.dropout)
        self.post_init()

    @classmethod
    def from_encoder(
        cls,
        name_or_path: str | Path,
        method: str,
        *,
        representation: str | None = None,
        layers: int = 1,
        max_length: int | None = None,
        dropout: float = 0.0,
        shared: bool = False,
        **options: Any,
    ) -> tuple[Self, PreTrainedTokenizerBase]:
        """A model and tokenizer from a pretrained encoder and the name of a method, with the method's options.

        The encoder is an embedded one by its name, a folder or a Hub id, the method "proto" or as its paper names it.
        With representation "sentence" vectors are those that the encoder's own files describe, and `max_length` is by
        default as many tokens as it reads itself; else it is 128. `shared` takes an encoder that other models of this
        process may have as well, for who never changes its weights.
        """
        name_or_path, method = model_place(name_or_path), method_named(method)
        chosen = representation or fitting_representation(method)

        def read() -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
            tokenizer = load_tokenizer(name_or_path, chosen)
            return load_encoder(name_or_path), tokenizer

        # Markers change an encoder: its vocabulary may have no place for them.
        alone = not shared or chosen in ("markers", "pair")
        encoder, tokenizer = read() if alone else last_read.get(name_or_path, chosen, read)
        pooling, own_length = None, DEFAULT_LENGTH
        if chosen == "sentence":
            pooling = read_sentence_pooling(name_or_path) or SentencePooling()
            own_length = length_of_texts(pooling, tokenizer, encoder)
            pooling = replace(pooling, max_length=None)  # the model has one of its own
        max_length = own_length if max_length is None else max_length
        own = {name: options.pop(name) for name in cls.config_class.OWN_OPTIONS if name in options}
        config = cls.config_class(
            encoder=config_within(encoder),
            method=method,
            method_options=options,
            representation=chosen,
            layers=layers,
            max_length=max_length,
            dropout=dropout,
            pooling=None if pooling is None else asdict(pooling),
            **own,
        )
        model = cls(config, encoder)
        model.method.take(EncoderCheckpoint(name_or_path, encoder))
        InputBuilder(tokenizer, chosen, max_length, pooling)  # adds entity markers where the vocabulary has none
        embeddings: Any = encoder.get_input_embeddings()
        if len(tokenizer) > embeddings.num_embeddings:
            embeddings = encoder.resize_token_embeddings(len(tokenizer))
            config.encoder.vocab_size = encoder.config.vocab_size
        last, size = max(tokenizer.get_vocab().values(), default=0), embeddings.num_embeddings
        if last >= size:
            raise ValueError(
                f"The tokenizer of {str(name_or_path)!r} has a token with number {last}, but the encoder has {size} "
                "embeddings. Its files are damaged or of two models; get them again."
            )
        return model.eval(), tokenizer

    def encode(self, inputs: EncoderInputs) -> torch.Tensor:
        """Vectors of examples (rows, dim), before the method sees them."""
        n_sequences, length = inputs.input_ids.shape
        size = max(1, TOKENS_AT_ONCE // length)
        if n_sequences <= size:
            return self.encode_together(inputs)
        # Long sentences are many sequences: what the encoder has in between is that of some of them at a time.
        places, parts = [], []
        for begin in range(0, n_sequences, size):
            own = ((inputs.row_sequence >= begin) & (inputs.row_sequence < begin + size)).nonzero().squeeze(1)
            part = EncoderInputs(
                inputs.input_ids[begin : begin + size],
                inputs.attention_mask[begin : begin + size],
                inputs.row_sequence[own] - begin,
                inputs.row_positions[own],
            )
            places.append(own)
            parts.append((part,))
        return torch.cat(in_parts(self.encode_together, parts))[torch.cat(places).argsort()]

    def encode_together(self, inputs: EncoderInputs) -> torch.Tensor:
        """The same, all sequences at once."""
        hidden = self.hidden(inputs.input_ids, inputs.attention_mask, self.second_begins(inputs))
        return self.read_rows(hidden, inputs.row_sequence, inputs.row_positions)

    def second_begins(self, inputs: EncoderInputs) -> torch.Tensor | None:
        """Where the second sentence of each sequence begins (sequences,); None: sequences are single sentences."""
        return None

    def hidden(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, second: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The sum of the last layers (sequences, length, dim); a pair's second sentence begins at `second`."""
        if input_ids.device.type != "cpu" or len(input_ids) == 1:
            return self._hidden(input_ids, attention_mask, second)
        # On a CPU padding costs as much as text: sequences of like length go together.
        length = input_ids.shape[1]
        lengths = attention_mask.sum(1)
        groups = groups_of_like_length(lengths)
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
        if second is not None and self.has_segments:
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
        if self.pooling is not None:
            return self.pooling.pool(hidden[sequence], inside)
        weights = inside.to(hidden.dtype) / inside.sum(1, keepdim=True)
        return torch.einsum("rl,rld->rd", weights, hidden[sequence])


@contextmanager
def full_precision(rows: torch.Tensor) -> Iterator[torch.Tensor]:
    """Around what a method does with vectors: gives them without the half precision of autocast.

    Differences of large distances are what counts: half precision is for the encoder only.
    """
    if not torch.is_autocast_enabled(rows.device.type):
        yield rows
        return
    with torch.autocast(rows.device.type, enabled=False):
        yield rows.float()


def groups_of_like_length(lengths: torch.Tensor) -> list[torch.Tensor]:
    """Numbers of sequences in groups whose shortest has at least 70 % of the length of the longest."""
    order = lengths.argsort(descending=True, stable=True)
    groups = []
    while len(order):
        n_alike = int((lengths[order] >= 0.7 * lengths[order[0]]).sum())
        groups.append(order[:n_alike])
        order = order[n_alike:]
    return groups


def build_method(config: MethodModelConfig) -> EncoderMethod:
    """The method of a configuration."""
    wanted = method_class(config.method).representation
    if wanted not in ("any", config.representation):
        raise ValueError(f"Method {config.method!r} needs representation={wanted!r}, got {config.representation!r}.")
    width = config.encoder.hidden_size * (2 if config.representation == "markers" else 1)
    try:
        return method_class(config.method)(width, **(config.method_options or {}))
    except TypeError as error:
        raise ValueError(f"Method {config.method!r} does not take {config.method_options}: {error}.") from error


def pooling_of(config: MethodModelConfig) -> SentencePooling | None:
    """How the vectors of texts are made; None for other representations."""
    if config.representation != "sentence":
        return None
    return from_mapping(SentencePooling, config.pooling or {}, "The pooling of the configuration")


def length_of_texts(pooling: SentencePooling, tokenizer: PreTrainedTokenizerBase, encoder: PreTrainedModel) -> int:
    """How many tokens of a text an encoder reads by itself."""
    said = pooling.max_length or tokenizer.model_max_length
    return min(said, n_positions(encoder) or MOST_BY_DEFAULT)


def fitting_representation(method: str) -> str:
    """The representation a method needs, or words."""
    wanted = method_class(method).representation
    return "words" if wanted == "any" else wanted
