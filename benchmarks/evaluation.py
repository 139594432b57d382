"""How fast episodes are evaluated, as ratios to the originals' plain loop in the same run.

    python benchmarks/evaluation.py --data-dir <Few-TK> [--part episodes queries throughput memory]

episodes: 500 and 2,000 sampled 5-way 1-shot episodes of few_nerd/inter test (Few-TK), prototypes; the plain loop
encodes the sentences of each episode padded to max_length, and is timed on a few episodes. queries: 30,000 queries
over 1-shot and 5-shot support sets drawn from 2,000 relation instances, in one encoding pass. throughput: the encoder
against a bare loop over the same batches. memory: 14,000 sentences of 25 words, 768 numbers each, in float16,
memory-mapped. CPU time, one thread. Each part writes a table of its own.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from accelerate import Accelerator
from datasets import Dataset, disable_progress_bars
from measurement import Measurement, in_turns, measured, ratio, write
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

import hf_fewshot
from hf_fewshot.embedded import embedded_encoder
from hf_fewshot.encoding.inputs import InputBuilder, batches, padded
from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH, encode_examples
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.models.few_shot_model import FewShotModel, FewShotModelConfig
from hf_fewshot.systems.runner import Runner
from hf_fewshot.tasks.schemas import example_features

MAX_LENGTH = 128
# Episodes of a turn of the plain loop, sentences of the bare one, support sets of relations.
TIMED, N_SENTENCES, N_SUPPORT_SETS = 6, 600, 10_000
# Of relation instances.
SIZES = (1_820, 43, 17, 16, 21, 19, 15, 14, 12, 12, 11)
WORDS = "the of in and to was by for on with as at from his an it is he that after company city"


class PlainPrototypes:
    """The originals' loop: each episode's sentences are tokenized word by word, padded to max_length and encoded."""

    def __init__(self, encoder: str) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(encoder)
        self.model = AutoModel.from_pretrained(encoder).eval()

    def vectors(self, sentences: list[list[str]]) -> list[torch.Tensor]:
        ids, firsts = [], []
        for words in sentences:
            pieces = [self.tokenizer.tokenize(word) or [self.tokenizer.unk_token] for word in words]
            flat = [piece for word in pieces for piece in word][: MAX_LENGTH - 2]
            ends = np.cumsum([len(word) for word in pieces])
            firsts.append(
                [int(e - len(w)) + 1 for e, w in zip(ends, pieces, strict=True) if e - len(w) < MAX_LENGTH - 2]
            )
            row = self.tokenizer.convert_tokens_to_ids(["[CLS]", *flat, "[SEP]"])
            ids.append(row + [0] * (MAX_LENGTH - len(row)))
        tokens = torch.tensor(ids)
        states = self.model(tokens, attention_mask=(tokens != 0).long(), output_hidden_states=True).hidden_states
        summed = torch.stack(states[-4:]).sum(0)
        return [summed[row, first] for row, first in enumerate(firsts)]

    def __call__(self, row: dict[str, Any]) -> list[torch.Tensor]:
        names = ["O", *row["classes"]]
        support = self.vectors([sentence["tokens"] for sentence in row["support"]])
        query = self.vectors([sentence["tokens"] for sentence in row["query"]])
        tags = [tag for v, s in zip(support, row["support"], strict=True) for tag in s["tags"][: len(v)]]
        labels = torch.tensor([names.index(tag) for tag in tags])
        flat = torch.cat(support)
        means = torch.stack([flat[labels == number].mean(0) for number in range(len(names))])
        return [-(v.unsqueeze(1) - means).square().sum(-1).argmin(1) for v in query]


def evaluate_episodes(encoder: str, folder: str | None, repeats: int) -> None:
    found = []
    for length in (500, 2_000):
        found += evaluated(encoder, folder, length, repeats, is_last=length == 2_000)
    write("evaluation", found, remark=f"the plain loop is timed on {TIMED} episodes of each turn")


def evaluated(encoder: str, folder: str | None, length: int, repeats: int, is_last: bool) -> list[Measurement]:
    """Milliseconds of CPU time of an episode."""
    data = {"data_dir": folder} if folder else {"sample": True}
    options = {"n_way": 5, "shots": 1, "episodes": "sampled", "n_episodes": length, **data}
    episodes = hf_fewshot.load_episodes("few_nerd", "inter", split="test", **options)
    rows = [episodes.row(number) for number in range(TIMED)]
    model, tokenizer = FewShotModel.from_encoder(encoder, "proto", layers=4, max_length=MAX_LENGTH)
    with torch.inference_mode():
        plain = PlainPrototypes(encoder)
        plain(rows[0])
        system = hf_fewshot.EpisodicSystem(model, tokenizer)
        ways: dict[str, Callable[[], Any]] = {
            "plain": lambda: [plain(row) for row in rows],
            "ours": lambda: hf_fewshot.predict(system, episodes, progress=False),
        }
        if is_last:
            runner = Runner(model, tokenizer, episodes, Accelerator())
            runner.encode_all(range(length), None)
            size = Runner.episodes_per_batch
            ways["scoring"] = lambda: [runner.predict(episodes[n : n + size]) for n in range(0, length, size)]
        taken = in_turns(ways, repeats)
    each = {way: [1e3 * one / (TIMED if way == "plain" else length) for one in own] for way, own in taken.items()}
    names = {"ours": f"{length:,} episodes, encoding included", "scoring": "once the sentences are encoded"}
    found = []
    for way, name in names.items():
        if way in each:
            ratios = {"plain": ratio(each["plain"], each[way])}
            found += [
                measured(name, "ours, an episode", each[way], "ms", ratios),
                measured(name, "plain", each["plain"], "ms"),
            ]
            print(f"{name}: {ratios['plain']:.0f} x plain", flush=True)
    return found


def evaluate_queries(encoder: str, repeats: int) -> None:
    """Instances of sentences with about 35 words; class sizes as skewed as those of Few-Shot TACRED."""
    examples = instances()
    rows = examples.to_list()
    model, tokenizer = FewShotModel.from_encoder(encoder, "mnav", max_length=MAX_LENGTH)
    found = []
    with tempfile.TemporaryDirectory() as cache, torch.inference_mode():
        vectors: Any = None

        def encode() -> None:
            nonlocal vectors
            vectors = encode_examples(model, tokenizer, rows, cache_dir=cache, progress=False)

        (taken,) = in_turns({"": encode}, 1).values()
        found.append(measured(f"one encoding pass over {len(rows):,} instances", "CPU", taken, "s"))
        for shots in (1, 5):
            episodes = hf_fewshot.make_episodes(
                examples, NaturalNota(5, shots, 3), task="relation", length=N_SUPPORT_SETS
            )
            runner = Runner(model, tokenizer, episodes, Accelerator())
            runner.vectors, runner.starts = vectors, vectors.offsets[:-1]

            def score(runner: Runner = runner, episodes: hf_fewshot.EpisodeSet = episodes) -> None:
                for begin in range(0, len(episodes), Runner.episodes_per_batch):
                    runner.predict(episodes[begin : begin + Runner.episodes_per_batch])

            (taken,) = in_turns({"": score}, repeats).values()
            name = f"{3 * N_SUPPORT_SETS:,} queries over {N_SUPPORT_SETS:,} 5-way {shots}-shot support sets, MNAV"
            found.append(measured(name, "CPU", taken, "s"))
    write("queries", found)


def instances() -> Dataset:
    rng = np.random.default_rng(0)
    names = ["no_relation", *(f"relation {number}" for number in range(1, len(SIZES)))]
    words = np.array(WORDS.split())

    def entity(start: int) -> dict[str, Any]:
        return {"text": "", "id": "", "type": "", "mentions": [{"start": start, "end": start + 2}]}

    rows = []
    for name, size in zip(names, SIZES, strict=True):
        for _ in range(size):
            length = int(rng.integers(20, 50))
            tokens = words[rng.integers(len(words), size=length)].tolist()
            places = rng.choice(length // 2 - 1, 2, replace=False) * 2
            head, tail = entity(int(places[0])), entity(int(places[1]))
            common = {"id": str(len(rows)), "tokens": tokens, "head": head, "tail": tail}
            rows.append({**common, "relation": name, "original_relation": name})
    return Dataset.from_list(rows, features=example_features("relation"))


def compare_throughput(encoder: str, folder: str | None, repeats: int) -> None:
    data = {"data_dir": folder} if folder else {"sample": True}
    rows = hf_fewshot.load_dataset("few_nerd", "inter", split="test", **data).to_list()[:N_SENTENCES]
    model, tokenizer = FewShotModel.from_encoder(encoder, "proto", max_length=MAX_LENGTH)
    inputs = InputBuilder(tokenizer, "words", MAX_LENGTH)(rows)
    lengths = np.array([len(sequence) for sequence in inputs.sequences])
    groups = [padded([inputs.sequences[n] for n in group], 0) for group in batches(lengths, TOKENS_PER_BATCH)]

    def bare() -> None:
        for ids, mask in groups:
            model.encoder(input_ids=ids, attention_mask=mask)

    ways = {"bare loop": bare, "ours": lambda: encode_examples(model, tokenizer, rows, progress=False)}
    with torch.inference_mode():
        taken = in_turns(ways, repeats)
    rates = {way: [lengths.sum() / seconds for seconds in own] for way, own in taken.items()}
    ratios = {"bare loop": ratio(taken["bare loop"], taken["ours"])}
    write(
        "throughput",
        [
            measured("bare loop over ready batches", "tokens of a CPU second", rates["bare loop"]),
            measured("ours, from words to vectors", "tokens of a CPU second", rates["ours"], ratios=ratios),
        ],
        remark=f"{len(rows):,} sentences",
    )


def measure_memory(n_sentences: int = 14_000) -> None:
    """What the vectors of sentences take, and the process that encodes them."""
    words = [f"w{number}" for number in range(400)]
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = Path(folder) / "vocab.txt"
        vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]))
        from transformers import BertTokenizerFast

        tokenizer = BertTokenizerFast(vocab=str(vocabulary))
        config = BertConfig(vocab_size=405, hidden_size=768, num_hidden_layers=1, num_attention_heads=12)
        model = FewShotModel(FewShotModelConfig(encoder=config.to_dict()), BertModel(config)).eval()
        rng = np.random.default_rng(0)
        rows = [{"tokens": [words[w] for w in rng.integers(400, size=25)]} for _ in range(n_sentences)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        vectors = encode_examples(model, tokenizer, rows, cache_dir=folder, dtype="float16", progress=False)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        if not isinstance(vectors.values, np.memmap):
            raise TypeError("vectors are not memory-mapped")
        size = vectors.values.nbytes / 1024**2
    name = f"{n_sentences:,} sentences x 25 words x 768 numbers in float16"
    found = {"vectors, memory-mapped": size, "peak memory": peak, "of it before": before}
    write("vector_memory", [Measurement(name, what, value, "MB") for what, value in found.items()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ("episodes", "queries", "throughput", "memory")
    parser.add_argument("--model", help="an encoder: Hub id or folder (default: all-MiniLM-L6-v2)")
    parser.add_argument("--data-dir", help="folder of Few-TK; without it, sample data of our own")
    parser.add_argument("--part", nargs="+", choices=(*parts, "memory-here"), default=parts, metavar="PART")
    parser.add_argument("--repeats", type=int, default=3, help="turns (default: 3)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    disable_progress_bars()
    transformers.logging.disable_progress_bar()
    encoder = str(options.model or embedded_encoder("all-MiniLM-L6-v2"))
    if "episodes" in options.part:
        evaluate_episodes(encoder, options.data_dir, options.repeats)
    if "queries" in options.part:
        evaluate_queries(encoder, options.repeats)
    if "throughput" in options.part:
        compare_throughput(encoder, options.data_dir, options.repeats)
    if "memory" in options.part:
        # Peak memory counts from the start of a process.
        subprocess.run([sys.executable, __file__, "--part", "memory-here"], check=True)
    if "memory-here" in options.part:
        measure_memory()


if __name__ == "__main__":
    main()
