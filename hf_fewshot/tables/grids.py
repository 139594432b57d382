"""The tables of results as grids: overviews, scores, kinds of errors, paired comparisons, findings."""

from collections.abc import Iterable, Sequence

from hf_fewshot.analyses.findings import Findings, Sheet
from hf_fewshot.tables.family import Family
from hf_fewshot.tables.footnotes import Footnotes
from hf_fewshot.tables.grid import Cell, Grid, Interval, Probability, Score
from hf_fewshot.tables.measures import ERRORS, measure_label, percent
from hf_fewshot.tables.overview import Overview
from hf_fewshot.tables.pairs import LEGEND
from hf_fewshot.tables.table import Table, TableLine, Value


def overview_grid(overview: Overview) -> Grid:
    """A line per system, a column per setting."""
    footnotes = Footnotes.of(overview.lines)
    rows: list[list[Cell]] = [
        [
            line.system,
            line.encoder,
            *(
                None if value is None else Score(value, line.standing(place))
                for place, value in enumerate(line.values)
            ),
            _numbers(footnotes, line.notes),
        ]
        for line in overview.lines
    ]
    title = f"{overview.title}: {measure_label(overview.measure)} in percent"
    heads = ["System", "Encoder", *overview.columns, "Notes"]
    legend = LEGEND if any(any(line.standings) for line in overview.lines) else ""
    return _without_empty(Grid(title, heads, rows, [line.kind for line in overview.lines], [*footnotes], legend))


def scores_grid(table: Table) -> Grid:
    """All measures of a setting."""
    footnotes = Footnotes.of(table.lines)
    main, *others = table.measures
    rows: list[list[Cell]] = []
    for line in table.lines:
        value = line.values.get(main)
        score = None if value is None else Score(value, table.standing(line))
        cells: list[Cell] = [line.system, line.encoder, score, _interval(line)]
        cells += [line.n, *(_score(line, name) for name in others), _numbers(footnotes, line.notes)]
        rows.append(cells)
    labels = list(map(measure_label, others))
    heads = ["System", "Encoder", measure_label(main), f"{table.confidence} interval", "Runs", *labels, "Notes"]
    title = f"{table.setting.title}: {measure_label(main)} in percent"
    legend = LEGEND if any(map(table.standing, table.lines)) else ""
    return _without_empty(Grid(title, heads, rows, [line.kind for line in table.lines], [*footnotes], legend))


def errors_grid(table: Table) -> Grid:
    """Kinds of errors of a setting."""
    footnotes = Footnotes.of(table.errors)
    names = [name for name in ERRORS if any(name in line.values for line in table.errors)]
    rows: list[list[Cell]] = [
        [line.system, line.encoder, *(_score(line, name) for name in names), _numbers(footnotes, line.notes)]
        for line in table.errors
    ]
    heads = ["System", "Encoder", *map(measure_label, names), "Notes"]
    title = f"{table.setting.title}: kinds of errors in percent"
    return _without_empty(Grid(title, heads, rows, [line.kind for line in table.errors], [*footnotes]))


def comparisons_grid(table: Table) -> Grid:
    """All pairs of our systems; differences in points."""
    heads = [
        "First",
        "Second",
        "Difference",
        f"{table.confidence} interval",
        "p (permutation)",
        "p (t-test over runs)",
    ]
    has_medians = table.setting.reports_median_model
    heads += ["Difference of median models", "p (median models)"] if has_medians else []
    rows: list[list[Cell]] = []
    for pair in table.comparisons.pairs:
        cells: list[Cell] = [pair.first, pair.second, _points(pair.difference)]
        found, medians = pair.comparison, pair.medians
        if found is None:
            cells += [Interval(f"not compared: {pair.problem}"), None, None]
        else:
            low, high = (None if end is None or not pair.over else percent(end) for end in (found.low, found.high))
            cells += [Interval(pair.interval, low, high), _probability(found.p_permutation), _probability(found.p_t)]
        if has_medians:
            cells += [_points(pair.median_difference), None if medians is None else _probability(medians.p_t)]
        rows.append(cells)
    return Grid(f"{table.setting.title}: paired comparisons", heads, rows)


def benchmark_grids(
    overviews: Iterable[Overview], families: Iterable[Family], findings: Iterable[Findings] = ()
) -> list[Grid]:
    """All tables of a benchmark, in the order of the page."""
    grids = list(map(overview_grid, overviews))
    for table in (one for family in families for one in family.tables):
        grids.append(scores_grid(table))
        grids += [errors_grid(table)] if table.errors else []
        grids += [comparisons_grid(table)] if len(table.setting.systems) > 1 else []
    return [*grids, *(sheet_grid(sheet, one.title) for one in findings for sheet in one.sheets)]


def sheet_grid(sheet: Sheet, title: str) -> Grid:
    """A table of findings that have this title."""
    return Grid(f"{title}: {sheet.title}", sheet.heads, sheet.rows, legend=sheet.note)


def _interval(line: TableLine) -> Interval | None:
    return Interval(line.interval, line.low, line.high) if line.interval else None


def _score(line: TableLine, name: str) -> Score | None:
    value = line.values.get(name)
    return None if value is None else Score(value)


def _points(difference: float | None) -> Score | None:
    return None if difference is None else Score(Value(difference))


def _probability(value: float | None) -> Probability | None:
    return None if value is None else Probability(value)


def _numbers(footnotes: Footnotes, notes: Sequence[str]) -> str:
    return ", ".join(str(1 + footnotes.notes.index(note)) for note in dict.fromkeys(notes))


def _without_empty(grid: Grid) -> Grid:
    """Without columns that no row has anything in."""
    kept = [place for place in range(len(grid.heads)) if any(cell not in (None, "") for cell in grid.column(place))]
    heads = [grid.heads[place] for place in kept]
    rows = [[row[place] for place in kept] for row in grid.rows]
    return Grid(grid.title, heads, rows, grid.sections, grid.notes, grid.legend)
