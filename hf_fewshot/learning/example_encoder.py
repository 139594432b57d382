"""Examples to vectors, by the encoder of a learner."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import InputBuilder, Inputs, batches
from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH
from hf_fewshot.learning.features import Features
from hf_fewshot.models.few_shot_model import FewShotModel


class ExampleEncoder:
    """Reads examples with one tokenizer and one model, which stays without dropout."""

    def __init__(self, model: FewShotModel, tokenizer: PreTrainedTokenizerBase) -> None:
        config = model.config
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.padding: int = tokenizer.pad_token_id
        self.read = InputBuilder(tokenizer, config.representation, config.max_length, model.pooling)

    @torch.inference_mode()
    def features(self, inputs: Inputs) -> Features:
        """The vectors of examples, longest first, in batches of equal work."""
        n_examples = len(inputs.offsets) - 1
        if n_examples == 1:
            return Features(self._encode(inputs), inputs.offsets)
        lengths = _lengths(inputs)
        rows = torch.empty(len(inputs.row_sequence), self.model.method.dim, device=self.model.device)
        for group in batches(lengths, TOKENS_PER_BATCH):
            places = np.concatenate([np.arange(inputs.offsets[n], inputs.offsets[n + 1]) for n in group])
            rows[torch.from_numpy(places).to(rows.device)] = self._encode(some(inputs, group))
        return Features(rows, inputs.offsets)

    def _encode(self, inputs: Inputs) -> torch.Tensor:
        read = EncoderInputs.padded(inputs, self.padding).to(self.model.device)
        rows = self.model.encode(read).float()
        if not bool(rows.isfinite().all()):
            raise ValueError("The encoder gives NaN or infinite vectors: its weights are damaged. Load them again.")
        return rows

    def __call__(self, examples: Sequence[Mapping[str, Any]]) -> Features:
        return self.features(self.read([dict(example) for example in examples]))


def some(inputs: Inputs, numbers: np.ndarray) -> Inputs:
    """The inputs of some examples, in the given order."""
    rows = [np.arange(inputs.offsets[number], inputs.offsets[number + 1]) for number in numbers]
    sequences: list[np.ndarray] = []
    row_sequence: list[np.ndarray] = []
    for own in rows:
        used, within = np.unique(inputs.row_sequence[own], return_inverse=True)
        row_sequence.append(within + len(sequences))
        sequences += [inputs.sequences[number] for number in used]
    return Inputs(
        sequences,
        np.concatenate(row_sequence),
        inputs.row_positions[np.concatenate(rows)],
        np.concatenate([[0], np.cumsum([len(own) for own in rows])]),
    )


def _lengths(inputs: Inputs) -> np.ndarray:
    """The tokens of each example."""
    sizes = np.array([len(sequence) for sequence in inputs.sequences])
    first = inputs.row_sequence[inputs.offsets[:-1]]
    return np.add.reduceat(sizes, first)
