"""Findings on the screen, as JSON and as plots."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from hf_fewshot.analyses.findings import Findings, Sheet
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.text.visible import visible

FORMATS = (".png", ".svg")


def add_output(command: argparse.ArgumentParser) -> None:
    """How findings are given out."""
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--output", type=Path, help="also write the JSON to a file, for hf-fewshot report --findings")
    command.add_argument(
        "--plot", type=Path, help="also draw: a .png or .svg file; further plots get a number behind its name"
    )


def check_output(options: argparse.Namespace) -> None:
    """Refuses a plot of an unknown format before anything is computed."""
    if options.plot is not None and options.plot.suffix not in FORMATS:
        raise ValueError(f"--plot {options.plot}: expected a name that ends with .png or .svg.")


def give_out(findings: Sequence[Findings], options: argparse.Namespace) -> None:
    """Prints findings and writes their plots."""
    content = [one.to_json() for one in findings]
    text = json.dumps(content[0] if len(content) == 1 else content)  # as ASCII: names come from files of others
    if options.output is not None:
        with whole_file(options.output) as unfinished:
            unfinished.write_text(text + "\n", encoding="utf-8")
    if options.json:
        print(text)
    else:
        print_findings(findings)
    if options.plot is not None:
        paths = write_plots(findings, options.plot)
        if not options.json:
            print(visible("plots: " + ", ".join(map(str, paths)) if paths else "There is nothing to plot."))


def print_findings(findings: Sequence[Findings]) -> None:
    """All tables."""
    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.plain_table import plain

    screen = console(highlight=False)
    for one in findings:
        screen.print(plain(one.title), style="bold")
        screen.print()
        for sheet in one.sheets:
            _print_sheet(sheet)


def _print_sheet(sheet: Sheet) -> None:
    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.plain_table import plain, plain_table
    from hf_fewshot.report.findings_plots import cell_text, numeric_columns

    screen = console(highlight=False)
    numeric = numeric_columns(sheet.rows, len(sheet.heads))
    right = [head for head, is_number in zip(sheet.heads, numeric, strict=True) if is_number]
    table = plain_table(sheet.heads, sheet.title, right=right)
    for row in sheet.rows:
        table.add_row(*(plain(cell_text(cell)) for cell in row))
    screen.print(table)
    if not sheet.rows:
        screen.print("  none")
    if sheet.note:
        screen.print(plain(sheet.note), style="dim")
    screen.print()


def write_plots(findings: Sequence[Findings], path: Path) -> list[Path]:
    """Draws all charts, the first into the file itself."""
    from hf_fewshot.report.findings_plots import findings_plots

    path.parent.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, plot in enumerate((plot for one in findings for plot in findings_plots(one)), start=1):
        paths.append(path if number == 1 else path.with_stem(f"{path.stem}-{number}"))
        plot.save(paths[-1])
    return paths
