"""What an encoder reads, as tensors."""

from dataclasses import dataclass
from typing import Self

import torch

from hf_fewshot.encoding.inputs import Inputs, padded
from hf_fewshot.encoding.tensors import Tensors


@dataclass(frozen=True, eq=False)
class EncoderInputs(Tensors):
    """Padded sequences, and where in them vectors (rows) are read off (see `Inputs`)."""

    input_ids: torch.Tensor  # (sequences, length)
    attention_mask: torch.Tensor  # (sequences, length)
    row_sequence: torch.Tensor  # (rows,) sequence of each row
    row_positions: torch.Tensor  # (rows, 2)

    @classmethod
    def padded(cls, inputs: Inputs, padding: int) -> Self:
        """All sequences of some inputs together."""
        rows = torch.from_numpy(inputs.row_sequence), torch.from_numpy(inputs.row_positions)
        return cls(*padded(inputs.sequences, padding), *rows)
