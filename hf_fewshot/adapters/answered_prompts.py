"""Prompts with their answers, as a language model is tuned on them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hf_fewshot.in_context.prompt_tokens import PromptTokens
from hf_fewshot.in_context.prompts import Demonstration, Prompts

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class AnsweredPrompt:
    """The tokens of a prompt and its answer, how many of them at the end are to be learned, and the answer's label."""

    tokens: list[int]
    n_learned: int
    label: str = ""


def answered_prompts(
    prompts: Prompts, tokens: PromptTokens, *, max_length: int, demonstrations: bool = False
) -> list[AnsweredPrompt]:
    """Each demonstration as a query with its answer, in the form in which queries are asked later.

    What is learned is the answer and that it ends. A query that is too long even alone is left out, with a warning.

    Args:
        max_length: the most tokens of prompt and answer together.
        demonstrations: show all the others before each; as many as fit, dropped as they are when queries are asked.
    """
    found = [
        _answered(prompts, number, tokens, max_length, demonstrations) for number in range(len(prompts.demonstrations))
    ]
    kept = [one for one in found if one is not None]
    if not kept:
        raise ValueError(
            f"There is nothing to learn from: expected examples of at most {max_length} tokens with their answers, "
            f"got {len(found)}, of which none is. Give other examples, or a model for longer texts."
        )
    if len(kept) < len(found):
        logger.warning(
            f"{len(found) - len(kept)} of {len(found)} examples have more than {max_length} tokens and are left out."
        )
    return kept


def _answered(
    prompts: Prompts, number: int, tokens: PromptTokens, max_length: int, shows: bool
) -> AnsweredPrompt | None:
    own = prompts.demonstrations[number]
    others = (*prompts.demonstrations[:number], *prompts.demonstrations[number + 1 :]) if shows else ()
    prompts = replace(prompts, demonstrations=others)
    order = prompts.drop_order()
    for dropped in range(len(order) + 1):
        found = _tokens(prompts, sorted(order[dropped:]), own, tokens)
        if len(found.tokens) <= max_length:
            return found
    return None


def _tokens(prompts: Prompts, kept: Sequence[int], own: Demonstration, tokens: PromptTokens) -> AnsweredPrompt:
    asked = tokens.asked(prompts, kept, [own.query], [own.answer])
    end = tokens.tokenizer.eos_token_id
    learned = [*asked.options[0][0], *([] if end is None else [end])]
    return AnsweredPrompt([*asked.prefix, *asked.queries[0], *learned], len(learned), own.label)
