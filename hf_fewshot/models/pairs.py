"""Support and query sentences encoded together, for Sentence-Pair."""

from collections.abc import Sequence

import numpy as np
import torch
from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import InputBuilder, padded, window
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.episode_batch import plain_examples
from hf_fewshot.models.few_shot_model import FewShotModel


def pair_inputs(
    model: FewShotModel, tokenizer: PreTrainedTokenizerBase, examples: Dataset, episodes: Sequence[Episode]
) -> tuple[EncoderInputs, torch.Tensor]:
    """`[CLS] support [SEP] query [SEP]` of all pairs of each episode, and their rows (episodes, query, support).

    Entities are marked. Where a pair is too long, the longer sentence is cut first, around its entities.
    """
    builder = InputBuilder(tokenizer, "pair", model.config.max_length)
    used = sorted({row for episode in episodes for row in (*episode.support, *episode.query)})
    plain = plain_examples(examples, used)
    pieces = [builder.mark(e, own, first)[0] for e, own, first in zip(plain, *builder.pieces(plain), strict=True)]
    marked = dict(zip(used, pieces, strict=True))
    n_query = max(len(episode.query) for episode in episodes)
    n_support = max(len(episode.support) for episode in episodes)
    rows = np.zeros((len(episodes), n_query, n_support), dtype=np.int64)
    room = model.config.max_length - 3
    sequences: list[np.ndarray] = []
    second_begins: list[int] = []
    for number, episode in enumerate(episodes):
        for q, query in enumerate(episode.query):
            for s, support in enumerate(episode.support):
                rows[number, q, s] = len(sequences)
                first, second = _cut(marked[support], marked[query], builder.markers, room)
                sequences.append(np.concatenate([[builder.start], first, [builder.end], second, [builder.end]]))
                second_begins.append(len(first) + 2)
    ids, mask = padded(sequences, tokenizer.pad_token_id)
    # A pair is read off at [CLS]; the second position says where its second sentence begins.
    positions = torch.tensor([[0, begin] for begin in second_begins])
    return EncoderInputs(ids, mask, torch.arange(len(sequences)), positions), torch.from_numpy(rows)


def _cut(first: np.ndarray, second: np.ndarray, markers: Sequence[int], room: int) -> tuple[np.ndarray, np.ndarray]:
    """The two sentences, the longer one shortened until both fit, around what is between their outer markers."""
    if len(first) + len(second) <= room:
        return first, second
    spans = [_marked_span(pieces, markers) for pieces in (first, second)]
    needed = [end - begin for begin, end in spans]
    if sum(needed) > room:
        raise ValueError(
            f"The entities of a support and a query sentence, with all between them, have {needed[0]} and {needed[1]} "
            f"pieces, but max_length leaves {room}. Raise max_length."
        )
    # The longer one down to the other's length, then both alike; but neither below what it needs.
    half = max(room - min(len(first), len(second)), (room + 1) // 2)
    of_first = half if len(first) >= len(second) else room - half
    of_first = min(max(of_first, needed[0]), room - needed[1])
    return window(first, spans[0], of_first), window(second, spans[1], room - of_first)


def _marked_span(pieces: np.ndarray, markers: Sequence[int]) -> tuple[int, int]:
    """From the first marker to behind the last."""
    places = np.flatnonzero(np.isin(pieces, markers))
    return int(places[0]), int(places[-1]) + 1
