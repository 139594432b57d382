"""Labelled data as people bring it, from hand-written grammars: a CSV, a CoNLL and two JSONL files, in English."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.data.grammar import Draw, Expansion, Grammar, distinct, lines, read_grammar

TEXTS, SENTENCES, RELATIONS, UTTERANCES = 15, 16, 15, 14  # of each class
HERE = Path(__file__).parent


def write(folder: Path) -> None:
    """Write `texts.csv`, `entities.conll`, `relations.jsonl` and `utterances.jsonl` into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    grammar = Grammar(read_grammar(HERE / "sample_words.yaml"))
    files = {
        "texts.csv": _csv(_texts(grammar)),
        "entities.conll": _conll(_sentences(grammar)),
        "relations.jsonl": _json_lines(_relations(grammar)),
        "utterances.jsonl": _json_lines(_utterances(grammar)),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _made(grammar: Grammar, templates: str, name: str, number: int, seen: set[str]) -> Iterator[Expansion]:
    """Distinct expansions of templates, as many of each."""
    draw = Draw(f"own data {name}")
    chosen = draw.cycle(lines(templates))
    for _ in range(number):
        yield distinct(lambda: grammar.expand(next(chosen), draw), lambda one: one.text, seen)


def _texts(grammar: Grammar) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for label, templates in read_grammar(HERE / "sample_texts.yaml").items():
        for one in _made(grammar, templates, label, TEXTS, seen):
            text = " ".join(one.text.replace(" ,", ",").split())
            yield text[0].upper() + text[1:], label


def _sentences(grammar: Grammar) -> Iterator[list[tuple[str, str]]]:
    seen: set[str] = set()
    for name, templates in read_grammar(HERE / "sample_entities.yaml").items():
        for one in _made(grammar, templates, name, SENTENCES, seen):
            tags = ["O"] * len(one.tokens)
            for span in one.token_spans:
                inside = [f"I-{span.label}"] * (span.end - span.start - 1)
                tags[span.start : span.end] = [f"B-{span.label}", *inside]
            yield list(zip(one.tokens, tags, strict=True))


def _relations(grammar: Grammar) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for relation, ((head, tail), templates) in read_grammar(HERE / "sample_relations.yaml").items():
        filled = templates.replace("{head}", f"{{head={head}}}").replace("{tail}", f"{{tail={tail}}}")
        for one in _made(grammar, filled, relation, RELATIONS, seen):
            places = {span.label: {"start": span.start, "end": span.end} for span in one.spans}
            yield {"text": one.text, "head": places["head"], "tail": places["tail"], "relation": relation}


def _utterances(grammar: Grammar) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for domain, intents in read_grammar(HERE / "sample_utterances.yaml").items():
        for intent, templates in intents.items():
            for one in _made(grammar, templates, intent, UTTERANCES, seen):
                text = one.text.rstrip()
                slots = [{"start": span.start, "end": span.end, "type": span.label} for span in one.spans]
                yield {"text": text, "intent": intent, "slots": slots, "domain": domain}


def _csv(rows: Iterable[tuple[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("text", "label"))
    writer.writerows(rows)
    return text.getvalue()


def _conll(sentences: Iterable[list[tuple[str, str]]]) -> str:
    return "\n".join("".join(f"{token} {tag}\n" for token, tag in sentence) for sentence in sentences)


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
