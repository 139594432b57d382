"""`hf-fewshot fit`: labelled examples to a saved model."""

import argparse
from pathlib import Path
from typing import Any

from hf_fewshot.cli.completion import completed, models
from hf_fewshot.cli.lists import with_lists
from hf_fewshot.cli.options import add_pairs, once
from hf_fewshot.learning.options import HEADS, TUNED, LearnerOptions

# What may be said of the encoder beside.
NETWORK = {"layers": int, "max_length": int}

EPILOG = """\
examples:
  hf-fewshot fit intents.csv --text sentence --label intent --model all-MiniLM-L6-v2 --output my-intents
  hf-fewshot fit entities.conll --task tagging --model bert-base-uncased --output my-entities
  hf-fewshot serve my-intents

How good it will be on your data: hf-fewshot run --data intents.csv --task classification --method tuned ..."""


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "fit",
        help="learn your own labels from a few examples, and save the model",
        description="Learns from a file of labelled examples and saves what FewShotLearner.from_pretrained and "
        "hf-fewshot serve take.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("data", help=".csv, .tsv, .json, .jsonl, .parquet, CoNLL, or hub:org/name")
    command.add_argument("--task", default="classification", help="what is to be learnt (default: classification)")
    command.add_argument("--text", metavar="COLUMN", help="the column of the text or words")
    command.add_argument("--label", metavar="COLUMN", help="the column of the label or tags")
    of_model = command.add_argument(
        "--model", required=True, help="an encoder: embedded (hf-fewshot doctor), folder, or Hub id"
    )
    completed(of_model, models)
    command.add_argument(
        "--head", choices=HEADS, default=TUNED, help="what is learnt; logistic is the quick way (default: tuned)"
    )
    command.add_argument("--none", action="store_true", help='answer "NOTA" to what is like no class')
    add_pairs(command, "-o", "--option", help="another option of the learner, such as strength=10 or layers=4")
    command.add_argument("--output", type=Path, required=True, help="folder of the model, which must not be there yet")
    command.add_argument("--without-examples", action="store_true", help="do not save the examples with it")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Fits and saves."""
    if options.output.exists():
        raise ValueError(f"{options.output} is there already. Give another --output, or remove it first.")
    import transformers

    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.plain_table import plain, plain_table
    from hf_fewshot.files.option_types import check_types, option_types
    from hf_fewshot.labelled.reading import read_labelled
    from hf_fewshot.learning.class_counts import class_counts
    from hf_fewshot.learning.learner import FewShotLearner
    from hf_fewshot.tasks import task_of

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    rows = read_labelled(options.data, task_of(options.task).name, _columns(options))
    chosen = {"head": options.head, "none_of_the_above": options.none}
    types = option_types(LearnerOptions) | NETWORK
    chosen = with_lists(once([*chosen.items(), *options.option]), types)
    check_types(types, chosen, "option of the learner")
    learner = FewShotLearner.from_encoder(options.model, options.task, **chosen)
    learner.learn(rows, progress=True)
    learner.save_pretrained(options.output, examples=not options.without_examples)
    table = plain_table(["class", "examples"], right=["examples"])
    for name, count in class_counts(learner).items():
        table.add_row(plain(name), str(count))
    console().print(table)
    print(f"{len(rows)} examples learnt, saved to {options.output}. Try: hf-fewshot serve {options.output}")


def _columns(options: argparse.Namespace) -> dict[str, str]:
    """The columns that were named, by what the task calls them."""
    from hf_fewshot.tasks import task_of

    named = {"text": options.text, task_of(options.task).label_columns[0]: options.label}
    return {name: column for name, column in named.items() if column is not None}
