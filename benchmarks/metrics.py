"""Speed of the metrics, with seqeval beside slot_f1 on the same data in the same run.

    python benchmarks/metrics.py

CPU time, in turns. It checks that slot_f1 and seqeval give the same F1.
"""

import argparse
import os
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measurement import Measurement, in_turns, measured, ratio, write

METRICS = Path(__file__).resolve().parent.parent / "metrics"
SENTENCE = 10


def iob2(rng: np.random.Generator, n_tokens: int) -> list[list[str]]:
    """Well-formed IOB2 sentences shaped like FewJoint's: ten tokens, 1.3 slots, a third of the tokens in slots."""
    n = n_tokens // SENTENCE
    kinds, lengths = rng.integers(30, size=(n, 2)).tolist(), rng.integers(1, 5, size=(n, 2)).tolist()
    starts, n_slots = rng.integers(2, size=n).tolist(), (1 + (rng.random(n) < 0.3)).tolist()
    sentences = []
    for index in range(n):
        tags = ["O"] * SENTENCE
        for slot, start in enumerate((starts[index], 6)[: n_slots[index]]):
            kind, length = kinds[index][slot], lengths[index][slot]
            tags[start : start + length] = [f"B-slot{kind}"] + [f"I-slot{kind}"] * (length - 1)
        sentences.append(tags)
    return sentences


def mixed(rng: np.random.Generator, references: list[Any], others: list[Any]) -> list[Any]:
    """The references, with every fourth one taken from elsewhere."""
    wrong = rng.random(len(references)) < 0.25
    return [other if w else own for own, other, w in zip(references, others, wrong.tolist(), strict=True)]


