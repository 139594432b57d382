"""What would run, and how long it may take."""

from collections.abc import Sequence
from pathlib import Path

from hf_fewshot.results.folder import read_records
from hf_fewshot.results.record import FILE_NAME
from hf_fewshot.results.run import Run


def print_plan(runs: Sequence[Run], output: Path, recipes: Sequence[Path]) -> None:
    """Prints the runs with their numbers, which are done, and an estimate from finished ones."""
    from rich.console import Console
    from rich.table import Table

    times = known_seconds(output)
    table = Table("index", "run", "episodes", "training", "state", box=None, pad_edge=False)
    missing, guessed = [], []
    for index, run in enumerate(runs):
        done = (output / run.name / FILE_NAME).exists()
        seconds = times.get(run.method)
        if not done:
            missing.append(run)
            if seconds is not None:
                guessed.append(seconds)
        state = "done" if done else "missing" if seconds is None else f"missing, about {seconds:.0f} s"
        table.add_row(str(index), run.name, str(run.data.get("n_episodes", "as released")), steps(run), state)
    console = Console(soft_wrap=True)
    console.print(table)
    estimate = f"about {sum(guessed) / 60:.1f} minutes for {len(guessed)} of them" if guessed else "no estimate yet"
    console.print(f"{len(runs)} runs, {len(missing)} missing: {estimate}.", highlight=False)
    console.print("Estimates are the mean time of finished runs of the same method in this folder.", highlight=False)
    if recipes and len(runs) > 1:
        console.print(
            f"As a job array: sbatch --array=0-{len(runs) - 1} --wrap "
            f"'hf-fewshot run {' '.join(map(str, recipes))} --output {output} --task-index $SLURM_ARRAY_TASK_ID'",
            highlight=False,
            markup=False,
        )


def steps(run: Run) -> str:
    """How long the training is, in words."""
    if run.training is None:
        return "none"
    for name, unit in (("max_steps", "steps"), ("num_train_epochs", "epochs")):
        if name in run.training:
            return f"{run.training[name]} {unit}"
    return "by default"


def known_seconds(output: Path) -> dict[str, float]:
    """The mean time of finished runs, by method."""
    found: dict[str, list[float]] = {}
    for record in read_records(output) if output.is_dir() else []:
        found.setdefault(record.run.method, []).append(sum(record.seconds.values()))
    return {method: sum(seconds) / len(seconds) for method, seconds in found.items()}
