"""All commands under one roof: parsing, errors, exit codes."""

import argparse
import contextlib
import importlib
import os
import shlex
import sys

import hf_fewshot
from hf_fewshot.cli.command_parser import Parser
from hf_fewshot.cli.loudness import add_loudness, loudness
from hf_fewshot.cli.stage_line import stage_line
from hf_fewshot.cli.typed_names import check_names
from hf_fewshot.cli.words import command_words
from hf_fewshot.progress import library_bars_for_watchers
from hf_fewshot.registry import unknown

COMMANDS = (
    *("list", "show", "stats", "sample", "verify"),
    *("run", "status", "cancel", "pull", "merge", "score", "analyse", "similarity"),
    *("report", "leaderboard", "push", "export"),
    *("annotate", "fit", "serve", "demo", "autoload", "doctor"),
)
DESCRIPTION = """\
Few-shot language understanding on Hugging Face: benchmarks, methods and numbers to trust.

  hf-fewshot list                                   what there is
  hf-fewshot show few_nerd --sample                 look at an episode
  hf-fewshot stats few_nerd --sample                count what is in it
  hf-fewshot run --benchmark few_nerd --config inter --n-way 5 --shots 1 \\
      --method nnshot --model all-MiniLM-L6-v2 --sample
  hf-fewshot run --data intents.csv --task classification --shots 5 --draws 5 \\
      --method proto --model all-MiniLM-L6-v2       the same on labelled data of your own
  hf-fewshot run few_nerd_inter                     a whole table; stops and goes on
  hf-fewshot analyse results                        where the errors are
  hf-fewshot report results --output report.html    tables and plots, published numbers beside ours

Every command explains itself: hf-fewshot run --help.
Exit codes: 0 done, 1 problems found, 2 it could not be done, 3 a bug of hf_fewshot, 130 interrupted."""

FOUND_PROBLEMS, COULD_NOT, BUG, INTERRUPTED = 1, 2, 3, 130


class CommandError(Exception):
    """Ends a command with a message and exit code 1: it did its work, and not all is well."""


# Nothing is wrong with the request: another process has the run, an endpoint does not answer, memory is short.
WELL_ASKED = (CommandError, RuntimeError, MemoryError)


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = Parser("hf-fewshot", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("--version", action="version", version=f"hf_fewshot {hf_fewshot.__version__}")
    commands = top.add_subparsers(metavar="command")
    for name in COMMANDS:
        importlib.import_module(f"hf_fewshot.cli.{name}_command").add(commands)
    for command in (top, *commands.choices.values()):
        # It may stand before or after the command's name, so neither has a default that would undo the other.
        command.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help="show the traceback of an error"
        )
        add_loudness(command)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. Exit codes: 0 done, 1 problems found, 2 it could not be done, 3 a bug, 130 interrupted."""
    arguments = sys.argv[1:] if arguments is None else arguments
    line = shlex.join(["hf-fewshot", *arguments])
    options = argparse.Namespace(command_line=line, debug=False, quiet=False, verbose=False, run=None)
    try:
        try:
            _run(arguments, options)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # a full disk or a reader that has gone shows here, not when Python ends
    except KeyboardInterrupt:
        _say("interrupted. What is finished is kept; the same command goes on.", "\nhf-fewshot")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - whatever it is, no user should read a traceback
        return _ended(error, options)
    return 0


def _run(arguments: list[str], options: argparse.Namespace) -> None:
    top = parser()
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(top)
    for argument in arguments:
        _refuse_half_characters(top, argument)
    # Options that stand before it take no values.
    command = next((one for one in arguments if not one.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise unknown("command", command, COMMANDS)
    top.parse_args(arguments, options)
    if options.run is None:
        top.print_help()
        return
    with loudness(options), library_bars_for_watchers(), stage_line():
        check_names(options)
        options.run(options)


def _ended(error: Exception, options: argparse.Namespace) -> int:
    """Says what is to be said of an error; the exit code."""
    if isinstance(error, BrokenPipeError) and _nobody_reads():
        return FOUND_PROBLEMS
    from hf_fewshot.cli.fault import sentence, told

    _say(told(error, command_words(options), command=options.command_line, debug=options.debug))
    if sentence(error) is None:
        return BUG
    return FOUND_PROBLEMS if isinstance(error, WELL_ASKED) else COULD_NOT


def _refuse_half_characters(top: argparse.ArgumentParser, argument: str) -> None:
    # Python's stand-ins for bytes that are no UTF-8: no record could hold the command line.
    try:
        argument.encode()
    except UnicodeEncodeError:
        top.error(f"the argument {argument!r} is no text in UTF-8. Rename the file or folder, or type it again.")


def _nobody_reads() -> bool:
    """Whether standard output is a pipe whose reader has gone, as `head` does; then nothing more is sent."""
    import select

    with contextlib.suppress(OSError, ValueError, AttributeError):  # no file, or a system that cannot tell
        poll = select.poll()
        poll.register(sys.stdout, 0)
        if any(event & select.POLLERR for _, event in poll.poll(0)):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return True
    return False


def _say(message: str, name: str = "hf-fewshot") -> None:
    with contextlib.suppress(OSError):  # nobody reads it
        print(f"{name}: {message}", file=sys.stderr)
