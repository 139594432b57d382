"""The plain way: every prompt is computed from its first token. For models whose prefix cannot be shared."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import (
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedModel,
    StoppingCriteria,
    StoppingCriteriaList,
)

from hf_fewshot.in_context.drawing import GREEDY, NextTokens
from hf_fewshot.in_context.packing import packs

Tokens = Sequence[int]
TOKENS_PER_BATCH = 4096


class FullPrompts:
    """Scores options and generates answers as `SharedPrefix` does, prompt by prompt."""

    def __init__(self, model: PreTrainedModel, padding: int) -> None:
        self.model = model
        self.padding = padding
        self.arguments = inspect.signature(model.forward).parameters.keys()

    @torch.inference_mode()
    def score(
        self, prefix: Tokens, queries: Sequence[Tokens], options: Sequence[Sequence[Tokens]]
    ) -> list[list[float]]:
        """The log-likelihood of each option of each query after the prefix."""
        prompts = [([*prefix, *query], option) for query, own in zip(queries, options, strict=True) for option in own]
        flat: list[float] = []
        for group in self._batches([len(prompt) + len(option) for prompt, option in prompts]):
            batch = [prompts[i] for i in group]
            inputs = self._padded([[*prompt, *option] for prompt, option in batch])
            longest = max(len(option) for _, option in batch)
            keep = {"logits_to_keep": longest + 1} if "logits_to_keep" in self.arguments else {}
            logits = self.model(**inputs, **keep).logits[:, -longest - 1 : -1].float().log_softmax(-1)
            for row, (_, option) in zip(logits, batch, strict=True):
                own = row[longest - len(option) :].gather(1, torch.tensor(option, device=row.device)[:, None])
                flat.append(own.double().sum().item())
        scores = iter(flat)
        return [[next(scores) for _ in own] for own in options]

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
        answers: list[list[int]] = []
        # What a model's own settings say beside, such as a penalty for repetitions, would not be greedy.
        own = self.model.generation_config
        self.model.generation_config = GenerationConfig(
            max_new_tokens=max_new_tokens, do_sample=False, pad_token_id=self.padding
        )
        try:
            for group in self._batches([len(prefix) + len(query) + max_new_tokens for query in queries]):
                inputs = self._padded([[*prefix, *queries[i]] for i in group])
                inputs.pop("position_ids", None)
                start = inputs["input_ids"].shape[1]
                stop = StoppingCriteriaList([_Ended(start, ended)])
                chosen = LogitsProcessorList([_Chosen(next_tokens, group)])
                output = self.model.generate(  # type: ignore[operator]
                    **inputs, stopping_criteria=stop, logits_processor=chosen
                )
                answers += [_cut(row, ended) for row in output[:, start:].tolist()]
        finally:
            self.model.generation_config = own
        return answers

    def _batches(self, lengths: Sequence[int]) -> Sequence[list[int]]:
        return list(packs([max(lengths)] * len(lengths), TOKENS_PER_BATCH)) if lengths else []

    def _padded(self, sequences: Sequence[Tokens]) -> dict[str, Any]:
        """A batch (sequences, longest), padded on the left so that all end together."""
        width = max(map(len, sequences))
        ids = torch.full((len(sequences), width), self.padding)
        mask = torch.zeros_like(ids)
        for row, tokens in enumerate(sequences):
            ids[row, width - len(tokens) :] = torch.tensor(tokens)
            mask[row, width - len(tokens) :] = 1
        inputs = {"input_ids": ids, "attention_mask": mask}
        if "position_ids" in self.arguments:
            inputs["position_ids"] = (mask.cumsum(-1) - 1).clamp(min=0)
        return {name: value.to(self.model.device) for name, value in inputs.items()}


class _Ended(StoppingCriteria):
    """Which rows of a batch have ended."""

    def __init__(self, start: int, ended: Callable[[list[int]], bool]) -> None:
        self.start = start
        self.ended = ended

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor, **kwargs: Any) -> torch.BoolTensor:
        done = [self.ended(row) for row in input_ids[:, self.start :].tolist()]
        return torch.tensor(done, device=input_ids.device)  # type: ignore[return-value]


class _Chosen(LogitsProcessor):
    """Leaves `generate`, which takes the best token, the chosen one."""

    def __init__(self, next_tokens: NextTokens, numbers: Sequence[int]) -> None:
        self.next_tokens = next_tokens
        self.numbers = numbers

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        chosen = torch.tensor(self.next_tokens(scores, self.numbers), device=scores.device)
        return torch.full_like(scores, -torch.inf).scatter(1, chosen[:, None], 0.0)  # type: ignore[return-value]


def _cut(tokens: list[int], ended: Callable[[list[int]], bool]) -> list[int]:
    """Without the padding that follows an answer which ended before others of its batch."""
    for length in range(1, len(tokens)):
        if ended(tokens[:length]):
            return tokens[:length]
    return tokens
