"""Support and query sentences encoded together, for Sentence-Pair."""

from collections.abc import Sequence

import numpy as np
import torch
from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import InputBuilder, padded
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.episode_batch import plain_examples
from hf_fewshot.models.few_shot_model import FewShotModel


def pair_inputs(
    model: FewShotModel, tokenizer: PreTrainedTokenizerBase, examples: Dataset, episodes: Sequence[Episode]
) -> tuple[EncoderInputs, torch.Tensor]:
    """`[CLS] support [SEP] query [SEP]` of all pairs of each episode, and their rows (episodes, query, support).

    Entities are marked. Where a pair is too long, the longer sentence is cut first, after its entities if possible.
    """
    builder = InputBuilder(tokenizer, "pair", model.config.max_length)
    used = sorted({row for episode in episodes for row in (*episode.support, *episode.query)})
    plain = plain_examples(examples, used)
    pieces = [builder.mark(e, own, first)[0] for e, own, first in zip(plain, *builder.pieces(plain), strict=True)]
    marked = dict(zip(used, pieces, strict=True))
    n_query = max(len(episode.query) for episode in episodes)
    n_support = max(len(episode.support) for episode in episodes)
    rows = np.zeros((len(episodes), n_query, n_support), dtype=np.int64)
    sequences: list[np.ndarray] = []
    second_begins: list[int] = []
    for number, episode in enumerate(episodes):
        for q, query in enumerate(episode.query):
            for s, support in enumerate(episode.support):
                rows[number, q, s] = len(sequences)
                first, second = _cut(marked[support], marked[query], model.config.max_length - 3)
                sequences.append(np.concatenate([[builder.start], first, [builder.end], second, [builder.end]]))
                second_begins.append(len(first) + 2)
    ids, mask = padded(sequences, tokenizer.pad_token_id)
    # A pair is read off at [CLS]; the second position says where its second sentence begins.
    positions = torch.tensor([[0, begin] for begin in second_begins])
    return EncoderInputs(ids, mask, torch.arange(len(sequences)), positions), torch.from_numpy(rows)


def _cut(first: np.ndarray, second: np.ndarray, room: int) -> tuple[np.ndarray, np.ndarray]:
    """The two sentences, the longer one shortened until both fit."""
    excess = len(first) + len(second) - room
    if excess <= 0:
        return first, second
    longer, shorter = max(len(first), len(second)), min(len(first), len(second))
    from_longer = min(excess, longer - shorter)
    rest = excess - from_longer
    cut_first = (from_longer if len(first) >= len(second) else 0) + rest // 2
    cut_second = excess - cut_first
    return first[: len(first) - cut_first], second[: len(second) - cut_second]
