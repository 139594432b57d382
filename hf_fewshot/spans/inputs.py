"""Rows of question and context as token windows, and answers as spans of their tokens."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.inputs import padded
from hf_fewshot.encoding.tensors import Tensors

# The segment of tokens between two texts, which no span may hold.
SEPARATOR = -1


@dataclass(frozen=True)
class Passage:
    """The tokens of a row: its question, then its context, whose texts have a separator token between them."""

    texts: list[str]  # the question and the texts of the context
    ids: np.ndarray  # (tokens,)
    segments: np.ndarray  # (tokens,) number of the text that a token is in, or SEPARATOR
    offsets: np.ndarray  # (tokens, 2) characters of that text

    @property
    def n_question(self) -> int:
        """How many tokens the question has."""
        return int((self.segments == 0).sum())

    def text(self, begin: int, end: int) -> str:
        """The text from one token to another, both included."""
        own = self.texts[self.segments[begin]]
        return own[self.offsets[begin, 0] : self.offsets[end, 1]].strip()

    def find(self, answer: str) -> list[tuple[int, int]]:
        """First and last token of every occurrence of an answer that begins and ends where words do."""
        answer = answer.strip()
        if not answer:
            return []
        before, after = (r"\b" if re.match(r"\w", edge) else "" for edge in (answer[0], answer[-1]))
        pattern = re.compile(before + re.escape(answer) + after)
        spans = (
            self.span(number, match.start(), match.end())
            for number, text in enumerate(self.texts)
            for match in pattern.finditer(text)
        )
        return [span for span in spans if span is not None]

    def span(self, segment: int, start: int, end: int) -> tuple[int, int] | None:
        """First and last token of the characters from `start` to before `end` of a text; None where no token is."""
        inside = (self.segments == segment) & (self.offsets[:, 1] > start) & (self.offsets[:, 0] < end)
        places = np.flatnonzero(inside)
        return (int(places[0]), int(places[-1])) if len(places) else None


@dataclass(frozen=True)
class Window:
    """A sequence "[CLS] question [SEP] part of the context [SEP]"."""

    ids: np.ndarray  # (length,)
    places: np.ndarray  # (length,) the token of the passage that stands there, or -1
    context_begins: int


@dataclass(frozen=True, eq=False)
class WindowBatch(Tensors):
    """Padded windows: the arguments of `SpanModel.forward`."""

    input_ids: torch.Tensor  # (windows, length)
    attention_mask: torch.Tensor  # (windows, length)
    token_type_ids: torch.Tensor  # (windows, length)
    candidates: torch.Tensor  # (windows, length) which tokens may be in a span
    labels: torch.Tensor | None = None  # (windows, length, 2) which tokens begin and which end an answer


class SpanInputBuilder:
    """Turns rows into passages, and passages into windows.

    Where the context is too long for one window, the next begins `stride` tokens later; nothing is cut off.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, max_length: int, stride: int) -> None:
        if tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
            raise ValueError(
                f"{type(tokenizer).__name__} has no [CLS] and [SEP] tokens (or their like), which span extraction "
                "needs for 'no answer' and between question and context. Use an encoder's tokenizer."
            )
        if stride < 1:
            raise ValueError(f"stride must be at least 1, but is {stride}.")
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.stride = stride
        # RoBERTa has two separators between the texts of a pair, BERT one.
        self.n_between = tokenizer.num_special_tokens_to_add(pair=True) - 2

    def passages(self, rows: Sequence[dict[str, Any]]) -> list[Passage]:
        """The tokens of each row."""
        if not rows:
            return []
        texts = [[row["question"], *row["context"]] for row in rows]
        flat = [text for own in texts for text in own]
        encoded = self.tokenizer(
            flat, add_special_tokens=False, return_offsets_mapping=True, return_attention_mask=False, verbose=False
        )
        tokens = zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
        return [self._passage(own, [next(tokens) for _ in own]) for own in texts]

    def _passage(self, texts: list[str], tokens: list[tuple[list[int], list[tuple[int, int]]]]) -> Passage:
        ids: list[int] = []
        segments: list[int] = []
        offsets: list[tuple[int, int]] = []
        for number, (own, places) in enumerate(tokens):
            if number > 1:
                ids.append(self.tokenizer.sep_token_id)
                segments.append(SEPARATOR)
                offsets.append((0, 0))
            ids += own
            segments += [number] * len(own)
            offsets += places
        return Passage(texts, np.array(ids), np.array(segments), np.array(offsets).reshape(-1, 2))

    def windows(self, passage: Passage) -> Iterator[Window]:
        """The windows that together hold all tokens of a passage."""
        head, length = passage.n_question, len(passage.ids)
        room = self.max_length - head - self.n_between - 2
        if room < 1:
            raise ValueError(
                f"The question has {head} tokens, which leaves no room for the context in max_length="
                f"{self.max_length}: {passage.texts[0][:80]!r}. Raise max_length."
            )
        start = np.array([self.tokenizer.cls_token_id])
        between = np.full(self.n_between, self.tokenizer.sep_token_id)
        begin = head
        while True:
            end = min(begin + room, length)
            parts = [start, passage.ids[:head], between, passage.ids[begin:end], between[:1]]
            places = [[-1], range(head), [-1] * self.n_between, range(begin, end), [-1]]
            yield Window(
                np.concatenate(parts).astype(np.int64), np.array([*chain(*places)]), 1 + head + self.n_between
            )
            if end == length:
                return
            # A stride longer than the room would skip tokens.
            begin += min(self.stride, room)


