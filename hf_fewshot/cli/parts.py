"""Runs of some episodes only, from the command line."""

import argparse
from collections.abc import Sequence
from typing import Any

from hf_fewshot.cli.fault import told
from hf_fewshot.cli.main import CommandError
from hf_fewshot.cli.options import source
from hf_fewshot.cli.outcome import silence_libraries
from hf_fewshot.cli.words import command_words


def stretch(text: str) -> range:
    """A range of episodes, such as `0:2500`."""
    first, colon, last = text.partition(":")
    if not colon or not first.isdecimal() or not last.isdecimal() or int(first) >= int(last):
        raise argparse.ArgumentTypeError(f"expected A:B, such as 0:2500, with A below B, but got {text!r}")
    return range(int(first), int(last))


def run_parts(runs: Sequence[Any], options: argparse.Namespace) -> None:
    """Runs some episodes of each run, and says where they are."""
    from accelerate import Accelerator

    from hf_fewshot.runs.episode_part import part_folder
    from hf_fewshot.runs.part_execution import execute_part

    silence_libraries()
    accelerator = Accelerator()
    failures = []
    for run in runs:
        try:
            part = execute_part(
                run,
                options.output,
                options.episodes,
                source=source(options),
                accelerator=accelerator,
                progress=accelerator.is_main_process,
                command=options.command_line,
            )
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever it is, the other runs go on
            if len(runs) == 1:
                raise
            failures.append(
                f"{run.name}: {told(error, command_words(options), command=options.command_line, debug=options.debug)}"
            )
            continue
        if accelerator.is_main_process:
            which = f"{part.episodes.start}:{part.episodes.stop} of {part.n_episodes:,}"
            print(f"Episodes {which} are in {part_folder(run, options.output, part.episodes)}")
    if accelerator.num_processes > 1:
        accelerator.end_training()
    if failures:
        raise CommandError(f"{len(failures)} of {len(runs)} runs failed:\n  " + "\n  ".join(failures))
    if accelerator.is_main_process:
        print(f"When all are there: hf-fewshot merge {options.output}")
