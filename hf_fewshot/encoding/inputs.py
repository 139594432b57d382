"""Examples as token sequences, and where in them their vectors are read off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.sentence_pooling import SentencePooling
from hf_fewshot.encoding.whole_texts import text_sequences

REPRESENTATIONS = ("words", "mean", "sentence", "markers", "pair")
# How a model of words is read off where every piece counts.
PIECES = "pieces"
# BERT has tokens in reserve for such uses; other vocabularies get four new ones.
UNUSED_MARKERS = ("[unused1]", "[unused2]", "[unused3]", "[unused4]")
NEW_MARKERS = ("<head>", "</head>", "<tail>", "</tail>")


@dataclass(frozen=True)
class Inputs:
    """Sequences of word pieces, and the vectors (rows) that are read off them.

    A row is read off one sequence at two positions: the first piece of a word (twice the same), the start markers of
    head and tail, or the first and last piece of a mean or of a whole text. Rows are in order of examples and, within,
    of sequences.
    """

    sequences: list[np.ndarray]
    row_sequence: np.ndarray  # (rows,) sequence of each row
    row_positions: np.ndarray  # (rows, 2)
    offsets: np.ndarray  # (examples + 1,) rows of each example


def add_markers(tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """The ids of the four entity markers, added to the tokenizer where it has none in reserve."""
    vocabulary = tokenizer.get_vocab()
    markers = UNUSED_MARKERS if all(token in vocabulary for token in UNUSED_MARKERS) else NEW_MARKERS
    if markers is NEW_MARKERS:
        tokenizer.add_special_tokens(
            {"additional_special_tokens": list(NEW_MARKERS)}, replace_extra_special_tokens=False
        )
    vocabulary = tokenizer.get_vocab()
    return [vocabulary[token] for token in markers]


class InputBuilder:
    """Turns examples into inputs for one representation.

    `words`: one row per word, its first piece; long sentences are cut into chunks, nothing is lost. `pieces`: the
    same, one row per piece. `mean`: one row per text, the mean of its pieces; `markers`: one row per relation
    instance, the start markers of head and tail side by side. Both cut what exceeds `max_length`. `sentence`: one row
    per text, which the tokenizer reads whole, special tokens and all; `pooling` says what stands before it.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        representation: str,
        max_length: int,
        pooling: SentencePooling | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.representation = representation
        self.max_length = max_length
        self.pooling = pooling or SentencePooling()
        self.room = max_length - 2
        if self.room < 1:
            raise ValueError(f"max_length must be at least 3, but is {max_length}.")
        self.start = tokenizer.cls_token_id if tokenizer.cls_token_id is not None else tokenizer.bos_token_id
        self.end = tokenizer.sep_token_id if tokenizer.sep_token_id is not None else tokenizer.eos_token_id
        if (self.start is None or self.end is None) and representation != "sentence":
            raise ValueError("The tokenizer has neither [CLS] and [SEP] nor start and end tokens. Use an encoder's.")
        self.markers = add_markers(tokenizer) if representation in ("markers", "pair") else []

    def __call__(self, examples: Sequence[dict[str, Any]]) -> Inputs:
        if self.representation == "sentence":
            return self._sentences(examples)
        pieces, first_pieces = self.pieces(examples)
        builders = {"words": self._words, PIECES: self._pieces, "mean": self._mean, "markers": self._markers}
        build = builders[self.representation]
        sequences: list[np.ndarray] = []
        numbers: list[np.ndarray] = []
        positions: list[np.ndarray] = []
        rows = [0]
        for example, own, first in zip(examples, pieces, first_pieces, strict=True):
            added, number, position = build(example, own, first)
            numbers.append(number + len(sequences))
            positions.append(position)
            sequences += added
            rows.append(len(number))
        return Inputs(
            sequences,
            np.concatenate(numbers) if numbers else np.zeros(0, dtype=np.int64),
            np.concatenate(positions) if positions else np.zeros((0, 2), dtype=np.int64),
            np.cumsum(rows),
        )

    def _sentences(self, examples: Sequence[dict[str, Any]]) -> Inputs:
        sequences = text_sequences(self.tokenizer, examples, self.max_length, self.pooling)
        numbers = np.arange(len(sequences) + 1)
        ends = np.array([[0, len(sequence) - 1] for sequence in sequences], dtype=np.int64).reshape(-1, 2)
        return Inputs(sequences, numbers[:-1], ends, numbers)

    def pieces(self, examples: Sequence[dict[str, Any]]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The word pieces of each example, and where each of its words begins.

        A word that the tokenizer drops (white space, control characters) counts as an unknown word.
        """
        texts = [words_of(example) for example in examples]
        for number, words in enumerate(texts):
            if not words:
                raise ValueError(f"Example {examples[number].get('id', number)!r} has no words. Leave it out.")
        ids, starts = self._tokenize(texts)
        dropped = [
            number for number, (words, first) in enumerate(zip(texts, starts, strict=True)) if len(first) < len(words)
        ]
        if dropped:
            known = {word: bool(self._tokenize([[word]])[0][0].size) for n in dropped for word in set(texts[n])}
            unknown = self.tokenizer.unk_token or self.tokenizer.pad_token
            again = [[word if known[word] else unknown for word in texts[number]] for number in dropped]
            for number, own, first in zip(dropped, *self._tokenize(again), strict=True):
                ids[number], starts[number] = own, first
        return ids, starts

    def _tokenize(self, texts: list[list[str]]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        encoded = self.tokenizer(texts, is_split_into_words=True, add_special_tokens=False, verbose=False)
        ids, starts = [], []
        for number in range(len(texts)):
            words = np.array(encoded.word_ids(number), dtype=np.int64)
            ids.append(np.array(encoded["input_ids"][number], dtype=np.int64))
            starts.append(np.flatnonzero(np.diff(words, prepend=-1)))
        return ids, starts

    def _framed(self, pieces: np.ndarray) -> np.ndarray:
        return np.concatenate([[self.start], pieces, [self.end]])

    def _words(
        self, example: dict[str, Any], pieces: np.ndarray, first: np.ndarray
    ) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        chunks = [self._framed(pieces[begin : begin + self.room]) for begin in range(0, len(pieces), self.room)]
        positions = first % self.room + 1
        return chunks, first // self.room, np.stack([positions, positions], axis=1)

    def _pieces(
        self, example: dict[str, Any], pieces: np.ndarray, first: np.ndarray
    ) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        return self._words(example, pieces, np.arange(len(pieces)))

    def _mean(
        self, example: dict[str, Any], pieces: np.ndarray, first: np.ndarray
    ) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        pieces = pieces[: self.room]
        return [self._framed(pieces)], np.zeros(1, dtype=np.int64), np.array([[1, len(pieces)]])

    def _markers(
        self, example: dict[str, Any], pieces: np.ndarray, first: np.ndarray
    ) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        marked, places = self.mark(example, pieces, first)
        low, high = min(places), max(places)
        if high - low + 1 > self.room:
            raise ValueError(
                f"Example {example.get('id')!r}: {high - low + 1} pieces from head to tail, but max_length leaves "
                f"{self.room}. Raise max_length."
            )
        begin = window_begin(len(marked), (low, high + 1), self.room)
        framed = self._framed(marked[begin : begin + self.room])
        return [framed], np.zeros(1, dtype=np.int64), np.array([[place - begin + 1 for place in places]])

    def mark(self, example: dict[str, Any], pieces: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, list[int]]:
        """The pieces with markers around head and tail, and where the two start markers stand."""
        bounds = np.append(first, len(pieces))
        insertions = []
        for side, (opening, closing) in (("head", self.markers[:2]), ("tail", self.markers[2:])):
            if not example[side]["mentions"]:
                raise ValueError(f"Example {example.get('id')!r}: {side} has no mention. Say which words it is.")
            mention = example[side]["mentions"][0]
            start, end = mention["start"], mention["end"]
            if not 0 <= start < end <= len(first):
                raise ValueError(
                    f"Example {example.get('id')!r}: {side} at words {start} to {end}, but it has {len(first)} words."
                )
            # Where an entity ends and another begins, the closing marker comes first.
            insertions += [(int(bounds[start]), 1, opening, side), (int(bounds[end]), 0, closing, "")]
        insertions.sort(key=lambda insertion: insertion[:2])
        marked = np.insert(pieces, [place for place, *_ in insertions], [token for _, _, token, _ in insertions])
        places = {side: place + before for before, (place, _, _, side) in enumerate(insertions) if side}
        return marked, [places["head"], places["tail"]]


def window(pieces: np.ndarray, span: tuple[int, int], room: int) -> np.ndarray:
    """At most `room` of the pieces, those of the span among them."""
    begin = window_begin(len(pieces), span, room)
    return pieces[begin : begin + room]


def window_begin(length: int, span: tuple[int, int], room: int) -> int:
    """Where a window of `room` of so many pieces begins that has the span in the middle, if it must cut."""
    return int(np.clip((span[0] + span[1] - room) // 2, 0, max(length - room, 0)))


def words_of(example: dict[str, Any]) -> list[str]:
    """The words of an example; a text counts as split at white space."""
    return list(example["tokens"]) if "tokens" in example else example["text"].split()


def batches(lengths: np.ndarray, budget: int) -> list[np.ndarray]:
    """Numbers of sequences, longest first, in batches of at most `budget` padded tokens (one sequence at least)."""
    order = np.argsort(-lengths, kind="stable")
    groups, begin = [], 0
    while begin < len(order):
        size = max(1, int(budget // lengths[order[begin]]))
        groups.append(order[begin : begin + size])
        begin += size
    return groups


def padded(sequences: Sequence[np.ndarray], padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and attention mask (sequences, longest)."""
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    ids = torch.full((len(sequences), int(lengths.max())), padding, dtype=torch.long)
    mask = torch.arange(ids.shape[1]) < lengths.unsqueeze(1)
    ids[mask] = torch.from_numpy(np.concatenate(sequences))
    return ids, mask.long()
