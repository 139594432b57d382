"""What a query is asked, to be looked at: the very request of a run, which nobody answers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from hf_fewshot.in_context.backend import Answer, Request
from hf_fewshot.in_context.causal_lm import CausalLM, require_causal
from hf_fewshot.in_context.prompts import Message


@dataclass(frozen=True)
class PromptView:
    """A prompt as a model gets it.

    Args:
        request: what is asked, with one query.
        text: of the prompt; None where messages are sent, or it does not fit the model.
        messages: of a conversation that a server writes out.
        n_tokens: of the text, where the tokenizer is known.
        dropped: how many demonstrations did not fit.
    """

    request: Request
    text: str | None = None
    messages: list[Message] | None = None
    n_tokens: int | None = None
    dropped: int = 0


class Onlooker:
    """A backend without a model: keeps how the last query would be asked, and answers nothing.

    Args:
        chat: keep it as the messages of a conversation, else as plain text.
        scores_options: whether labels would be compared by their likelihood.
    """

    concurrency = 1
    queries_per_request = 1

    def __init__(self, *, chat: bool = False, scores_options: bool = True) -> None:
        self.chat = chat
        self.scores_options = scores_options
        self.view: PromptView | None = None

    def prepare(self, device: torch.device) -> None:
        """There is nothing to do."""

    def describe(self) -> dict[str, Any]:
        """There is nothing that answers depend on."""
        return {}

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """To look costs nothing."""
        return None

    def answer(self, request: Request) -> list[Answer]:
        """No answer."""
        (query,) = request.queries
        kept = range(len(request.prompts.demonstrations))
        if self.chat:
            self.view = PromptView(request, messages=request.prompts.messages(kept, query))
        else:
            self.view = PromptView(request, request.prompts.prefix(kept) + query)
        return [Answer(problem="too_long")]


class LocalOnlooker(CausalLM):
    """The same for a model of this machine: its tokenizer, its chat template and its context decide.

    Args:
        model: may be without its weights.
    """

    queries_per_request = 1

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *, chat: bool = False) -> None:
        super().__init__(model, tokenizer, chat=chat)
        self.view: PromptView | None = None

    @classmethod
    def from_outline(cls, name: str | Path, *, chat: bool = False) -> Self:
        """The configuration and tokenizer of a model by Hub id or folder; its weights are not loaded."""
        config = AutoConfig.from_pretrained(name)
        require_causal(config)
        with torch.device("meta"):
            model = AutoModelForCausalLM.from_config(config)
        return cls(model, AutoTokenizer.from_pretrained(name), chat=chat)

    def answer(self, request: Request) -> list[Answer]:
        """No answer."""
        self.view = PromptView(request, dropped=len(request.prompts.demonstrations))
        for fitted in self._fit(request):
            _, (text,) = self._tokens.texts(request.prompts, fitted.kept, request.queries)
            n_tokens = len(fitted.prefix) + len(fitted.queries[0])
            self.view = PromptView(request, text, n_tokens=n_tokens, dropped=self.view.dropped - len(fitted.kept))
        return [Answer(problem="too_long")]
