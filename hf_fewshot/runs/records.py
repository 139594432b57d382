"""Records together, as a list and as a table."""

from typing import TYPE_CHECKING, Any

from hf_fewshot.runs.record import Record

if TYPE_CHECKING:
    import pandas


class Records(list[Record]):
    """A list of records that can be looked at as a table."""

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per record: what was run, all scores, the interval of the main one, and how long it took.

        Options of data and method have columns of their own, such as `data.n_way` and `options.layers`.
        """
        import pandas

        return pandas.DataFrame([_row(record) for record in self])

    def _repr_html_(self) -> str:
        shown = ["benchmark", "config", "split", "system", "seed", "measure", "score", "low", "high"]
        table: Any = self.to_pandas()
        return str(table[shown]._repr_html_()) if len(self) else "<p>no records</p>"


def _row(record: Record) -> dict[str, Any]:
    run = record.run
    low, high = record.intervals.get(record.measure, (None, None))
    row = {name: getattr(run, name) for name in ("benchmark", "config", "split", "system", "method", "model", "seed")}
    row |= {"measure": record.measure, "score": record.score, "low": low, "high": high}
    row |= {"is_trained": run.training is not None, "is_official": record.episodes["official"]}
    row |= {"n_episodes": record.episodes["n_episodes"], "n_queries": record.episodes["n_queries"]}
    for part, values in (("data", run.data), ("options", run.options), ("scores", record.scores)):
        row |= {f"{part}.{name}": value for name, value in values.items()}
    return {**row, "seconds": sum(record.seconds.values()), "started": record.started}
