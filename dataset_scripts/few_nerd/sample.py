"""English sentences with entities of 40 types from a hand-written grammar, in the files of Few-NERD.

The types are Few-NERD's eight coarse types with five fine types each. `sample_sentences.yaml` holds templates by the
type they are about, `sample_words.yaml` the names. In INTRA and INTER a sentence belongs to one split, and entities of
other splits' types are O there, as in the paper (Ding et al. 2021, section 4).
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hf_fewshot.data.grammar import Draw, Grammar, distinct, lines, read_grammar

SUPERVISED_SIZES = {"train": 1600, "dev": 300, "test": 500}
WITHOUT_ENTITY = 140
LEAD_RATE, TAIL_RATE, COMPOUND_RATE = 0.4, 0.25, 0.15
MOST_ENTITIES = 4

INTRA = {
    "train": ("person", "other", "art", "product"),
    "dev": ("event", "building"),
    "test": ("organization", "location"),
}
# Fine types of each coarse type; the other three of each are for training.
INTER_DEV = (
    "art-painting",
    "building-library",
    "event-attack/battle/war/militaryconflict",
    "location-mountain",
    "organization-media/newspaper",
    "other-law",
    "person-politician",
    "product-ship",
)
INTER_TEST = (
    "art-broadcastprogram",
    "building-other",
    "event-other",
    "location-island",
    "organization-sportsteam",
    "other-currency",
    "person-scholar",
    "product-other",
)

# One (token, label) pair a token.
Sentence = list[tuple[str, str]]


def write(folder: Path) -> None:
    """Write `data/{supervised,inter,intra}/{train,dev,test}.txt` under the folder."""
    here = Path(__file__).parent
    templates = read_grammar(here / "sample_sentences.yaml")
    sentences = _sentences(Grammar(read_grammar(here / "sample_words.yaml")), templates)
    types = [name for name in templates if name != "none"]
    rest = tuple(name for name in types if name not in INTER_DEV + INTER_TEST)
    inter = {"train": rest, "dev": INTER_DEV, "test": INTER_TEST}
    intra = {
        split: tuple(name for name in types if name.split("-")[0] in coarse_types)
        for split, coarse_types in INTRA.items()
    }
    data = folder / "data"
    _write_splits(data / "supervised", _supervised(sentences))
    _write_splits(data / "inter", _few_shot(sentences, inter))
    _write_splits(data / "intra", _few_shot(sentences, intra))


def _sentences(grammar: Grammar, templates: Mapping[str, str]) -> list[Sentence]:
    """All sentences in random order, equally many about each type."""
    draw = Draw("few_nerd")
    with_entity = sum(SUPERVISED_SIZES.values()) - WITHOUT_ENTITY
    per_type, more = divmod(with_entity, len(templates) - 1)
    every_line = [line for block in templates.values() for line in lines(block)]
    additions = {
        lasting: draw.cycle([line for line in every_line if line.startswith("~") == lasting])
        for lasting in (True, False)
    }
    seen: set[str] = set()
    sentences = []
    for position, (name, block) in enumerate(templates.items()):
        choices = draw.cycle(lines(block))

        def make(choices: Iterator[str] = choices, may_grow: bool = name != "none") -> Sentence:
            template = next(choices)
            if may_grow and draw.chance(COMPOUND_RATE):
                longer = f"{template} , while {next(additions[template.startswith('~')])}"
                template = longer if longer.count("{") <= MOST_ENTITIES else template
            return _sentence(grammar, template, draw)

        size = WITHOUT_ENTITY if name == "none" else per_type + (position < more)
        sentences += [distinct(make, _text, seen) for _ in range(size)]
    return draw.shuffled(sentences)


def _sentence(grammar: Grammar, template: str, draw: Draw) -> Sentence:
    tense = "-lasting" if template.startswith("~") else ""
    template = template.replace("~ ", "")
    if draw.chance(LEAD_RATE):
        template = f"<lead{tense}> , {template}"
    if draw.chance(TAIL_RATE):
        template = f"{template} <tail{tense}>"
    expansion = grammar.expand(f"{template} .", draw)
    tokens = expansion.tokens
    tokens[0] = tokens[0][0].upper() + tokens[0][1:]
    labels = ["O"] * len(tokens)
    for span in expansion.token_spans:
        labels[span.start : span.end] = [span.label] * (span.end - span.start)
    return list(zip(tokens, labels, strict=True))


def _text(sentence: Sentence) -> str:
    return " ".join(token for token, _ in sentence)


def _supervised(sentences: Sequence[Sentence]) -> dict[str, list[Sentence]]:
    splits, start = {}, 0
    for split, size in SUPERVISED_SIZES.items():
        splits[split] = list(sentences[start : start + size])
        start += size
    return splits


def _few_shot(sentences: Sequence[Sentence], types: Mapping[str, Sequence[str]]) -> dict[str, list[Sentence]]:
    """Give each sentence to the split with the fewest for its types so far, and hide the types of the others."""
    splits: dict[str, list[Sentence]] = {split: [] for split in ("train", "dev", "test")}
    for sentence in sentences:
        present = [split for split in splits if any(label in types[split] for _, label in sentence)]
        if present:
            split = min(present, key=lambda split: len(splits[split]) / len(types[split]))
            splits[split].append([(token, label if label in types[split] else "O") for token, label in sentence])
    return splits


def _write_splits(folder: Path, splits: Mapping[str, Sequence[Sentence]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for split, sentences in splits.items():
        text = "".join("".join(f"{token}\t{label}\n" for token, label in sentence) + "\n" for sentence in sentences)
        (folder / f"{split}.txt").write_text(text, encoding="utf-8", newline="\n")
