"""How fast episodes are evaluated, as ratios to the originals' plain loop in the same run.

    python benchmarks/evaluation.py --model <encoder> --few-tk <folder> [--part episodes queries throughput memory]

episodes: 2,000 sampled 5-way 1-shot episodes of few_nerd/inter test (Few-TK), prototypes; the plain loop encodes the
sentences of each episode padded to max_length, and is timed on a few episodes. queries: 30,000 queries over 1-shot and
5-shot support sets drawn from 16,000 relation instances, in one encoding pass. throughput: the encoder against a bare
loop over the same batches. memory: 14,000 sentences of 25 words, 768 numbers each, in float16, memory-mapped.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from datasets import Dataset, disable_progress_bars
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

import hf_fewshot
from hf_fewshot.encoding.inputs import InputBuilder, batches, padded
from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH, encode_examples
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.models.few_shot_model import FewShotModel, FewShotModelConfig
from hf_fewshot.systems.runner import Runner
from hf_fewshot.tasks.schemas import example_features

MAX_LENGTH = 128


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


def evaluate_episodes(encoder: str, folder: str, length: int, timed: int = 12) -> None:
    options = {"n_way": 5, "shots": 1, "data_dir": folder, "episodes": "sampled", "n_episodes": length}
    episodes = hf_fewshot.load_episodes("few_nerd", "inter", split="test", **options)
    rows = [episodes.row(number) for number in range(timed)]
    with torch.inference_mode():
        plain = PlainPrototypes(encoder)
        plain(rows[0])
        start = time.perf_counter()
        for row in rows:
            plain(row)
        theirs = (time.perf_counter() - start) / timed
        model, tokenizer = FewShotModel.from_encoder(encoder, "proto", layers=4, max_length=MAX_LENGTH)
        start = time.perf_counter()
        hf_fewshot.predict(hf_fewshot.EpisodicSystem(model, tokenizer), episodes, progress=False)
        ours = (time.perf_counter() - start) / length
        runner = Runner(model, tokenizer, episodes, Accelerator())
        runner.encode_all(range(length), None)
        start = time.perf_counter()
        for begin in range(0, length, Runner.episodes_per_batch):
            runner.predict(episodes[begin : begin + Runner.episodes_per_batch])
        scoring = (time.perf_counter() - start) / length
    print(
        f"episodes: {length:,}: {1e3 * ours:.1f} ms each, encoding included ({1e3 * scoring:.2f} ms without); plain "
        f"{1e3 * theirs:.0f} ms: {theirs / ours:.0f} x ({theirs / scoring:.0f} x once encoded)"
    )


def evaluate_queries(encoder: str) -> None:
    """Instances of sentences with about 35 words; class sizes as skewed as those of Few-Shot TACRED."""
    rng = np.random.default_rng(0)
    sizes = [14_705, 346, 137, 132, 168, 155, 81, 68, 78, 59, 71]
    names = ["no_relation", *(f"relation {number}" for number in range(1, len(sizes)))]
    words = np.array(
        [
            "the",
            "of",
            "in",
            "and",
            "to",
            "was",
            "by",
            "for",
            "on",
            "with",
            "as",
            "at",
            "from",
            "his",
            "an",
            "it",
            "is",
            "he",
            "that",
            "after",
            "company",
            "city",
        ]
    )

    def entity(start: int) -> dict[str, Any]:
        return {"text": "", "id": "", "type": "", "mentions": [{"start": start, "end": start + 2}]}

    rows = []
    for name, size in zip(names, sizes, strict=True):
        for _ in range(size):
            length = int(rng.integers(20, 50))
            tokens = words[rng.integers(len(words), size=length)].tolist()
            places = rng.choice(length // 2 - 1, 2, replace=False) * 2
            head, tail = entity(int(places[0])), entity(int(places[1]))
            common = {"id": str(len(rows)), "tokens": tokens, "head": head, "tail": tail}
            rows.append({**common, "relation": name, "original_relation": name})
    examples = Dataset.from_list(rows, features=example_features("relation"))
    model, tokenizer = FewShotModel.from_encoder(encoder, "mnav", max_length=MAX_LENGTH)
    with tempfile.TemporaryDirectory() as cache:
        for shots in (1, 5):
            spec = NaturalNota(5, shots, 3)
            episodes = hf_fewshot.make_episodes(examples, spec, task="relation", length=10_000)
            start = time.perf_counter()
            runner = Runner(model, tokenizer, episodes, Accelerator())
            with torch.inference_mode():
                if shots == 1:
                    vectors = encode_examples(model, tokenizer, rows, cache_dir=cache, progress=False)
                    print(
                        f"queries: one encoding pass over {len(rows):,} instances: {time.perf_counter() - start:.0f} s"
                    )
                runner.vectors, runner.starts = vectors, vectors.offsets[:-1]
                start = time.perf_counter()
                for begin in range(0, len(episodes), Runner.episodes_per_batch):
                    runner.predict(episodes[begin : begin + Runner.episodes_per_batch])
            print(f"queries: 30,000 over 10,000 5-way {shots}-shot support sets: {time.perf_counter() - start:.1f} s")


def compare_throughput(encoder: str, folder: str) -> None:
    table = hf_fewshot.load_dataset("few_nerd", "inter", split="test", data_dir=folder)
    rows = table.to_list()
    model, tokenizer = FewShotModel.from_encoder(encoder, "proto", max_length=MAX_LENGTH)
    inputs = InputBuilder(tokenizer, "words", MAX_LENGTH)(rows)
    lengths = np.array([len(sequence) for sequence in inputs.sequences])
    groups = [padded([inputs.sequences[n] for n in group], 0) for group in batches(lengths, TOKENS_PER_BATCH)]
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    with torch.inference_mode():
        for _ in range(3):
            start = time.perf_counter()
            for ids, mask in groups:
                model.encoder(input_ids=ids, attention_mask=mask)
            times["bare"].append(time.perf_counter() - start)
            start = time.perf_counter()
            encode_examples(model, tokenizer, rows, progress=False)
            times["ours"].append(time.perf_counter() - start)
    bare, ours = min(times["bare"]), min(times["ours"])
    print(
        f"throughput: {lengths.sum() / ours:,.0f} tokens/s from words to vectors, bare loop over ready batches "
        f"{lengths.sum() / bare:,.0f}: {bare / ours:.2f} of it"
    )


def measure_memory() -> None:
    """Run in a process of its own: peak resident memory counts from its start."""
    words = [f"w{number}" for number in range(400)]
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = Path(folder) / "vocab.txt"
        vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]))
        from transformers import BertTokenizerFast

        tokenizer = BertTokenizerFast(vocab=str(vocabulary))
        config = BertConfig(vocab_size=405, hidden_size=768, num_hidden_layers=1, num_attention_heads=12)
        model = FewShotModel(FewShotModelConfig(encoder=config.to_dict()), BertModel(config)).eval()
        rng = np.random.default_rng(0)
        rows = [{"tokens": [words[w] for w in rng.integers(400, size=25)]} for _ in range(14_000)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        vectors = encode_examples(model, tokenizer, rows, cache_dir=folder, dtype="float16", progress=False)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        mapped = isinstance(vectors.values, np.memmap)
        size = vectors.values.nbytes / 1e6
    print(
        f"memory: {size:.0f} MB of vectors, memory-mapped: {mapped}; peak {peak:.2f} GB resident, {before:.2f} before"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ("episodes", "queries", "throughput", "memory")
    parser.add_argument("--model", help="an encoder: Hub id or folder")
    parser.add_argument("--few-tk", help="folder of Few-TK")
    parser.add_argument("--part", nargs="+", choices=(*parts, "memory-here"), default=parts)
    options = parser.parse_args()
    disable_progress_bars()
    if "episodes" in options.part:
        for length in (500, 2_000):
            evaluate_episodes(options.model, options.few_tk, length)
    if "queries" in options.part:
        evaluate_queries(options.model)
    if "throughput" in options.part:
        compare_throughput(options.model, options.few_tk)
    if "memory" in options.part:
        subprocess.run([sys.executable, __file__, "--part", "memory-here"], check=True)
    if "memory-here" in options.part:
        measure_memory()


if __name__ == "__main__":
    main()