def peak_bytes(function: Callable[[], Any]) -> int:
    """The most memory a call held at once, beyond its inputs."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def compare_with_seqeval(n_tokens: int, repeats: int) -> list[Measurement]:
    from evaluate import load
    from seqeval.metrics import classification_report, f1_score

    from hf_fewshot.metrics.slot_f1.scoring import score

    rng = np.random.default_rng(0)
    references = iob2(rng, n_tokens)
    predictions = mixed(rng, references, iob2(rng, n_tokens))
    metric = load(str(METRICS / "slot_f1"))

    def batches() -> dict[str, float]:
        for start in range(0, len(references), 1000):
            metric.add_batch(
                predictions=predictions[start : start + 1000], references=references[start : start + 1000]
            )
        return metric.compute()

    inputs = {"predictions": predictions, "references": references}
    expected = f1_score(references, predictions)
    for function in (lambda: score(**inputs), lambda: metric.compute(**inputs), batches):
        assert abs(function()["f1"] - expected) < 1e-12

    times = in_turns(
        {
            "seqeval: f1_score": lambda: f1_score(references, predictions),
            "seqeval: classification_report": lambda: classification_report(references, predictions),
            "slot_f1: score": lambda: score(**inputs),
            "slot_f1: evaluate, one call": lambda: metric.compute(**inputs),
            "slot_f1: evaluate, add_batch of 1,000 sentences": batches,
        },
        repeats,
    )
    peers = {"seqeval's f1_score": "seqeval: f1_score", "its report": "seqeval: classification_report"}
    found = []
    for what, seconds in times.items():
        is_peer = what.startswith("seqeval")
        ratios = {} if is_peer else {peer: ratio(times[name], seconds) for peer, name in peers.items()}
        found.append(measured(what, "CPU", seconds, "s", ratios))
        print(f"{what}: {found[-1].value:.3f} s", flush=True)
    return found


def dense(rng: np.random.Generator, n_tokens: int, length: int, n_types: int) -> list[list[str]]:
    """Sentences of one length in which a slot of one to three tokens begins at every fifth free token."""
    begins = rng.random(n_tokens) < 0.2
    sizes, kinds = rng.integers(1, 4, n_tokens), rng.integers(n_types, size=n_tokens)
    sentences = []
    for first in range(0, n_tokens - length + 1, length):
        tags: list[str] = []
        while len(tags) < length:
            at = first + len(tags)
            own = [f"B-t{kinds[at]}"] + [f"I-t{kinds[at]}"] * (sizes[at] - 1) if begins[at] else ["O"]
            tags += own
        sentences.append(tags[:length])
    return sentences


def compare_shapes(n_tokens: int, repeats: int) -> list[Measurement]:
    """The ratio depends on the shape of the data: more sentences and slots per token cost us more than seqeval."""
    from seqeval.metrics import f1_score

    from hf_fewshot.metrics.slot_f1.scoring import score

    found = []
    for length, n_types in ((10, 20), (20, 10), (40, 10)):
        rng = np.random.default_rng(0)
        references = dense(rng, n_tokens, length, n_types)
        predictions = mixed(rng, references, dense(rng, n_tokens, length, n_types))
        functions = {
            "f1_score": lambda p=predictions, r=references: f1_score(r, p),
            "score": lambda p=predictions, r=references: score(p, r),
        }
        times = in_turns(functions, repeats)
        ratios = {"seqeval's f1_score": ratio(times["f1_score"], times["score"])}
        found.append(measured(f"dense slots, sentences of {length} tokens: score", "CPU", times["score"], "s", ratios))
    return found


def time_the_others(n_tokens: int, n_labels: int, repeats: int) -> list[Measurement]:
    from hf_fewshot.metrics.entity_f1.scoring import score as entity_f1
    from hf_fewshot.metrics.joint_accuracy.scoring import score as joint_accuracy
    from hf_fewshot.metrics.nota_f1.scoring import score as nota_f1
    from hf_fewshot.metrics.s1.scoring import score as s1

    rng = np.random.default_rng(1)
    tags = [[tag.partition("-")[2] or "O" for tag in sentence] for sentence in iob2(rng, n_tokens)]
    wrong_tags = mixed(rng, tags, tags[1:] + tags[:1])
    episodes = [index // 25 for index in range(len(tags))]
    rows = [{"intent": sentence[0], "slot_tags": sentence} for sentence in tags]
    wrong_rows = mixed(rng, rows, rows[1:] + rows[:1])
    ids, wrong_ids = rng.integers(6, size=n_labels).tolist(), rng.integers(6, size=n_labels).tolist()
    names, wrong_names = [f"relation {label}" for label in ids], [f"relation {label}" for label in wrong_ids]
    answers = [[name, f"answer {index}"] for index, name in enumerate(names[: n_labels // 10])]
    wrong_answers = mixed(rng, answers, answers[1:] + answers[:1])
    many = f"nota_f1: {n_labels:,} predictions"
    times = in_turns(
        {
            f"entity_f1: {n_tokens:,} tokens": lambda: entity_f1(wrong_tags, tags),
            f"entity_f1: the same, interval over {episodes[-1] + 1:,} episodes": lambda: entity_f1(
                wrong_tags, tags, groups=episodes, confidence_level=0.95
            ),
            f"{many}, class ids": lambda: nota_f1(wrong_ids, ids, nota_label=5),
            f"{many}, strings": lambda: nota_f1(wrong_names, names, nota_label="relation 5"),
            f"{many}, arrays": lambda: nota_f1(np.array(wrong_ids), np.array(ids), nota_label=5),
            f"{many}, interval": lambda: nota_f1(wrong_ids, ids, nota_label=5, confidence_level=0.95),
            f"joint_accuracy: {n_tokens:,} tokens": lambda: joint_accuracy(wrong_rows, rows),
            f"s1: {len(answers):,} instances": lambda: s1(wrong_answers, answers),
        },
        repeats,
    )
    return [measured(what, "CPU", seconds, "s") for what, seconds in times.items()]


def measure_memory(n_tokens: int) -> list[Measurement]:
    from hf_fewshot.metrics.slot_f1.scoring import score

    found = []
    for size in (n_tokens // 4, n_tokens):
        sentences = iob2(np.random.default_rng(2), size)
        peak = peak_bytes(lambda sentences=sentences: score(sentences, sentences))
        found.append(Measurement(f"slot_f1: {size:,} tokens", "peak memory", peak / size, "bytes a token"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=500_000)
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["HF_HOME"] = cache  # before evaluate is imported: its cache goes with the run
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        found = compare_with_seqeval(options.tokens, options.repeats)
    found += compare_shapes(options.tokens, options.repeats)
    found += time_the_others(options.tokens, options.labels, options.repeats)
    write("metrics", found + measure_memory(options.tokens), remark=f"{options.tokens:,} tokens")


if __name__ == "__main__":
    main()
