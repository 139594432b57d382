"""Sentences with a head and a tail entity from hand-written grammars, in the files of FewRel.

Each domain has its own grammar and its own habits, which follow the published files: names are in lower case except in
news; PubMed and SemEval are in lower case throughout and have names of relations as keys; ids look like those of
Wikidata and UMLS, or are the name itself.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from hf_fewshot.data.grammar import Draw, Expansion, Grammar, distinct, lines, read_grammar

WIKI_INSTANCES, OTHER_INSTANCES = 50, 30
LEAD_RATE, ASIDE_RATE = 0.35, 0.45
# Share of instances in which an entity is named once more at the end.
SECOND_MENTION_RATE = 0.05

HERE = Path(__file__).parent


def write(folder: Path) -> None:
    """Write `data/{train_wiki,val_wiki,val_nyt,val_pubmed,val_semeval,pid2name}.json` under the folder."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    names = Grammar(read_grammar(HERE / "sample_words.yaml"))
    wikidata_ids, umls_ids = _numbered_ids("Q9", 5), _numbered_ids("C9", 6)
    pid2name: dict[str, list[str]] = {}
    for stem, source in {"train_wiki": "wiki_train", "val_wiki": "wiki_val", "val_nyt": "nyt"}.items():
        relations = read_grammar(HERE / f"sample_{source}.yaml")
        pid2name |= {key: [entry["name"], entry["description"]] for key, entry in relations.items() if "name" in entry}
        if source == "nyt":
            domain, size = _Domain(names, wikidata_ids, keep_case=True), OTHER_INSTANCES
        else:
            mentions = " [( see also {tail} )|; the entry on {head} has more details]"
            domain, size = _Domain(names, wikidata_ids, " <aside>", mentions, lead="<lead> , "), WIKI_INSTANCES
        _dump(data / f"{stem}.json", domain.instances(stem, relations, size))
    for stem, identify, mentions in (
        ("pubmed", umls_ids, " , although data on {head} are limited"),
        ("semeval", str, ""),
    ):
        content = read_grammar(HERE / f"sample_{stem}.yaml")
        domain = _Domain(Grammar(content["words"]), identify, mentions=mentions, lower=True)
        _dump(data / f"val_{stem}.json", domain.instances(stem, content["relations"], OTHER_INSTANCES))
    _dump(data / "pid2name.json", pid2name)


@dataclass
class _Domain:
    """How the sentences of one source of text look."""

    grammar: Grammar
    identify: Callable[[str], str]
    aside: str = ""
    mentions: str = ""
    lead: str = ""
    keep_case: bool = False
    lower: bool = False

    def instances(self, stem: str, relations: Mapping[str, Any], size: int) -> dict[str, list[dict[str, Any]]]:
        """Distinct instances of each relation."""
        seen: set[str] = set()
        result = {}
        for key, relation in relations.items():
            draw = Draw(f"fewrel {stem} {key}")
            make = partial(self._expand, relation, draw.cycle(lines(relation["templates"])), draw)
            made = [distinct(make, attrgetter("text"), seen) for _ in range(size)]
            result[key] = [self._instance(expansion) for expansion in made]
        return result

    def _expand(self, relation: Mapping[str, Any], templates: Iterator[str], draw: Draw) -> Expansion:
        template = next(templates)
        if self.lead and draw.chance(LEAD_RATE):
            template = self.lead + template
        if self.aside and draw.chance(ASIDE_RATE):
            template += self.aside
        if draw.chance(SECOND_MENTION_RATE):
            template += self.mentions
        head, tail = self._entities(relation, draw)
        return self.grammar.expand(f"{template} .", draw, {"head": head, "tail": tail})

    def _entities(self, relation: Mapping[str, Any], draw: Draw) -> tuple[str, str]:
        if "pairs" in relation:
            head, tail = draw.choice(relation["pairs"].split("|")).split("=")
            return head.strip(), tail.strip()
        head = tail = self.grammar.phrase(relation["head"], draw)
        while tail == head:
            tail = self.grammar.phrase(relation["tail"], draw)
        return head, tail

    def _instance(self, expansion: Expansion) -> dict[str, Any]:
        tokens = expansion.tokens
        tokens[0] = tokens[0] if self.lower else tokens[0][0].upper() + tokens[0][1:]
        instance: dict[str, Any] = {"tokens": tokens}
        for key, label in {"h": "head", "t": "tail"}.items():
            name = next(text for text, piece_label in expansion.pieces if piece_label == label)
            mentions = [list(range(span.start, span.end)) for span in expansion.token_spans if span.label == label]
            instance[key] = [name if self.keep_case else name.lower(), self.identify(name.lower()), mentions]
        return instance


def _numbered_ids(prefix: str, digits: int) -> Callable[[str], str]:
    """Ids by order of first use."""
    ids: dict[str, str] = {}
    return lambda name: ids.setdefault(name, f"{prefix}{len(ids):0{digits}d}")


def _dump(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content), encoding="utf-8", newline="\n")
