"""`hf-fewshot report`: results as a page."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hf_fewshot.cli.main import CommandError
from hf_fewshot.text.visible import visible


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "report",
        help="one HTML page with tables, plots and episodes of all results",
        description="Makes a self-contained HTML page of records: tables beside trivial baselines and published "
        "numbers, plots, comparisons, an episode browser.",
        epilog="example: hf-fewshot report results --output report.html --plots plots --markdown results.md",
    )
    command.add_argument("results", nargs="+", help="folders of results, and repositories such as someone/name")
    command.add_argument("--output", type=Path, default=Path("report.html"), help="the page (default: report.html)")
    command.add_argument("--plots", type=Path, help="also write the plots into this folder, as PNG and SVG")
    command.add_argument("--markdown", type=Path, help="also write the tables as Markdown")
    command.add_argument("--latex", type=Path, help="also write each table into this folder, as LaTeX with booktabs")
    command.add_argument("--csv", type=Path, help="also write each table into this folder, as CSV")
    command.add_argument(
        "--recipes",
        nargs="+",
        type=Path,
        default=[],
        help="recipes or folders of them, whose order systems have in tables (default: as they were begun)",
    )
    command.add_argument(
        "--findings",
        nargs="+",
        type=Path,
        default=[],
        help="files that stats or similarity wrote with --output, shown too",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the page and what else was asked for."""
    from hf_fewshot.analyses.findings import read_findings
    from hf_fewshot.files.whole_file import whole_file
    from hf_fewshot.progress import stage
    from hf_fewshot.report import write_csv, write_latex, write_plots, write_report
    from hf_fewshot.report.browser import read_browse
    from hf_fewshot.runs.analysis_file import read_analysis
    from hf_fewshot.runs.folder import find_records
    from hf_fewshot.runs.recipe import load_recipe
    from hf_fewshot.tables import in_order, markdown_page

    with stage("reading records"):
        found = find_records(*options.results)
    records = in_order(found.records.values(), map(load_recipe, _recipe_files(options.recipes)))
    if not records:
        where = ", ".join(map(str, options.results))
        raise ValueError("\n".join([f"No records in {where}. hf-fewshot run makes some.", *found.left_out]))
    others = [one for path in options.findings for one in read_findings(path)]
    left_out, pages, analyses = found.left_out, {}, {}
    own = {folder: record for folder, record in found.records.items() if not record.origin}
    for folder, record in own.items():
        path = folder / "browse.jsonl"
        try:
            if path.exists() and read_browse(path):
                pages[record.run.name] = path
        except (ValueError, OSError) as error:
            left_out.append(str(error))
        try:
            analysis = read_analysis(folder, record.run)
            if analysis is not None:
                analyses[record.run.name] = analysis
        except (ValueError, OSError) as error:
            left_out.append(str(error))
    with stage(f"drawing the page of {len(records)} records"):
        write_report(records, options.output, pages, analyses, others)
    print(visible(f"{len(records)} records in {options.output}"))
    for place in found.places:
        what = "the repository" if place.repository else "the folder"
        print(visible(f"{found.number_in(place):>6} of {what} {place}"))
    if options.plots is not None:
        write_plots(records, options.plots)
    if options.latex is not None:
        write_latex(records, options.latex, analyses, others)
    if options.csv is not None:
        write_csv(records, options.csv, analyses, others)
    if options.markdown is not None:
        with whole_file(options.markdown) as unfinished:
            unfinished.write_text(markdown_page(records), encoding="utf-8")
    if left_out:
        raise CommandError("\n  ".join([f"{len(left_out)} left out:", *left_out]))


def _recipe_files(places: list[Path]) -> Iterator[Path]:
    """The recipes among files, folders and names."""
    from hf_fewshot.runs.recipe_names import recipe_file

    for place in places:
        yield from sorted(place.glob("*.yaml")) if place.is_dir() else [recipe_file(place)]
