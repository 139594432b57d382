"""`python -m tests.attacks`: a long round of all attackers, or one attack again."""

# ruff: noqa: T201 - it is a command, and commands print

import argparse
import os
import shutil
import sys
import tempfile
from multiprocessing.util import get_temp_dir
from pathlib import Path

KEPT = Path("results") / "attacks"


def main() -> int:
    """Exit code 1 unless every attack ended as it may."""
    options = parsed()
    # Before datasets is imported, which reads its cache folder once.
    get_temp_dir()  # of multiprocessing, which removes it after us
    home = Path(tempfile.mkdtemp(prefix="hf_fewshot_attacks_"))
    os.environ |= {"HF_HOME": str(home / "cache"), "TMPDIR": str(home), "HF_HUB_OFFLINE": "1"}
    os.environ |= {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}
    tempfile.tempdir = None
    try:
        return attack_again(options, home) if options.number is not None else attack_all(options, home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def parsed() -> argparse.Namespace:
    """The options."""
    from tests.attacks.attackers import ATTACKERS

    parser = argparse.ArgumentParser("python -m tests.attacks", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="for all attackers together (default: 600)")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    parser.add_argument("--attacker", nargs="+", choices=ATTACKERS, default=list(ATTACKERS), help="default: all")
    parser.add_argument("--number", type=int, help="only the attack with this number, of one attacker")
    parser.add_argument("--keep", type=Path, default=KEPT, help=f"folder for attacks that failed (default: {KEPT})")
    options = parser.parse_args()
    if options.number is not None and len(options.attacker) != 1:
        parser.error("--number needs one --attacker")
    return options


def attack_all(options: argparse.Namespace, home: Path) -> int:
    """The long round: a bar while it lasts, then the table of counts and how to repeat what failed."""
    from tqdm import tqdm

    from tests.attacks.long_round import long_round
    from tests.attacks.tables import bad_ends, counts, failures

    form = "{l_bar}{bar}| {elapsed}{postfix}"
    often = 0.5 if sys.stderr.isatty() else 60
    with tqdm(total=int(options.seconds), mininterval=often, maxinterval=often, bar_format=form) as bar:

        def show(tallies: dict) -> None:
            inputs = sum(sum(tally.ends.values()) for tally in tallies.values())
            told = f"{inputs:,} inputs, {bad_ends(tallies)} bad ends, {list(tallies)[-1]}"
            bar.set_postfix_str(told, refresh=False)
            bar.update(min(bar.total, int(bar.format_dict["elapsed"])) - bar.n)

        tallies = long_round(options.attacker, options.seed, options.seconds, home, show)
    print(f"\nseed {options.seed}, {options.seconds:.0f} seconds\n\n{counts(tallies)}")
    for line in failures(tallies, options.seed):
        print(line)
    failed = bad_ends(tallies)
    if failed:
        shutil.copytree(home / "failed", options.keep, symlinks=True, dirs_exist_ok=True)
        print(f"\nInputs and verdicts are in {options.keep}.")
    return 1 if failed else 0


def attack_again(options: argparse.Namespace, home: Path) -> int:
    """One attack, its verdict, and its inputs kept."""
    from tests.attacks.arena import Arena
    from tests.attacks.attacker import keep_inputs
    from tests.attacks.attackers import attacker_class

    (name,) = options.attacker
    attacker = attacker_class(name)(Arena(home / "arena"))
    verdict = attacker.numbered(options.seed, options.number)
    attacker.close()
    folder = options.keep / f"{name.replace(' ', '_')}-{options.seed}-{options.number}"
    keep_inputs(attacker.arena, folder / "inputs")
    print(f"{verdict.end}, {verdict.peak >> 20} MB on top\n{verdict.detail}\ninputs: {folder / 'inputs'}")
    return 0 if verdict.is_right else 1


if __name__ == "__main__":
    sys.exit(main())
