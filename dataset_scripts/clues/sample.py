"""Rows of the six CLUES tasks from hand-written grammars, in the files of CLUES.

A fold has 30 examples of its own; its files of 10 and 20 shots hold the first 10 and 20 of them. In the entity tasks
one example is three rows, one for each question. All examples of all folds are the whole training data of a task.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hf_fewshot.data.grammar import Draw, Expansion, Grammar, distinct, lines, read_grammar

FOLDS = (1, 2, 3, 4, 5)
SHOTS = (10, 20, 30)
TEST_EXAMPLES = 60
ENTITY_QUESTIONS = {
    "PER": "List all the people names in the context",
    "ORG": "List all the organizations in the context",
    "LOC": "List all the locations in the context",
}
# Words that annotators of SQuAD take into an answer or leave out.
MARGINAL_WORDS = ("the", "a", "an", "in", "about")

HERE = Path(__file__).parent
Row = dict[str, Any]


def write(folder: Path) -> None:
    """Write `data/JSON/CLUES-JSON/<task>/<prefix>_{test,train,train_{10,20,30}_{1..5}}.jsonl` under the folder."""
    root = folder / "data" / "JSON" / "CLUES-JSON"
    sst, mnli, ner, squad, record = (
        read_grammar(HERE / f"sample_{name}.yaml") for name in ("sst", "mnli", "ner", "squad", "record")
    )
    _Task(root / "SST-2", "sst", _sst, sst, {name: lines(sst[name]) for name in ("positive", "negative")}).write()
    hypotheses = {label: _pairs(mnli["situations"], label) for label in ("entailment", "neutral", "contradiction")}
    _Task(root / "MNLI", "mnli", _mnli, mnli, hypotheses).write()
    for name, prefix in {"CoNLL2003": "conll", "WikiANN_EN": "wikiann"}.items():
        _Task(root / name, prefix, _entities, ner, {"any": lines(ner[prefix])}).write()
    questions = {kind: _pairs(squad["subjects"], kind) for kind in ("answerable", "impossible")}
    _Task(root / "SQuAD-v2", "squad-v2", _squad, squad, questions).write(
        train_labels=("answerable", "answerable", "impossible"), finish_test=_several_answers
    )
    _Task(root / "ReCoRD", "record", _record, record, {"any": _pairs(record["stories"], "questions")}).write()


def _pairs(entries: Sequence[dict[str, Any]], key: str) -> list[tuple[dict[str, Any], str]]:
    return [(entry, line) for entry in entries for line in lines(entry[key])]


class _Task:
    """One task: how to make an example, and by label what to make it from."""

    def __init__(
        self,
        folder: Path,
        prefix: str,
        make: Callable[[Grammar, Draw, str, Any], list[Row]],
        content: dict[str, Any],
        sources: dict[str, list[Any]],
    ) -> None:
        self.folder, self.prefix, self.make = folder, prefix, make
        self.grammar = Grammar(content["words"])
        self.draw = Draw(f"clues {prefix}")
        self.labels = tuple(sources)
        self.sources = {label: self.draw.cycle(choices) for label, choices in sources.items()}
        self.seen: set[str] = set()

    def write(
        self,
        train_labels: Sequence[str] = (),
        finish_test: Callable[[Draw, Row], Row] = lambda draw, row: row,
    ) -> None:
        """Write the files of the task; labels are equally frequent unless `train_labels` says otherwise."""
        self.folder.mkdir(parents=True, exist_ok=True)
        test = self.draw.shuffled(self._examples(TEST_EXAMPLES, self.labels))
        _dump(
            self.folder / f"{self.prefix}_test.jsonl",
            [[finish_test(self.draw, row) for row in example] for example in test],
        )
        everything: list[list[Row]] = []
        for fold in FOLDS:
            examples = self._examples(max(SHOTS), train_labels or self.labels)
            everything += examples
            for shots in SHOTS:
                path = self.folder / f"{self.prefix}_train_{shots}_{fold}.jsonl"
                _dump(path, self.draw.shuffled(examples[:shots]))
        # What a user adds who has the whole task.
        _dump(self.folder / f"{self.prefix}_train.jsonl", everything)

    def _examples(self, size: int, labels: Sequence[str]) -> list[list[Row]]:
        order = self.draw.cycle(labels)
        return [distinct(partial(self._example, next(order)), _key, self.seen) for _ in range(size)]

    def _example(self, label: str) -> list[Row]:
        return self.make(self.grammar, self.draw, label, next(self.sources[label]))


def _key(example: list[Row]) -> str:
    """What tells examples apart: the id, which depends on the context only, or in SST-2 the context."""
    return example[0]["id"] or example[0]["context"]


def _dump(path: Path, examples: Sequence[list[Row]]) -> None:
    rows = [row for example in examples for row in example]
    if rows[0]["id"] is None:
        # SST-2 numbers the rows of each file anew.
        rows = [row | {"id": number} for number, row in enumerate(rows, start=1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def _sst(grammar: Grammar, draw: Draw, label: str, template: str) -> list[Row]:
    text = grammar.expand(template, draw).text
    # The published rows end in a space, and those with a comma are in quotation marks.
    context = f'"{text} "' if "," in text else f"{text} "
    return [{"answer": [label], "question": "positive or negative?", "id": None, "context": context}]


def _mnli(grammar: Grammar, draw: Draw, label: str, source: tuple[dict[str, Any], str]) -> list[Row]:
    situation, hypothesis = source
    facts = _facts(grammar, {name: name for name in situation["facts"].split()}, draw)
    premise = grammar.expand(draw.choice(lines(situation["premise"])), draw, facts).text
    if situation["genre"] != "telephone":
        premise = _capital(premise)
    row = {
        "genre": situation["genre"],
        "answer": [label],
        # The misspelling of "contradiction" is in the published files.
        "question": "entailment, contraction, or neutral?",
        "id": str(_number(premise, 390_000)),
        "context": [premise, _capital(grammar.expand(hypothesis, draw, facts).text)],
    }
    return [row]


def _entities(grammar: Grammar, draw: Draw, _: str, template: str) -> list[Row]:
    expansion = grammar.expand(template, draw)
    context = " ".join(expansion.tokens)
    return [
        {
            "answer": [text for text, label in expansion.pieces if label == name] or [""],
            "question": question,
            "id": f"{_number(context, 20_000)}_{position}",
            "context": context,
        }
        for position, (name, question) in enumerate(ENTITY_QUESTIONS.items(), start=1)
    ]


def _squad(grammar: Grammar, draw: Draw, label: str, source: tuple[dict[str, Any], str]) -> list[Row]:
    subject, line = source
    template, fact = line.split(" => ")
    facts = _facts(grammar, subject["facts"], draw)
    paragraph = grammar.expand(" ".join(lines(subject["paragraph"])), draw, facts)
    answer = [_mention(paragraph, fact)]
    impossible = label == "impossible"
    row = {
        "question": grammar.expand(template, draw, facts).text,
        "id": _hexadecimal(paragraph.text)[:24],
        "answer": [] if impossible else answer,
        "is_impossible": impossible,
        "context": paragraph.text,
    }
    return [{"plausible_answers": answer, **row} if impossible else row]


def _several_answers(draw: Draw, row: Row) -> Row:
    """Answers of three to five people, who do not always mark the same words."""
    if row["is_impossible"]:
        return row
    variants = _variants(row["context"], row["answer"][0])
    return row | {"answer": [draw.choice(variants) for _ in range(3 + draw.below(3))]}


def _variants(text: str, answer: Row) -> list[Row]:
    """The answer, twice as likely, with the short word in front of it, and without the one it begins with."""
    start, found = answer["answer_start"], answer["text"]
    variants = [answer, answer]
    before = text[:start].split(" ")[-2] if start else ""
    if before in MARGINAL_WORDS:
        variants.append({"text": f"{before} {found}", "answer_start": start - len(before) - 1})
    first, _, rest = found.partition(" ")
    if rest and first in MARGINAL_WORDS:
        variants.append({"text": rest, "answer_start": start + len(first) + 1})
    return variants


def _record(grammar: Grammar, draw: Draw, _: str, source: tuple[dict[str, Any], str]) -> list[Row]:
    story, line = source
    template, fact = line.split(" => ")
    facts = _facts(grammar, story["facts"], draw)
    highlights = draw.shuffled(lines(story["highlights"]))[: 2 + draw.below(3)]
    body = "\n@highlight\n".join([" ".join(lines(story["story"])), *highlights])
    context = grammar.expand(body, draw, facts)
    cloze = grammar.expand(template, draw, facts).text
    row = {
        "id": f"ReCoRD_{_number(context.text, 70_000)}_{1 + _number(context.text, 5)}",
        "context": context.text,
        "entities": [{"start": span.start, "end": span.end - 1} for span in context.spans],
        "question": f'According to claims in the suit, "{cloze}". What is @placeholder?',
        "answer": [_mention(context, fact)],
        "is_impossible": False,
    }
    return [row]


def _facts(grammar: Grammar, names: dict[str, str], draw: Draw) -> dict[str, str]:
    """Draw a phrase for each name, all different."""
    facts: dict[str, str] = {}
    for name, words in names.items():
        phrase = grammar.phrase(words, draw)
        while phrase in facts.values():
            phrase = grammar.phrase(words, draw)
        facts[name] = phrase
    return facts


def _mention(expansion: Expansion, fact: str) -> Row:
    """The first mention of a fact as an answer."""
    span = next(span for span in expansion.spans if span.label == fact)
    return {"text": expansion.text[span.start : span.end], "answer_start": span.start}


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _hexadecimal(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def _number(text: str, bound: int) -> int:
    """A number below the bound that depends on the text only."""
    return int(_hexadecimal(text), 16) % bound
