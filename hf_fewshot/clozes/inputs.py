"""Rows as cloze sequences with demonstrations, and the vocabulary entries of label words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from hf_fewshot.clozes.cloze import Cloze
from hf_fewshot.encoding.inputs import padded
from hf_fewshot.encoding.tensors import Tensors

Row = Mapping[str, Any]


def label_tokens(cloze: Cloze, tokenizer: PreTrainedTokenizerBase) -> torch.Tensor:
    """The token (labels,) of each label's word; a word of several tokens has no place at one mask and is refused."""
    if tokenizer.mask_token is None:
        raise ValueError(f"{type(tokenizer).__name__} has no mask token. Prompts need a masked language model.")
    # Byte-level and sentence-piece vocabularies have a word after a space apart from one at the start.
    before = " " if cloze.text.partition("{mask")[0].endswith(" ") else ""
    tokens = {}
    for label, word in cloze.labels.items():
        ids = tokenizer(before + word, add_special_tokens=False)["input_ids"]
        if len(ids) != 1 or ids[0] == tokenizer.unk_token_id:
            pieces = tokenizer.convert_ids_to_tokens(ids)
            raise ValueError(
                f"Template {cloze.name!r}: the word {word!r} of label {label!r} must be one token of the model's "
                f"vocabulary, but is {pieces}. Choose another word."
            )
        tokens[label] = ids[0]
    if len(set(tokens.values())) != len(tokens):
        raise ValueError(f"Template {cloze.name!r}: two labels have the same token: {tokens}. Choose other words.")
    return torch.tensor(list(tokens.values()))


@dataclass(frozen=True, eq=False)
class ClozeBatch(Tensors):
    """Padded clozes of rows."""

    input_ids: torch.Tensor  # (rows, length)
    attention_mask: torch.Tensor  # (rows, length)
    mask_positions: torch.Tensor  # (rows,)


class Demonstrations:
    """Training rows with their labels filled in, to stand behind a row (LM-BFF, Gao et al., 2021, Section 6).

    A draw has one row of each label, in the order of the labels; a label that no row has is left out.
    """

    def __init__(self, cloze: Cloze, rows: Sequence[Row]) -> None:
        self.rows = list(rows)
        labels = [cloze.label_of(row) for row in self.rows]
        self.groups = [[n for n, own in enumerate(labels) if own == label] for label in cloze.labels]

    def draw(self, random: np.random.Generator, without: int | None = None) -> list[Row]:
        """One row of each label; `without` is the number of a row that must not be shown its own answer."""
        choices = [[number for number in group if number != without] for group in self.groups]
        return [self.rows[group[int(random.integers(len(group)))]] for group in choices if group]


class ClozeInputBuilder:
    """Turns rows into sequences "filled template [SEP] demonstration [SEP] ..." with one mask.

    A sequence that is too long loses tokens at the end of its longest texts, be they of the row or of demonstrations,
    and none of the template.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, cloze: Cloze, max_length: int) -> None:
        self.label_tokens = label_tokens(cloze, tokenizer)
        self.tokenizer = tokenizer
        self.cloze = cloze
        self.max_length = max_length

    def __call__(self, rows: Sequence[Row], demonstrations: Sequence[Sequence[Row]]) -> ClozeBatch:
        made = [self.sequence(row, shown) for row, shown in zip(rows, demonstrations, strict=True)]
        ids, mask = padded([own for own, _ in made], self.tokenizer.pad_token_id)
        return ClozeBatch(ids, mask, torch.tensor([position for _, position in made]))

    def sequence(self, row: Row, demonstrations: Sequence[Row]) -> tuple[np.ndarray, int]:
        """The tokens of a row with its demonstrations, and where the mask is."""
        own = self.cloze.fill(row, self.tokenizer.mask_token)
        text, fields = own.text, list(own.fields)
        for shown in demonstrations:
            filled = self.cloze.fill(shown, self.cloze.labels[self.cloze.label_of(shown)])
            text += f" {self.tokenizer.sep_token} "
            fields += [(begin + len(text), end + len(text)) for begin, end in filled.fields]
            text += filled.text
        encoded = self.tokenizer(text, return_offsets_mapping=True, verbose=False)
        ids, offsets = np.array(encoded["input_ids"]), np.array(encoded["offset_mapping"])
        kept = self._kept(offsets, fields)
        # A text may hold the mask token too: the gap is where the template has it.
        gap = (ids == self.tokenizer.mask_token_id) & (offsets[:, 0] <= own.gap) & (offsets[:, 1] > own.gap)
        return ids[kept], int(np.flatnonzero(gap[kept])[0])

    def _kept(self, offsets: np.ndarray, fields: Sequence[tuple[int, int]]) -> np.ndarray:
        """The numbers of the tokens that stay, so that all fit."""
        members = [
            np.flatnonzero((offsets[:, 0] >= begin) & (offsets[:, 1] <= end) & (offsets[:, 1] > offsets[:, 0]))
            for begin, end in fields
        ]
        everything = np.arange(len(offsets))
        if len(offsets) <= self.max_length:
            return everything
        sizes = np.array([len(member) for member in members])
        room = self.max_length - (len(offsets) - sizes.sum())
        if room < len(fields):
            raise ValueError(
                f"Template {self.cloze.name!r} with its demonstrations takes {self.max_length - room} tokens and "
                f"leaves no room for {len(fields)} texts in max_length={self.max_length}. Raise it or leave "
                "demonstrations out."
            )
        # The largest length to which texts can be cut so that all fit.
        limits = np.arange(sizes.max() + 1)
        limit = limits[np.minimum(sizes, limits[:, None]).sum(1) <= room][-1]
        return np.setdiff1d(everything, np.concatenate([member[limit:] for member in members]))
