"""The next token of sequences: the most likely one, or one that is drawn."""

import zlib
from collections.abc import Callable, Sequence

import numpy as np
import torch

from hf_fewshot.in_context.sampling import Sampling

# From logits (sequences, vocabulary) and the numbers of the sequences to the next token of each.
NextTokens = Callable[[torch.Tensor, Sequence[int]], list[int]]


class Drawing:
    """Chooses the next tokens of numbered sequences.

    What is drawn is a function of the seed, the prompt and the number of the sample: neither other prompts nor
    processes change it.

    Args:
        prompts: the tokens of each sequence so far; a prompt that comes again is another sample.
    """

    def __init__(self, sampling: Sampling, prompts: Sequence[Sequence[int]]) -> None:
        self.temperature = sampling.temperature
        self._generators: list[np.random.Generator] = []
        seen: dict[int, int] = {}
        for tokens in prompts if sampling.temperature > 0 else ():
            prompt = zlib.crc32(np.asarray(tokens, dtype=np.int64).tobytes())
            sample = seen.get(prompt, 0)
            seen[prompt] = sample + 1
            self._generators.append(np.random.default_rng([sampling.seed, prompt, sample]))

    def __call__(self, logits: torch.Tensor, numbers: Sequence[int]) -> list[int]:
        """The next token of each of these sequences, whose logits (sequences, vocabulary) are given."""
        if self.temperature == 0:
            return logits.argmax(-1).tolist()
        shares = (logits.double() / self.temperature).softmax(-1).cumsum(-1).cpu()
        drawn = torch.tensor([self._generators[number].random() for number in numbers], dtype=torch.float64)
        # Of shares that do not quite sum to one, the last token takes what is missing.
        found = torch.searchsorted(shares, drawn[:, None] * shares[:, -1:], right=True)[:, 0]
        return found.clamp(max=shares.shape[-1] - 1).tolist()


GREEDY: NextTokens = Drawing(Sampling(), ())