def answer_spans(row: dict[str, Any], passage: Passage) -> list[tuple[int, int]]:
    """The spans that a row's answers are, in the order of the answers and of the places of each.

    Where the row says at which character an answer begins (`answer_variants` of SQuAD), that place; else every place
    where the answer stands, in the question (labels of classification tasks) or in the context (entities).
    """
    variants = [variant for variant in row.get("answer_variants") or [] if variant["answer_start"] >= 0]
    if variants:
        ends = [(one["answer_start"], one["answer_start"] + len(one["text"])) for one in variants]
        spans = (passage.span(1, start, end) for start, end in ends)
        return list(dict.fromkeys(span for span in spans if span is not None))
    return list(dict.fromkeys(span for answer in row["answers"] for span in passage.find(answer)))


def set_labels(window: Window, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    """Which positions of a window begin and end an answer (length, 2); spans that are not whole in it do not count."""
    labels = np.zeros((len(window.places), 2), dtype=bool)
    for begin, end in _inside(window, spans):
        labels[begin, 0] = labels[end, 1] = True
    return labels


def single_labels(window: Window, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    """Where the first answer that is whole in a window begins and ends (length, 2); without one, both at [CLS]."""
    labels = np.zeros((len(window.places), 2), dtype=bool)
    begin, end = next(_inside(window, spans), (0, 0))
    labels[begin, 0] = labels[end, 1] = True
    return labels


def _inside(window: Window, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The first and last positions of spans that are whole in a window."""
    position = {int(place): number for number, place in enumerate(window.places) if place >= 0}
    return ((position[begin], position[end]) for begin, end in spans if begin in position and end in position)


def window_batch(windows: Sequence[Window], segments: Sequence[np.ndarray], padding: int) -> WindowBatch:
    """Some windows with the segments of their passages' tokens."""
    ids, mask = padded([window.ids for window in windows], padding)
    # As token ids are: what may be in a span is 1, padding and separators are 0.
    allowed = [
        ((w.places >= 0) & (own[w.places] != SEPARATOR)).astype(np.int64)
        for w, own in zip(windows, segments, strict=True)
    ]
    begins = torch.tensor([window.context_begins for window in windows]).unsqueeze(1)
    return WindowBatch(
        input_ids=ids,
        attention_mask=mask,
        token_type_ids=((torch.arange(ids.shape[1]) >= begins) & (mask > 0)).long(),
        candidates=padded(allowed, 0)[0].bool(),
    )
