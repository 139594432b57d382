"""News sentences with a subject and an object from a hand-written grammar, in the files of TACRED.

As in TACRED all relations occur in all three files, and most instances have none; `categories_split.json` says which
relations the few-shot transformation keeps in which split. Of the linguistic columns only `stanford_ner` is there,
which tags the two entities.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hf_fewshot.data.grammar import Draw, Grammar, distinct, lines, read_grammar

# Instances of each relation that the split keeps and of each that it does not, and of all together.
SIZES = {"train": (20, 11, 2000), "dev": (15, 3, 700), "test": (16, 6, 1200)}
LEAD_RATE, TAIL_RATE = 0.35, 0.45

ENTITY_TYPES = {
    "age": "NUMBER",
    "cause": "CAUSE_OF_DEATH",
    "cemetery": "LOCATION",
    "charge": "CRIMINAL_CHARGE",
    "city": "CITY",
    "country": "COUNTRY",
    "date": "DATE",
    "ideology": "IDEOLOGY",
    "man": "PERSON",
    "nationality": "NATIONALITY",
    "nickname": "PERSON",
    "number": "NUMBER",
    "organization": "ORGANIZATION",
    "person": "PERSON",
    "religion": "RELIGION",
    "school": "ORGANIZATION",
    "title": "TITLE",
    "url": "URL",
    "woman": "PERSON",
}

# How Stanford's tagger calls them; what it has no tag for is O.
TAGS = {
    "CITY": "LOCATION", "COUNTRY": "LOCATION", "LOCATION": "LOCATION", "NATIONALITY": "MISC", "PERSON": "PERSON",
    "ORGANIZATION": "ORGANIZATION", "DATE": "DATE", "NUMBER": "NUMBER",
}  # fmt: skip

HERE = Path(__file__).parent


def write(folder: Path) -> None:
    """Write `{train,dev,test,categories_split}.json` under the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    relations = read_grammar(HERE / "sample_relations.yaml")
    unrelated = []
    for words, block in read_grammar(HERE / "sample_no_relation.yaml").items():
        subject, object_ = words.split()
        unrelated += [(template, subject, object_) for template in lines(block)]
    writer = _Instances(Grammar(read_grammar(HERE / "sample_words.yaml")))
    for split, (kept_size, other_size, total) in SIZES.items():
        draw = Draw(f"fs_tacred {split}")
        made = []
        for home, entries in relations.items():
            for relation, entry in entries.items():
                templates = [(template, entry["subj"], entry["obj"]) for template in lines(entry["templates"])]
                size = kept_size if home == split else other_size
                made += writer.make(relation, draw.cycle(templates), size, draw)
        made += writer.make("no_relation", draw.cycle(unrelated), total - len(made), draw)
        _dump(folder / f"{split}.json", [_numbered(split, item) for item in enumerate(draw.shuffled(made))])
    categories = {split: ["no_relation", *sorted(entries)] for split, entries in relations.items()}
    _dump(folder / "categories_split.json", categories)


class _Instances:
    """Instances that differ from all made before."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.seen: set[str] = set()

    def make(
        self, relation: str, templates: Iterator[tuple[str, str, str]], size: int, draw: Draw
    ) -> list[dict[str, Any]]:
        """Instances of one relation."""
        expand = partial(self._instance, relation, templates, draw)
        return [distinct(expand, lambda made: " ".join(made["token"]), self.seen) for _ in range(size)]

    def _instance(self, relation: str, templates: Iterator[tuple[str, str, str]], draw: Draw) -> dict[str, Any]:
        template, subject_words, object_words = next(templates)
        subject = object_ = self.grammar.phrase(subject_words, draw)
        while object_ == subject:
            object_ = self.grammar.phrase(object_words, draw)
        if draw.chance(LEAD_RATE):
            template = f"<lead> {template}"
        if draw.chance(TAIL_RATE):
            template = f"{template} <tail>"
        expansion = self.grammar.expand(f"{template} .", draw, {"subj": subject, "obj": object_})
        tokens = expansion.tokens
        tokens[0] = tokens[0][0].upper() + tokens[0][1:]
        spans = {span.label: span for span in expansion.token_spans}
        kinds = {"subj": ENTITY_TYPES[subject_words], "obj": ENTITY_TYPES[object_words]}
        tags = ["O"] * len(tokens)
        for side, kind in kinds.items():
            span = spans[side]
            tags[span.start : span.end] = [TAGS.get(kind, "O")] * (span.end - span.start)
        return {
            "relation": relation,
            "token": tokens,
            "subj_start": spans["subj"].start,
            "subj_end": spans["subj"].end - 1,
            "obj_start": spans["obj"].start,
            "obj_end": spans["obj"].end - 1,
            "subj_type": kinds["subj"],
            "obj_type": kinds["obj"],
            "stanford_ner": tags,
        }


def _numbered(split: str, item: tuple[int, Mapping[str, Any]]) -> dict[str, Any]:
    """Add ids that look like those of TACRED."""
    number, instance = item
    digest = hashlib.sha1(f"{split} {number}".encode(), usedforsecurity=False).hexdigest()
    return {"id": digest[:20], "docid": f"SAMPLE_ENG_{digest[20:28]}.{number // 3:04d}", **instance}


def _dump(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content), encoding="utf-8", newline="\n")
