"""Turns SemEval-2010 Task 8, a supervised relation dataset with an "Other" class, into few-shot episodes.

    python examples/semeval_to_few_shot.py <folder with TRAIN_FILE.TXT and TEST_FILE_FULL.TXT>

Sentences and the nine relations are split into three sets each; sentences whose relation belongs to another set, and
all of "Other", become none-of-the-above. Then episodes with natural class frequencies are drawn and checked.
"""

import argparse
import re
from pathlib import Path

from datasets import Dataset, DatasetDict

import hf_fewshot
from hf_fewshot.episodes.natural_nota import NaturalNota

ENTITY = re.compile(r"<e([12])>(.*?)</e\1>")
RELATION = re.compile(r"^(?P<name>[\w-]+)(?:\(e(?P<head>[12]),e[12]\))?$")


def read(path: Path) -> list[dict]:
    """The sentences of one file: a numbered quotation, its relation, a comment, a blank line."""
    blocks = path.read_text(encoding="utf-8").replace("\r\n", "\n").strip().split("\n\n")
    return [parse(*block.split("\n")[:2]) for block in blocks]


def parse(sentence: str, label: str) -> dict:
    """One relation instance; the relation's first argument is the head."""
    number, _, text = sentence.partition("\t")
    relation = RELATION.match(label.strip())
    if relation is None:
        raise ValueError(f"sentence {number}: expected Relation(e1,e2) or Other, got {label!r}")
    tokens: list[str] = []
    entities: dict[str, dict] = {}
    position = 0
    text = text.strip().strip('"')
    for mention in ENTITY.finditer(text):
        tokens += text[position : mention.start()].split()
        words = mention[2].split()
        span = {"start": len(tokens), "end": len(tokens) + len(words)}
        entities[mention[1]] = {"text": mention[2], "id": "", "type": "", "mentions": [span]}
        tokens += words
        position = mention.end()
    tokens += text[position:].split()
    head = relation["head"] or "1"
    tail = "2" if head == "1" else "1"
    return {
        "id": number,
        "tokens": tokens,
        "head": entities[head],
        "tail": entities[tail],
        "relation": relation["name"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0, help="another seed gives another split of the relations")
    options = parser.parse_args()

    rows = read(options.folder / "TRAIN_FILE.TXT") + read(options.folder / "TEST_FILE_FULL.TXT")
    shuffled = Dataset.from_list(rows).shuffle(seed=options.seed)
    splits = ("train", "validation", "test")
    thirds = DatasetDict({split: shuffled.shard(3, number) for number, split in enumerate(splits)})
    few_shot = hf_fewshot.to_few_shot(
        thirds, "relation", other="Other", nota="Other", shares=(0.34, 0.33, 0.33), seed=options.seed
    )
    for split, table in few_shot.items():
        relations = sorted(set(table["relation"]) - {"Other"})
        share = table["relation"][:].count("Other") / len(table)
        print(f"{split:>10}: {len(table)} sentences, {share:.1%} Other, relations {', '.join(relations)}")

    spec = NaturalNota(n_way=3, n_shot=5, n_query=3, nota_class="Other")
    episodes = hf_fewshot.make_episodes(few_shot["test"], spec, task="relation", length=1000)
    print(hf_fewshot.verify(episodes))


if __name__ == "__main__":
    main()
