"""All commands under one roof: parsing, errors, exit codes."""

import argparse
import importlib
import os
import shlex
import sys

COMMANDS = ("list", "show", "sample", "verify", "run", "score", "report", "push", "export", "doctor")
DESCRIPTION = """\
Few-shot language understanding on Hugging Face: benchmarks, methods and numbers to trust.

  hf-fewshot list                                   what there is
  hf-fewshot show few_nerd --sample                 look at an episode
  hf-fewshot run --benchmark few_nerd --config inter --n-way 5 --shots 1 \\
      --method nnshot --model all-MiniLM-L6-v2 --sample
  hf-fewshot run recipes/few_nerd_inter.yaml        a whole table; stops and goes on
  hf-fewshot report results --output report.html    tables and plots, published numbers beside ours

Every command explains itself: hf-fewshot run --help."""

FOUND_PROBLEMS, WRONG_REQUEST, INTERRUPTED = 1, 2, 130


class CommandError(Exception):
    """Ends a command with a message and exit code 1: it did its work, and not all is well."""


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(
        "hf-fewshot", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = top.add_subparsers(required=True, metavar="command")
    for name in COMMANDS:
        importlib.import_module(f"hf_fewshot.cli.{name}_command").add(commands)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. Exit codes: 0 done, 1 problems found, 2 wrong request, 130 interrupted."""
    top = parser()
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(top)
    arguments = sys.argv[1:] if arguments is None else arguments
    options = top.parse_args(arguments)
    options.command_line = shlex.join(["hf-fewshot", *arguments])
    try:
        options.run(options)
    except CommandError as error:
        print(f"hf-fewshot: {error}", file=sys.stderr)
        return FOUND_PROBLEMS
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"hf-fewshot: {error}", file=sys.stderr)
        return WRONG_REQUEST
    except KeyboardInterrupt:
        print("\nhf-fewshot: interrupted. What is finished is kept; the same command goes on.", file=sys.stderr)
        return INTERRUPTED
    return 0
