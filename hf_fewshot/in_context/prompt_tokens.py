"""Prompts as token ids: always those of the whole text, so that no seam between its parts shows."""

from collections.abc import Sequence
from typing import NamedTuple

from transformers import PreTrainedTokenizerBase

from hf_fewshot.in_context.branching import branch, n_shared
from hf_fewshot.in_context.prompts import Prompts, chat_texts

Tokens = list[int]


class Asked(NamedTuple):
    """Prompts that begin alike, in tokens.

    `prefix` is what all begin with, up to where a query may change a token; `queries` is what follows for each, at
    least one token; `options` is what follows that for each of its options, none where the answer is free text.
    """

    prefix: Tokens
    queries: list[Tokens]
    options: list[list[Tokens]]


class PromptTokens:
    """Turns prompts into tokens.

    Text is never cut before it is tokenized: a tokenizer may merge the last characters of one part with the first of
    the next, and a line break before a query must be the one before a demonstration.

    Args:
        chat: write prompts by the tokenizer's chat template: demonstrations are earlier turns.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, *, chat: bool = False) -> None:
        self.tokenizer = tokenizer
        self.chat = chat
        self._start = [] if chat else start_tokens(tokenizer)

    def asked(
        self, prompts: Prompts, kept: Sequence[int], queries: Sequence[str], options: Sequence[str] = ()
    ) -> Asked:
        """Queries after the same demonstrations, and their options."""
        shared, texts = self.texts(prompts, kept, queries)
        words = [self.word(option) for option in options]
        contexts = self.encode(texts)
        wholes = iter(self.encode([text + word for text in texts for word in words]))
        after = [[next(wholes) for _ in words] for _ in texts]
        ends = [_end(context, own) for context, own in zip(contexts, after, strict=True)]
        beginnings = [context[:end] for context, end in zip(contexts, ends, strict=True)]
        # Up to the query it is the same for all requests of an episode, so that it is computed once.
        common = min(
            n_shared(self.encode([shared])[0], *beginnings), min((len(own) - 1 for own in beginnings), default=0)
        )
        return Asked(
            beginnings[0][:common] if beginnings else [],
            [own[common:] for own in beginnings],
            [[whole[end:] for whole in own] for own, end in zip(after, ends, strict=True)],
        )

    def texts(self, prompts: Prompts, kept: Sequence[int], queries: Sequence[str]) -> tuple[str, list[str]]:
        """What all prompts begin with, and each prompt up to its answer."""
        if self.chat:
            return chat_texts(self.tokenizer, prompts, kept, queries)
        prefix = prompts.prefix(kept)
        return prefix, [prefix + query for query in queries]

    def word(self, answer: str) -> str:
        """An answer as it follows its prompt: in plain text after a space, as the turn of a conversation at once."""
        return answer if self.chat else f" {answer}"

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of whole texts."""
        # A prompt that is too long is dealt with elsewhere; the tokenizer need not warn of it.
        found = self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"] if texts else []
        return [[*self._start, *tokens] for tokens in found]


def start_tokens(tokenizer: PreTrainedTokenizerBase) -> Tokens:
    """What the tokenizer puts before a text, such as a begin-of-sequence token."""
    plain = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    start = next((i for i in range(len(whole)) if whole[i : i + len(plain)] == plain), 0)
    return whole[:start]


def _end(context: Tokens, wholes: Sequence[Tokens]) -> int:
    """Where the options of a query part from its prompt."""
    end = branch(context, wholes)
    if end < 1:
        raise ValueError(
            "A prompt together with the word of a label is a single token, so nothing says how likely that word is. "
            "Give the format a longer query or an instruction."
        )
    return end
