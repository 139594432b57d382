"""`hf-fewshot similarity`: which types of entities are alike to an encoder."""

import argparse
from typing import Any

from hf_fewshot.cli.completion import completed, models
from hf_fewshot.cli.findings_output import add_output, check_output, give_out
from hf_fewshot.cli.options import add_benchmark, data_options, source
from hf_fewshot.cli.own_data import require_benchmark


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "similarity",
        help="heat map of how similar types of entities are to an encoder",
        description="Encodes random mentions of each type and shows the mean dot product over pairs of mentions of "
        "two types, ordered by coarse type. For any data with entities or slots and any encoder.",
        epilog="example: hf-fewshot similarity few_nerd --config supervised --sample --model all-MiniLM-L6-v2 "
        "--plot similarity.png",
    )
    add_benchmark(command)
    of_model = command.add_argument(
        "--model", required=True, help="an encoder or trained model: embedded name, folder, or id on the Hub"
    )
    completed(of_model, models)
    command.add_argument("--layers", type=int, default=1, help="last layers that are summed (default: 1)")
    command.add_argument("--mentions", type=int, default=100, help="mentions of each type (default: 100)")
    command.add_argument("--seed", type=int, default=0, help="which mentions are drawn (default: 0)")
    add_output(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints the most similar types."""
    import datasets

    from hf_fewshot.analyses.data_statistics import read_splits
    from hf_fewshot.analyses.similarity import drawn_mentions, similarity_findings, type_similarities
    from hf_fewshot.analyses.word_encoder import word_encoder
    from hf_fewshot.data.benchmark_data import Data
    from hf_fewshot.episodes.options import require_seed
    from hf_fewshot.registry import unknown
    from hf_fewshot.tasks import task_of

    check_output(options)
    require_benchmark(options)
    require_seed(options.seed)
    datasets.disable_progress_bars()
    data = Data(options.benchmark, options.config, data_options(options), source=source(options))
    task = task_of(data.task)
    examples = read_splits(data).examples
    if options.split not in examples:
        raise unknown(f"split of {options.benchmark}", options.split, examples)
    sentences = examples[options.split]
    drawn_mentions(task, sentences, options.mentions, options.seed)  # what is wrong shows before a model is loaded
    model, tokenizer = word_encoder(options.model, layers=options.layers)
    found = type_similarities(
        model, tokenizer, task, sentences, n_mentions=options.mentions, seed=options.seed, progress=False
    )
    name = f"{options.benchmark}/{options.config}" if options.config else options.benchmark
    title = f"{name}, {options.split}, {options.model}, {options.mentions} mentions, seed {options.seed}"
    give_out([similarity_findings(options.benchmark, title, found)], options)
