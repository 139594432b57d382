"""Chinese utterances with intents and slots from hand-written grammars, as raw SMP files.

A domain is an entry of `sample_train.yaml`, `sample_dev.yaml` or `sample_test.yaml`.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from hf_fewshot.grammar import Draw, Expansion, Grammar, distinct, lines, read_grammar

# Ten shots need ten utterances of each label in the support set and some more to query.
LABEL_MINIMUM = 14
SMALLEST_DOMAIN, LARGEST_DOMAIN = 55, 80


def write(folder: Path) -> None:
    """Write `raw/{train,dev,test}.json` under the folder."""
    here = Path(__file__).parent
    shared = read_grammar(here / "sample_words.yaml")
    raw = folder / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    for split in ("train", "dev", "test"):
        domains = read_grammar(here / f"sample_{split}.yaml")
        items = [item for name, domain in domains.items() for item in _items(name, domain, shared)]
        text = json.dumps(items, ensure_ascii=False, indent=1) + "\n"
        (raw / f"{split}.json").write_text(text, encoding="utf-8", newline="\n")


def _items(name: str, domain: dict[str, Any], shared: dict[str, str]) -> list[dict[str, Any]]:
    """Utterances of one domain: first until no label is rare, then up to the size of the domain."""
    draw = Draw(f"fewjoint {name}")
    grammar = Grammar({**shared, **domain["words"]})
    templates = [(intent, line) for intent, block in domain["intents"].items() for line in lines(block)]
    labels = {template: [template[0], *grammar.labels(template[1])] for template in templates}
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    chosen: list[tuple[str, Expansion]] = []

    def add(candidates: list[tuple[str, str]]) -> None:
        def make() -> tuple[str, Expansion]:
            intent, template = draw.choice(candidates)
            return intent, _unambiguous(grammar, template, draw)

        intent, expansion = distinct(make, lambda made: made[1].text, seen)
        chosen.append((intent, expansion))
        counts.update(dict.fromkeys([intent, *expansion.labels], 1))

    for label in dict.fromkeys(label for found in labels.values() for label in found):
        while counts[label] < LABEL_MINIMUM:
            add([template for template in templates if label in labels[template]])
    size = SMALLEST_DOMAIN + draw.below(LARGEST_DOMAIN - SMALLEST_DOMAIN + 1)
    while len(chosen) < size:
        add(templates)
    return [
        {
            "id": f"{name}-{number:03d}",
            "domain": name,
            "text": expansion.text,
            "intent": intent,
            "slots": _slots(expansion),
        }
        for number, (intent, expansion) in enumerate(draw.shuffled(chosen), start=1)
    ]


def _unambiguous(grammar: Grammar, template: str, draw: Draw) -> Expansion:
    """Expand until each slot value occurs once, because raw items give values without positions."""
    while True:
        expansion = grammar.expand(template, draw)
        if all(expansion.text.count(text) == 1 for text, label in expansion.pieces if label is not None):
            return expansion


def _slots(expansion: Expansion) -> dict[str, Any]:
    """Slot values as raw items hold them: a string, a list for several, a dict for `name-part`."""
    slots: dict[str, Any] = {}
    for text, label in expansion.pieces:
        if label is None:
            continue
        name, _, part = label.partition("-")
        if part:
            slots.setdefault(name, {})[part] = text
        elif name not in slots:
            slots[name] = text
        elif isinstance(slots[name], list):
            slots[name].append(text)
        else:
            slots[name] = [slots[name], text]
    return slots
