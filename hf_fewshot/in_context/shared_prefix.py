"""Scores options and generates answers after a prefix whose keys and values are computed once."""

import copy
import inspect
from collections.abc import Callable, Sequence

import torch
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from hf_fewshot.in_context.drawing import GREEDY, NextTokens
from hf_fewshot.in_context.packing import Pack, packs

Tokens = Sequence[int]
# Longer packs waste work on keys of other sequences, shorter ones on calls. An answer takes many calls with one token
# per sequence each, which cost little more for many sequences than for a few.
TOKENS_PER_PACK = 512
TOKENS_PER_WRITING_PACK = 2048
SEQUENCES_PER_WRITING_PACK = 64


class SharedPrefix:
    """A causal language model that keeps the keys and values of the last prefix it saw."""

    def __init__(self, model: PreTrainedModel) -> None:
        self.model = model
        self._prefix: list[int] = []
        self._cache = DynamicCache(config=model.config)

    @torch.inference_mode()
    def score(
        self, prefix: Tokens, queries: Sequence[Tokens], options: Sequence[Sequence[Tokens]]
    ) -> list[list[float]]:
        """The log-likelihood of each option of each query after the prefix. A query's tokens serve all its options."""
        scores: list[list[float]] = []
        sizes = [len(q) + sum(len(o) - 1 for o in own) for q, own in zip(queries, options, strict=True)]
        for group in packs(sizes, TOKENS_PER_PACK):
            flat = iter(self._score_pack(prefix, [queries[i] for i in group], [options[i] for i in group]))
            scores += [[next(flat) for _ in options[i]] for i in group]
        return scores

    def _score_pack(
        self, prefix: Tokens, queries: Sequence[Tokens], options: Sequence[Sequence[Tokens]]
    ) -> list[float]:
        pack = Pack(len(prefix))
        pieces: list[tuple[int, Tokens]] = []
        # One entry per token of an option: the row that predicts it, the token, the option's number.
        rows: list[int] = []
        targets: list[int] = []
        numbers: list[int] = []
        n_rows, n_options, sequence = 0, 0, 0
        for query, own in zip(queries, options, strict=True):
            pieces.append((sequence, query))
            parent, last = sequence, n_rows + len(query) - 1
            n_rows += len(query)
            for option in own:
                sequence += 1
                pack.parents[sequence] = parent
                pieces.append((sequence, option[:-1]))
                rows += [last, *range(n_rows, n_rows + len(option) - 1)]
                targets += option
                numbers += [n_options] * len(option)
                n_rows += len(option) - 1
                n_options += 1
            sequence += 1
        kept, where = torch.unique(torch.tensor(rows), return_inverse=True)
        logits = self._forward(pack, pieces, self._after(prefix), kept)
        gold = logits[where.to(logits.device), torch.tensor(targets, device=logits.device)]
        found = (gold - logits.logsumexp(-1)[where.to(logits.device)]).double().cpu()
        return torch.zeros(n_options, dtype=torch.float64).index_add_(0, torch.tensor(numbers), found).tolist()

    @torch.inference_mode()
    def generate(
        self,
        prefix: Tokens,
        queries: Sequence[Tokens],
        max_new_tokens: int,
        ended: Callable[[list[int]], bool],
        next_tokens: NextTokens = GREEDY,
    ) -> list[list[int]]:
        """One of the `next_tokens` again and again, until an answer has `ended` or has `max_new_tokens`."""
        answers: list[list[int]] = [[] for _ in queries]
        sizes = [max(len(query), TOKENS_PER_WRITING_PACK // SEQUENCES_PER_WRITING_PACK) for query in queries]
        for group in packs(sizes, TOKENS_PER_WRITING_PACK):
            pack, cache = Pack(len(prefix)), self._after(prefix)
            pieces: list[tuple[int, Tokens]] = [(i, queries[i]) for i in group]
            last = torch.tensor([len(queries[i]) for i in group]).cumsum(0) - 1
            for _ in range(max_new_tokens):
                chosen = next_tokens(self._forward(pack, pieces, cache, last), [i for i, _ in pieces])
                for (i, _), token in zip(pieces, chosen, strict=True):
                    answers[i].append(token)
                pieces = [(i, [answers[i][-1]]) for i, _ in pieces if not ended(answers[i])]
                if not pieces:
                    break
                last = torch.arange(len(pieces))
        return answers

    def _forward(
        self, pack: Pack, pieces: Sequence[tuple[int, Tokens]], cache: DynamicCache, rows: torch.Tensor
    ) -> torch.Tensor:
        """Logits (rows, vocabulary) of some of the new tokens."""
        model = self.model
        inputs = pack.extend(pieces, model.dtype, model.device)
        return model(**inputs, past_key_values=cache, use_cache=True, logits_to_keep=rows).logits[0].float()

    def _after(self, prefix: Tokens) -> DynamicCache:
        """The cache of a prefix, ready to grow: what is added makes new tensors and leaves the prefix's own alone."""
        if self._prefix != list(prefix):
            cache = DynamicCache(config=self.model.config)
            if prefix:
                ids = torch.tensor([list(prefix)], device=self.model.device)
                self.model(ids, past_key_values=cache, use_cache=True, logits_to_keep=1)
            self._prefix, self._cache = list(prefix), cache
        cache = copy.copy(self._cache)
        cache.layers = [copy.copy(layer) for layer in self._cache.layers]
        return cache


def can_share(model: PreTrainedModel) -> bool:
    """Whether sequences can be packed behind one prefix.

    It takes full attention in all layers, computed by an implementation that takes any mask, and positions that can be
    told. The model must also prove on a few tokens that it gives the same logits.
    """
    needed = {"position_ids", "past_key_values", "logits_to_keep"}
    if not needed <= inspect.signature(model.forward).parameters.keys():
        return False
    if model.config._attn_implementation not in ("eager", "sdpa"):
        return False
    if not all(type(layer) is DynamicLayer for layer in DynamicCache(config=model.config).layers):
        return False
    return _proves_it(model)


@torch.inference_mode()
def _proves_it(model: PreTrainedModel) -> bool:
    prefix, queries, option = [1, 2, 3], [[4, 5], [5, 4]], [6, 7]
    try:
        shared = torch.tensor(SharedPrefix(model).score(prefix, queries, [[option], [option]]))[:, 0]
    except (TypeError, ValueError, RuntimeError, IndexError):
        return False
    full = torch.tensor([[*prefix, *query, *option] for query in queries], device=model.device)
    logits = model(full).logits[:, -3:-1].float().log_softmax(-1)
    plain = logits[:, 0, option[0]] + logits[:, 1, option[1]]
    # A wrong mask or position moves logits by as much as they vary; rounding does not.
    return bool((shared.to(plain) - plain).abs().max() < 0.05 * logits.std())
