"""Chinese utterances with intents and slots from hand-written grammars, as raw SMP items and as episode files.

A domain is an entry of `sample_train.yaml`, `sample_dev.yaml` or `sample_test.yaml`.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from hf_fewshot.data.grammar import Draw, Expansion, Grammar, distinct, lines, read_grammar
from hf_fewshot.dataset_scripts.fewjoint.episode_files import write_episodes
from hf_fewshot.dataset_scripts.fewjoint.smp_items import read_items
from hf_fewshot.episodes.minimum_including import MinimumIncluding
from hf_fewshot.episodes.sampling import make_episodes
from hf_fewshot.tasks.schemas import example_features, table_of

# Ten shots need ten utterances of each label in the support set and some more to query.
LABEL_MINIMUM = 14
SMALLEST_DOMAIN, LARGEST_DOMAIN = 55, 80
# By shots, the queries of a train episode; a domain has not the utterances for ten shots and many queries.
TRAIN_QUERIES = {1: (4, 8, 16), 3: (4, 8, 16), 5: (4, 8, 16), 10: (4,)}
TRAIN_EPISODES_PER_DOMAIN = 20
# Both versions of the data: what was mended in the second is not wrong in ours.
VERSIONS = ("1.0", "1.1")


def write(folder: Path) -> None:
    """Write `raw/{train,dev,test}/items.json` and the episode files of all shots under the folder."""
    here = Path(__file__).parent
    shared = read_grammar(here / "sample_words.yaml")
    for split in ("train", "dev", "test"):
        domains = read_grammar(here / f"sample_{split}.yaml")
        items = [item for name, domain in domains.items() for item in _items(name, domain, shared)]
        text = json.dumps(items, ensure_ascii=False, indent=1) + "\n"
        path = folder / "raw" / split / "items.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        _write_episodes(folder, split, path, len(domains))


def _write_episodes(folder: Path, split: str, items: Path, n_domains: int) -> None:
    """As in the release: train episodes with few queries, one episode with all of the domain in dev and test."""
    examples = table_of(read_items(items), example_features("joint"))
    length = n_domains * (TRAIN_EPISODES_PER_DOMAIN if split == "train" else 1)
    for shots, numbers in TRAIN_QUERIES.items():
        for n_query in numbers if split == "train" else numbers[:1]:
            spec = MinimumIncluding(shots, n_query if split == "train" else None)
            rows = list(make_episodes(examples, spec, task="joint", length=length).rows())
            setting = f"smp.spt_s_{shots}.q_s_{n_query}.ep_50.cross_id_0"
            for version in VERSIONS:
                path = folder / f"data/FewJoint{version}/result/SMP_data_slu_{shots}" / setting / f"{split}.json"
                write_episodes(path, sorted(rows, key=lambda row: row["domain"]))


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
