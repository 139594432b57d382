"""How a study goes, in a terminal."""

from typing import TYPE_CHECKING

from hf_fewshot.cli.plain_table import plain, plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from hf_fewshot.people.summary import StudySummary


def people_table(summary: "StudySummary") -> "Table":
    """A line for each annotator."""
    from hf_fewshot.tables.measures import measure_label, percent, shown

    measure = measure_label(summary.measure)
    heads = ("no.", "name", "answered", "training", "s per query", measure, "")
    table = plain_table(heads, right=("no.", "answered", "training", "s per query", measure))
    for one in summary.people:
        training = "" if one.training is None else shown(percent(one.training))
        score = "" if one.left_out else shown(percent(summary.scores[one.group]))
        cells = (str(one.number), one.name, f"{one.answered} of {one.queries}", training, shown(one.seconds, 1))
        table.add_row(*map(plain, (*cells, score, f"left out: {one.left_out}" if one.left_out else "")))
    return table


def study_lines(summary: "StudySummary") -> list[str]:
    """The whole study, a sentence each."""
    from hf_fewshot.tables.measures import measure_label, percent, shown

    lines = []
    if summary.mean is not None:
        spread = "" if summary.std is None else f" ± {shown(percent(summary.std))}"
        over = f"{len(summary.scores)} record{'s' if len(summary.scores) != 1 else ''}"
        lines.append(f"{measure_label(summary.measure)} {shown(percent(summary.mean))}{spread} over {over}.")
    pairs = f"mean of {len(summary.agreements)} pair{'s' if len(summary.agreements) != 1 else ''}"
    if summary.kappa is not None:
        lines.append(f"Cohen's kappa of labels: {shown(summary.kappa)} ({pairs}).")
    if summary.f1 is not None:
        lines.append(f"F1 of marks between annotators: {shown(percent(summary.f1))} ({pairs}).")
    return lines
